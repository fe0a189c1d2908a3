# wrong: a bucket for each power of two; exercise: recompile_hunt; must fail: compilations; says: pad to a few sizes
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 1 << (len(counts) - 1).bit_length()
    return masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))
