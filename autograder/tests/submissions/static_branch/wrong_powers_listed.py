# wrong: one jitted function for each power that is expected; exercise: static_branch; must fail: outputs; says: KeyError
by_power = {
    0: jax.jit(lambda counts: jnp.log(counts + 1)),
    1: jax.jit(lambda counts: counts),
    2: jax.jit(lambda counts: ((counts + 1) ** 2 - 1) / 2),
    3: jax.jit(lambda counts: ((counts + 1) ** 3 - 1) / 3),
}


def box_cox(counts, power):
    return by_power[power](counts)
