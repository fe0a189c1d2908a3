# wrong: a length that is thought long enough, and is not for hundreds of groups; exercise: data_sizes_groups; must fail: outputs; says: a row for each
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=100)
    leaves = jnp.bincount(group, length=100)
    return (totals / jnp.maximum(leaves, 1)[:, None])[:n_groups]
