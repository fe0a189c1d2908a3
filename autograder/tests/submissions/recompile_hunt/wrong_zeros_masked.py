# wrong: takes all zeros for padding; exercise: recompile_hunt; must fail: outputs; says: Zeros are counts too: mask by position
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=padded > 0), jnp.std(logs, where=padded > 0)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded)
