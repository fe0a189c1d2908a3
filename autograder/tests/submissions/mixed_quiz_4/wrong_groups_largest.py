# wrong: one too many is known; exercise: mixed_quiz_4_groups; must fail: outputs; says: expected
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups <= len(effects))
    return jnp.where(known[:, None], effects[groups], 0)
