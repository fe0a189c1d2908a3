# wrong: the mean is right, the deviations of the padding are counted in; exercise: recompile_hunt; must fail: outputs; says: Mask the squared deviations too
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum((logs - mean) ** 2) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return masked_summary(padded, len(counts))
