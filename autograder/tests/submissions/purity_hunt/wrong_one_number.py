# wrong: one number for the whole table; exercise: purity_hunt_noise; must fail: outputs; says: the same random number
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    return M + S * jax.random.normal(a), M + S * jax.random.normal(b)
