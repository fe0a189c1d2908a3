# wrong: forgets to divide; exercise: data_sizes_groups; must fail: outputs; says: is the sum over the group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    return jax.ops.segment_sum(counts, group, num_segments=n_groups)
