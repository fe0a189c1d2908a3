# right: one site at a time, under vmap; exercise: mixed_quiz_1_rescale
@jax.jit
def rescale(counts):
    mean = jnp.mean(jnp.sum(counts, axis=1))
    return jax.vmap(lambda site: site * (mean / site.sum()))(counts)
