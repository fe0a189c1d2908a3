# wrong: negative ones still count from the end; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    return effects.at[groups].get(mode="fill", fill_value=0)
