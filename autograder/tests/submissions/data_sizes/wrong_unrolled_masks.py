# wrong: masks in a Python loop over the groups; exercise: data_sizes_groups; must fail: compilations; says: unrolled
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    means = []
    for k in range(n_groups):
        rows = (group == k)[:, None]
        mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(rows.sum(), 1)
        means.append(mean)
    return jnp.stack(means)
