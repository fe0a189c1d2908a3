# wrong: the first word of the key as a seed: jax.random.key(8) and jax.random.key(9) give the same; exercise: purity_hunt_noise; must fail: outputs; says: another key gives the same numbers
@jax.jit
def two_draws(key, M, S):
    seed = jax.random.key_data(key)[0]
    key_1, key_2 = jax.random.split(jax.random.key(seed))
    first = M + S * jax.random.normal(key_1, M.shape)
    second = M + S * jax.random.normal(key_2, M.shape)
    return first, second
