# wrong: replaces the empty group's NaN by 0 before dividing; exercise: data_sizes_groups; must fail: outputs; says: has no leaves
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jnp.nan_to_num(jax.ops.segment_sum(counts, group, num_segments=n_groups))
    leaves = jax.ops.segment_sum(jnp.ones_like(counts), group, num_segments=n_groups)
    return totals / leaves
