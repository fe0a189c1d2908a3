# wrong: uniform noise; exercise: purity_hunt_noise; must fail: outputs; says: not normal
@jax.jit
def two_draws(key, M, S):
    a, b = jax.random.split(key)
    half = jnp.sqrt(3.0)
    return (
        M + S * jax.random.uniform(a, M.shape, minval=-half, maxval=half),
        M + S * jax.random.uniform(b, M.shape, minval=-half, maxval=half),
    )
