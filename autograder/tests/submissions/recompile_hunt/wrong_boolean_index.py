# wrong: selects with a mask; exercise: recompile_hunt; must fail: outputs; says: keep the shape
@jax.jit
def summary(padded, length):
    logs = jnp.log1p(padded[jnp.arange(padded.size) < length])
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded, len(counts))
