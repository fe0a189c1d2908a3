# wrong: clips the groups; exercise: debugging; must fail: outputs; says: nobody learns
@jax.jit
def log_means(B, group, O):
    return O + B[jnp.clip(group, 0, len(B) - 1)]
