# right: fold_in; exercise: purity_hunt_noise
@jax.jit
def two_draws(key, M, S):
    a, b = (jax.random.normal(jax.random.fold_in(key, i), M.shape) for i in (1, 2))
    return M + S * a, M + S * b
