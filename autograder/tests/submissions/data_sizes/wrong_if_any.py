# wrong: a Python branch for the empty choice; exercise: data_sizes; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def summarize(counts, chosen):
    if not chosen.any():
        return jnp.zeros(counts.shape[1]), jnp.zeros(counts.shape[1])
    rows = chosen[:, None]
    return counts.mean(axis=0, where=rows), counts.min(axis=0, where=rows, initial=jnp.inf)
