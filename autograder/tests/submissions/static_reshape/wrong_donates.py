# wrong: donates the caller's table; exercise: static_reshape; must fail: purity; says: donated
from functools import partial


@partial(jax.jit, donate_argnums=0)
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
