# right: a column of ones beside the counts; NaN replaced at the end; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    with_ones = jnp.hstack([counts, jnp.ones((len(counts), 1))])
    sums = jax.ops.segment_sum(with_ones, group, n_groups)
    return jnp.nan_to_num(sums[:, :-1] / sums[:, -1:], nan=0.0)
