# wrong: num_segments is left out; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group)
    leaves = jax.ops.segment_sum(jnp.ones(len(group)), group)
    return totals / jnp.maximum(leaves, 1)[:, None]
