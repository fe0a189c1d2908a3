# wrong: returns NaN, and raises nothing; exercise: debugging; must fail: outputs; says: nobody learns
@jax.jit
def log_means(B, group, O):
    return O + B.at[group].get(mode="fill", fill_value=jnp.nan)
