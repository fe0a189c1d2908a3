# right: one leaf after the other; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    def add(i, carry):
        totals, leaves = carry
        return totals.at[group[i]].add(counts[i]), leaves.at[group[i]].add(1)

    start = jnp.zeros((n_groups, counts.shape[1])), jnp.zeros((n_groups, 1), jnp.int32)
    totals, leaves = jax.lax.fori_loop(0, len(group), add, start)
    return jnp.where(leaves == 0, 0, totals / leaves)
