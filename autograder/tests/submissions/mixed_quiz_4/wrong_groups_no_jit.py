# wrong: jit taken away; exercise: mixed_quiz_4_groups; must fail: compilations; says: jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], 0)
