# wrong: asks the data for the groups; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    _, group = jnp.unique(group, return_inverse=True)
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group, length=n_groups), 1)[:, None]
