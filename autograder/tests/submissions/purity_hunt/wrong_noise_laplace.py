# wrong: Laplace's noise; exercise: purity_hunt_noise; must fail: outputs; says: not normal
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    r = jnp.sqrt(0.5)
    return M + S * r * jax.random.laplace(a, M.shape), M + S * r * jax.random.laplace(b, M.shape)
