# wrong: bincount without a length; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group), 1)[:, None]
