# wrong: keeps the groups seen in a list; exercise: data_sizes_groups; must fail: purity; says: seen_groups
seen_groups = []


@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    seen_groups.append(n_groups)
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]
