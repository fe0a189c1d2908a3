# wrong: the decorator is gone; exercise: data_sizes_groups; must fail: compilations; says: jax.jit
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]
