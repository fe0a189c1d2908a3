# right: compares each group with each number; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    same = groups[:, None] == jnp.arange(len(effects))
    return jnp.where(same[:, :, None], effects[None], 0).sum(axis=1)
