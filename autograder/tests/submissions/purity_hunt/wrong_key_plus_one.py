# wrong: adds 1 to the key; exercise: purity_hunt_noise; must fail: outputs; says: A key is no number
@jax.jit
def two_draws(key, M, S):
    return M + S * jax.random.normal(key, M.shape), M + S * jax.random.normal(key + 1, M.shape)
