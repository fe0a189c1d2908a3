# wrong: n_groups is not static; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@jax.jit
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group, length=n_groups), 1)[:, None]
