# right: everything in one bucket; exercise: recompile_hunt
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    padded = np.zeros(128, np.float32)
    padded[: len(counts)] = np.asarray(counts)
    return masked_summary(padded, np.float32(len(counts)))
