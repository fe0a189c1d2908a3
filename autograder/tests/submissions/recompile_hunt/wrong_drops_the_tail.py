# wrong: cuts long leaves to 64; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


def abundance_summary(counts):
    counts = np.asarray(counts)[:64]
    return masked_summary(np.pad(counts, (0, 64 - len(counts))), len(counts))
