# wrong: divides by the number of all leaves; exercise: data_sizes_groups; must fail: outputs; says: in group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    return jax.ops.segment_sum(counts / len(counts), group, num_segments=n_groups)
