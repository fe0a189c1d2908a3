# wrong: pads with jax.numpy outside of jit; exercise: recompile_hunt; must fail: compilations; says: Pad with `np.pad`
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = jnp.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = jnp.pad(counts, (0, size - len(counts)))
    return masked_summary(padded, len(counts))
