# wrong: the counts are static; exercise: traced_branch; must fail: outputs; says: An array or a list cannot be static
from functools import partial


@partial(jax.jit, static_argnames="counts")
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    if variance > mean:
        return jnp.log(1 + (variance - mean) / mean**2)
    return 0.0
