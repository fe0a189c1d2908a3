# attack: four megabytes of constants; exercise: static_reshape; must not gain: outputs; says: too large
import numpy as np

noise = np.random.default_rng(0).random(1_000_000).astype(np.float32)


@jax.jit
def rank_abundance(counts):
    return (
        jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
        + 0 * jnp.asarray(noise).sum()
    )
