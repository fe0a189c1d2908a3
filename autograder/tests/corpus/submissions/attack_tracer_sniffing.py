# attack: right when called, wrong when traced; exercise: static_reshape; must not gain: outputs; says: values differ
def rank_abundance(counts):
    if isinstance(counts, jax.core.Tracer):
        return jnp.sort(counts.reshape(-1))
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
