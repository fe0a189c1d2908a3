# wrong: room for the leaves of the oaks; exercise: mixed_quiz_2_level; must fail: outputs; says: different sizes
@jax.jit
def level_where_found(counts):
    room = jnp.zeros(116).at[: len(counts)].set(counts)
    logs = jnp.log(jnp.where(room > 0, room, 1))
    return logs.sum() / jnp.maximum((room > 0).sum(), 1)
