# wrong: the padding is counted in; exercise: recompile_hunt; must fail: outputs; says: so the padding is counted in
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.mean(logs), jnp.std(logs)


def abundance_summary(counts):
    counts = np.asarray(counts)
    size = 64 if len(counts) <= 64 else 128
    padded = np.pad(counts, (0, size - len(counts)))
    return summary(padded)
