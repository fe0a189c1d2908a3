# right: mode fill, and no wrapping of negative ones; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0, wrap_negative_indices=False)
