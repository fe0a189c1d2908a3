# right: NaN for what was not found; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    logs = jnp.where(counts > 0, jnp.log(counts), jnp.nan)
    return jnp.nan_to_num(jnp.nanmean(logs))
