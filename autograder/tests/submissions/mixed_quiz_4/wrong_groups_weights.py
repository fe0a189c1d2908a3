# wrong: zero as a weight of what is not a number; exercise: mixed_quiz_4_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return known[:, None] * effects.at[groups].get(mode="fill")
