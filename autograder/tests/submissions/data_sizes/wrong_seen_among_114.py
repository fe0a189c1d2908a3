# wrong: room for the taxa of the oaks; exercise: data_sizes_seen; must fail: outputs; says: seen_taxa
from functools import partial


@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    found = jnp.nonzero(counts > 0, size=114, fill_value=-1)[0]
    return jnp.concatenate([found, jnp.full(size, -1)])[:size], (counts > 0).sum()
