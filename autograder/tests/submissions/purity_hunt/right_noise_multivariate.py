# right: both at once, one big draw; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape))
    first, second = M + S * noise
    return first, second
