# right: pads with NaN and leaves it out; exercise: recompile_hunt
@jax.jit
def summary(padded):
    logs = jnp.log1p(padded)
    return jnp.nanmean(logs), jnp.nanstd(logs)


def abundance_summary(counts):
    size = 64 if len(counts) <= 64 else 128
    return summary(np.pad(np.asarray(counts), (0, size - len(counts)), constant_values=np.nan))
