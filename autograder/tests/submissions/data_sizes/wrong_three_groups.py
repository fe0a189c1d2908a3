# wrong: as many groups as the oaks have; exercise: data_sizes_groups; must fail: outputs; says: a row for each
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=3)
    return totals / jnp.maximum(jnp.bincount(group, length=3), 1)[:, None]
