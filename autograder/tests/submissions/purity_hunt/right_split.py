# right: split in two; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    keys = jax.random.split(key, 2)
    return tuple(M + S * jax.random.normal(k, M.shape, M.dtype) for k in keys)
