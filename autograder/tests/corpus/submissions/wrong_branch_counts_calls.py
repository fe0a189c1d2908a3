# wrong: counts its calls in a global; exercise: static_branch; must fail: purity; says: calls
calls = 0


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    global calls
    calls += 1
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
