# wrong: a new jitted function at each call; exercise: static_branch; must fail: compilations; says: compiled again
def box_cox(counts, power):
    transform = jax.jit(lambda y: jnp.log(y + 1) if power == 0 else ((y + 1) ** power - 1) / power)
    return transform(counts)
