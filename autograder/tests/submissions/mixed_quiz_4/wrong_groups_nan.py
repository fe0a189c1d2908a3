# wrong: NaN in place of zeros; exercise: mixed_quiz_4_groups; must fail: outputs; says: nan
@jax.jit
def group_effects(effects, groups):
    known = (groups >= 0) & (groups < len(effects))
    return jnp.where(known[:, None], effects[groups], jnp.nan)
