# right: lax.switch by a comparison made an integer; exercise: traced_branch
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return lax.switch(
        (variance > mean).astype(jnp.int32),
        [lambda: jnp.zeros_like(mean), lambda: jnp.log(1 + (variance - mean) / mean**2)],
    )
