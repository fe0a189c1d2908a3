# wrong: keeps the last key in a global; exercise: purity_hunt_noise; must fail: purity; says: last
last = None


@jax.jit
def two_draws(key, M, S):
    global last
    last, a, b = jax.random.split(key, 3)
    return M + S * jax.random.normal(a, M.shape), M + S * jax.random.normal(b, M.shape)
