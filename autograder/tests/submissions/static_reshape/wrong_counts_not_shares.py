# wrong: does not divide by the total; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
