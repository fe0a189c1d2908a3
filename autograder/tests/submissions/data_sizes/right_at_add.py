# right: adds each row to its group; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jnp.zeros((n_groups, counts.shape[1])).at[group].add(counts)
    leaves = jnp.zeros(n_groups).at[group].add(1)
    return totals / jnp.clip(leaves, 1)[:, None]
