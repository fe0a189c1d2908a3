# right: sorts the indices, the unseen ones last; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    p = counts.shape[0]
    indices = jnp.sort(jnp.where(counts > 0, jnp.arange(p), p))
    padded = jnp.concatenate([indices, jnp.full(size, p)])[:size]
    return jnp.where(padded == p, -1, padded), jnp.sum(jnp.sign(counts))
