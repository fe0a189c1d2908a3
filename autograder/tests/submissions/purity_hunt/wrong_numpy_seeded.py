# wrong: NumPy's generator with a seed; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    rng = np.random.default_rng(0)
    return M + S * rng.normal(size=M.shape), M + S * rng.normal(size=M.shape)
