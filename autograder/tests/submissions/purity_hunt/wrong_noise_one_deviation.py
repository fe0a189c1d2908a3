# wrong: one standard deviation for each taxon, their mean, in place of one for each entry; exercise: purity_hunt_noise; must fail: outputs; says: standard deviation
@jax.jit
def two_draws(key, M, S):
    key_1, key_2 = jax.random.split(key)
    scale = S.mean(axis=0)
    first = M + scale * jax.random.normal(key_1, M.shape)
    second = M + scale * jax.random.normal(key_2, M.shape)
    return first, second
