# right: both draws from one array; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape))
    return M + S * noise[0], M + S * noise[1]
