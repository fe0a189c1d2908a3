# wrong: pads into a buffer that it keeps; exercise: recompile_hunt; must fail: purity; says: buffer
buffer = np.zeros(128, np.float32)


@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    buffer[:] = 0
    buffer[: len(counts)] = counts
    return masked_summary(buffer.copy(), len(counts))
