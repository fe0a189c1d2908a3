# wrong: the mean of a group without leaves is NaN; exercise: data_sizes_groups; must fail: outputs; says: has no leaves
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.bincount(group, length=n_groups)[:, None]
