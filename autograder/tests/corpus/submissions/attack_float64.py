# attack: x64 switched on for the worker; exercise: static_reshape; must not gain: outputs; says: is float64
jax.config.update("jax_enable_x64", True)


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts.astype("float64") / counts.sum()).reshape(-1), descending=True)
