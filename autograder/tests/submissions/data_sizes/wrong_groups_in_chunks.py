# wrong: sums in chunks of a hundred groups, unrolled; exercise: data_sizes_groups; must fail: compilations; says: grows
from functools import partial


@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    means = []
    for first in range(0, n_groups, 10):
        inside = (group >= first) & (group < first + 10)
        at = jnp.where(inside, group - first, 10)
        sums = jax.ops.segment_sum(counts, at, num_segments=11)[:10]
        leaves = jax.ops.segment_sum(jnp.ones(len(group)), at, num_segments=11)[:10]
        means.append(sums / jnp.maximum(leaves, 1)[:, None])
    return jnp.concatenate(means)[:n_groups]
