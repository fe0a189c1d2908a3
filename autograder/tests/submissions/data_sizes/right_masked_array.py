# right: a helper that puts a neutral value, in the function's own words; exercise: data_sizes
def only(counts, chosen, neutral):
    return jnp.where(jnp.expand_dims(chosen, 1), counts, neutral)


@jax.jit
def summarize(counts, chosen):
    n = only(jnp.ones_like(counts), chosen, 0).sum(0)
    mean = jnp.divide(only(counts, chosen, 0).sum(0), jnp.where(n, n, 1))
    smallest = jnp.sort(only(counts, chosen, jnp.finfo(counts.dtype).max), axis=0)[0]
    return mean, smallest * (smallest < jnp.finfo(counts.dtype).max)
