# wrong: another jitted function for each number of groups; exercise: data_sizes_groups; must fail: compilations; says: the task asks for one
from functools import lru_cache


@lru_cache
def means_of(n_groups):
    @jax.jit
    def means(counts, group):
        totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
        leaves = jnp.bincount(group, length=n_groups)
        return totals / jnp.maximum(leaves, 1)[:, None]

    return means


def group_means(counts, group, n_groups):
    return means_of(n_groups)(counts, group)
