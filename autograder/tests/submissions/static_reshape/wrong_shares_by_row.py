# wrong: divides by the totals of the rows; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum(-1, keepdims=True)).reshape(-1), descending=True)
