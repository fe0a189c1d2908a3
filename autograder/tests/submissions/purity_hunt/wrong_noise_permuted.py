# wrong: the second draw is the first noise in another order; exercise: purity_hunt_noise; must fail: outputs; says: another order
@jax.jit
def two_draws(key, M, S):
    key_1, key_2 = jax.random.split(key)
    noise = jax.random.normal(key_1, M.shape)
    shuffled = jax.random.permutation(key_2, noise)
    return M + S * noise, M + S * shuffled
