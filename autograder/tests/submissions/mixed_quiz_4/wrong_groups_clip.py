# wrong: clipped on purpose; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects[jnp.clip(groups, 0, len(effects) - 1)]
