# wrong: uses the key twice; exercise: purity_hunt_noise; must fail: outputs; says: split it
@jax.jit
def two_draws(key, M, S):
    return M + S * jax.random.normal(key, M.shape), M + S * jax.random.normal(key, M.shape)
