# right: nonzero with a size; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    (at,) = jnp.nonzero(counts, size=len(counts), fill_value=len(counts))
    logs = jnp.log(counts.at[at].get(mode="fill", fill_value=1))
    return logs.sum() / jnp.clip(jnp.count_nonzero(counts), 1)
