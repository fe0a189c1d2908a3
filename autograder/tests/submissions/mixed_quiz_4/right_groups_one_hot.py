# right: a product with one_hot, which is zero for unknown groups; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    return jnp.dot(jax.nn.one_hot(groups, effects.shape[0]), effects, precision="highest")
