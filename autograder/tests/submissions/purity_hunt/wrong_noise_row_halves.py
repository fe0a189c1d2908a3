# wrong: half of one draw comes back in the other; exercise: purity_hunt_noise; must fail: outputs; says: come back
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    first = jax.random.normal(a, M.shape)
    half = len(M) // 2
    second = jnp.concatenate([first[half:], jax.random.normal(b, M.shape)[half:]])[: len(M)]
    return M + S * first, M + S * second
