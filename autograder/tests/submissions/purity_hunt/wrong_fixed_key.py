# wrong: makes a key of its own; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(jax.random.key(0))
    return M + S * jax.random.normal(a, M.shape), M + S * jax.random.normal(b, M.shape)
