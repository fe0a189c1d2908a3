# wrong: seed and seed + 1: the second draw of key(8) is the first of key(9); exercise: purity_hunt_noise; must fail: outputs; says: also a draw
@jax.jit
def two_draws(key, M, S):
    seed = jax.random.key_data(key)[1]
    first = M + S * jax.random.normal(jax.random.key(seed), M.shape)
    second = M + S * jax.random.normal(jax.random.key(seed + 1), M.shape)
    return first, second
