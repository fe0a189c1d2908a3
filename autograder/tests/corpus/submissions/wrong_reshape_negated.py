# wrong: sorts the negated shares and forgets to negate back; exercise: static_reshape; must fail: outputs; says: The sign is wrong
@jax.jit
def rank_abundance(counts):
    return jnp.sort(-(counts / counts.sum()).reshape(-1))
