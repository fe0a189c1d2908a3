# right: one draw of twice the size; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    noise = jax.random.normal(key, (2, *M.shape), M.dtype)
    first, second = M + S * noise
    return first, second
