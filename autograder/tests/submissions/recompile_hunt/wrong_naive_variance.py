# wrong: the mean of the squares less the square of the mean: NaN or noise where all counts are nearly alike; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.where(present, jnp.log1p(padded), 0)
    mean = jnp.sum(logs) / length
    return mean, jnp.sqrt(jnp.sum(logs**2) / length - mean**2)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    return masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))
