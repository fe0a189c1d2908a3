# attack: six thousand operations; exercise: static_reshape; must not gain: outputs; says: too large
@jax.jit
def rank_abundance(counts):
    zero = counts.sum()
    for _ in range(6000):
        zero = zero * 0.5
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True) + 0 * zero
