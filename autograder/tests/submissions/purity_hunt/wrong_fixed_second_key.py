# wrong: a fixed second key; exercise: purity_hunt_noise; must fail: outputs; says: in the second draw
@jax.jit
def two_draws(key, M, S):
    first = M + S * jax.random.normal(key, M.shape)
    second = M + S * jax.random.normal(jax.random.key(1), M.shape)
    return first, second
