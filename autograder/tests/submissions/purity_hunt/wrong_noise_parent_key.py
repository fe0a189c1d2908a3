# wrong: draws with the key, and splits it afterwards; exercise: purity_hunt_noise; must fail: outputs; says: nor split
@jax.jit
def two_draws(key, M, S):
    first = M + S * jax.random.normal(key, M.shape)
    _, key_2 = jax.random.split(key)
    return first, M + S * jax.random.normal(key_2, M.shape)
