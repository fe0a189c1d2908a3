# wrong: promises that groups are sorted, and numbers them by their change; exercise: data_sizes_groups; must fail: outputs; says: in group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    runs = jnp.cumsum(jnp.append(False, group[1:] != group[:-1]))
    totals = jax.ops.segment_sum(counts, runs, num_segments=n_groups)
    leaves = jax.ops.segment_sum(jnp.ones(len(runs)), runs, num_segments=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]
