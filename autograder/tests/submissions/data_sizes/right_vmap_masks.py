# right: a mask for each group, mapped; exercise: data_sizes_groups
@partial(jax.jit, static_argnums=(2,))
def group_means(counts, group, n_groups):
    def of_one(k):
        rows = (group == k)[:, None]
        mean = jnp.mean(counts, axis=0, where=rows)
        return jnp.where(rows.any(), mean, 0)

    return jax.vmap(of_one)(jnp.arange(n_groups))
