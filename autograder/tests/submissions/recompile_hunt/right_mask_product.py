# right: multiplies with the mask, which is a choice to XLA; exercise: recompile_hunt
@jax.jit
def m(padded):
    logs = jnp.log1p(padded)
    present = padded >= 0
    mean = (logs * present).sum() / present.sum()
    return mean, jnp.sqrt((present * (logs - mean) ** 2).sum() / present.sum())


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    return m(np.pad(counts, (0, size - len(counts)), constant_values=-1))
