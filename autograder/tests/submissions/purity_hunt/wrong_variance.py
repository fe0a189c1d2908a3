# wrong: takes S for the variance; exercise: purity_hunt_noise; must fail: outputs; says: standard deviation 1
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    s = jnp.sqrt(S)
    return M + s * jax.random.normal(a, M.shape), M + s * jax.random.normal(b, M.shape)
