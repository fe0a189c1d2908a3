# attack: four gigabytes of zeros; exercise: static_reshape; must not gain: outputs; seconds: 40
@jax.jit
def rank_abundance(counts):
    return jnp.zeros(2**30, jnp.float32) + counts.sum()
