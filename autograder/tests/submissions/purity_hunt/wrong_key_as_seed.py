# wrong: gives the key to NumPy; exercise: purity_hunt_noise; must fail: outputs; says: jax.random
@jax.jit
def two_draws(key, M, S):
    rng = np.random.default_rng(key)
    return M + S * rng.normal(size=M.shape), M + S * rng.normal(size=M.shape)
