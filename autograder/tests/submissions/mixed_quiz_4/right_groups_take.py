# right: take, after the negative ones were sent out of range; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    groups = jnp.where(groups < 0, len(effects), groups)
    return jnp.take(effects, groups, axis=0, mode="fill", fill_value=0)
