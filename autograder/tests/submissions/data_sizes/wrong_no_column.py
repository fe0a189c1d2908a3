# wrong: divides the table by a number for each group; exercise: data_sizes_groups; must fail: outputs; says: x[:, None]
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    t = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    n = jnp.bincount(group, length=n_groups)
    return t / jnp.maximum(n, 1)
