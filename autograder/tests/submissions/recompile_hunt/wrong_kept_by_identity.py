# wrong: results kept by the identity of the counts; exercise: recompile_hunt; must fail: purity; says: known
@jax.jit
def masked_summary(padded, length):
    present = jnp.arange(padded.size) < length
    logs = jnp.log1p(padded)
    mean = jnp.sum(jnp.where(present, logs, 0)) / length
    variance = jnp.sum(jnp.where(present, (logs - mean) ** 2, 0)) / length
    return mean, jnp.sqrt(variance)


known = {}


def abundance_summary(counts):
    key = id(counts)
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    if key not in known:
        known[key] = masked_summary(np.pad(counts, (0, size - len(counts))), len(counts))
    return known[key]
