# right: a mask made with NumPy, and mean and std with where; exercise: recompile_hunt
@jax.jit
def masked_summary(padded, present):
    logs = jnp.log1p(padded)
    return jnp.mean(logs, where=present), jnp.std(logs, where=present)


def abundance_summary(counts):
    size = 64 * -(-len(counts) // 64)
    padded = np.zeros(size, np.float32)
    padded[: len(counts)] = counts
    return masked_summary(padded, np.arange(size) < len(counts))
