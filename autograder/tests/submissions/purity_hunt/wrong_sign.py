# wrong: the second draw mirrors the first; exercise: purity_hunt_noise; must fail: outputs; says: a key of its own
@jax.jit
def two_draws(key, M, S):
    noise = S * jax.random.normal(key, M.shape)
    return M + noise, M - noise
