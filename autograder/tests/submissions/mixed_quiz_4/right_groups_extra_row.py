# right: a row of zeros for all others; exercise: mixed_quiz_4_groups
@jax.jit
def group_effects(effects, groups):
    k, p = effects.shape
    with_zeros = jnp.vstack([effects, jnp.zeros((1, p))])
    return with_zeros[jnp.where((groups < 0) | (groups >= k), k, groups)]
