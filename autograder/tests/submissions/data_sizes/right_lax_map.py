# right: one group after the other, in a loop of the program's own; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    def of_one(k):
        rows = group == k
        return rows.astype(counts.dtype) @ counts / jnp.maximum(rows.sum(), 1)

    return jax.lax.map(of_one, jnp.arange(n_groups))
