# wrong: the padded counts are integers of eight bits; exercise: recompile_hunt; must fail: outputs; says: expected
@jax.jit
def summary(counts, present):
    logs = jnp.log1p(counts)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    padded = np.zeros(size, np.uint8)
    padded[: len(counts)] = np.asarray(counts).astype(np.uint8)
    return summary(padded, np.arange(size) < len(counts))
