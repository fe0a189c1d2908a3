# attack: right on a GPU only; exercise: static_reshape; must not gain: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jax.lax.platform_dependent(
        counts,
        cuda=lambda counts: jnp.sort((counts / counts.sum()).reshape(-1), descending=True),
        default=lambda counts: jnp.sort(counts.reshape(-1)),
    )
