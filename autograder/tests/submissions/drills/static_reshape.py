"""Repairs of the drills of the lesson static_reshape."""

# %% starter_block_means
# starter: as given; exercise: block_means; must fail: outputs; says: Shapes must be

# %% right_block_means
# right: a decorator, by name; exercise: block_means
from functools import partial

@partial(jax.jit, static_argnames=("width",))
def block_means(x, width):
    return jnp.mean(jnp.reshape(x, (x.size // width, width)), 1)

# %% wrong_block_means_1
# wrong: the width of one call; exercise: block_means; must fail: outputs; says: shape
@jax.jit
def block_means(x, width):
    return x.reshape(-1, 3).mean(axis=1)

# %% wrong_block_means_2
# wrong: the other axis; exercise: block_means; must fail: outputs; says: block_means
from functools import partial

@partial(jax.jit, static_argnames="width")
def block_means(x, width):
    return x.reshape(-1, width).mean(axis=0)

# %% starter_list_groups
# starter: as given; exercise: list_groups; must fail: outputs; says: size

# %% right_list_groups
# right: sorted by hand; exercise: list_groups
@partial(jax.jit, static_argnums=1)
def list_groups(group, size):
    ordered = jnp.sort(group)
    new = jnp.concatenate([jnp.array([True]), ordered[1:] != ordered[:-1]])
    place = jnp.where(new, jnp.cumsum(new) - 1, size)
    return jnp.full(size, -1, group.dtype).at[place].set(ordered, mode="drop")

# %% wrong_list_groups_1
# wrong: filled up with the smallest; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    return jnp.unique(group, size=size)

# %% wrong_list_groups_2
# wrong: sorted, each as often as it occurs; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    ordered = jnp.sort(group)[:size]
    return jnp.pad(ordered, (0, size - len(ordered)), constant_values=-1)

# %% wrong_list_groups_3
# wrong: room for the leaves of the oaks; exercise: list_groups; must fail: outputs; says: list_groups
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    found = jnp.unique(group, size=116, fill_value=-1)
    return jnp.concatenate([found, jnp.full(size, -1, group.dtype)])[:size]

# %% starter_group_means
# starter: as shipped; exercise: group_means; must fail: outputs; says: Array boolean indices must be concrete

# %% right_group_means_1
# right: adds each row to its group; exercise: group_means
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jnp.zeros((n_groups, counts.shape[1])).at[group].add(counts)
    leaves = jnp.zeros(n_groups).at[group].add(1)
    return totals / jnp.clip(leaves, 1)[:, None]

# %% right_group_means_2
# right: one leaf after the other; exercise: group_means
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    def add(i, carry):
        totals, leaves = carry
        return totals.at[group[i]].add(counts[i]), leaves.at[group[i]].add(1)

    start = jnp.zeros((n_groups, counts.shape[1])), jnp.zeros((n_groups, 1), jnp.int32)
    totals, leaves = jax.lax.fori_loop(0, len(group), add, start)
    return jnp.where(leaves == 0, 0, totals / leaves)

# %% right_group_means_3
# right: a matrix product with the memberships; exercise: group_means
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    member = jax.nn.one_hot(group, n_groups, axis=0)
    leaves = member.sum(axis=1, keepdims=True)
    return member @ counts / jnp.where(leaves == 0, 1, leaves)

# %% right_group_means_4
# right: a mask for each group, mapped; exercise: group_means
@partial(jax.jit, static_argnums=(2,))
def group_means(counts, group, n_groups):
    def of_one(k):
        rows = (group == k)[:, None]
        mean = jnp.mean(counts, axis=0, where=rows)
        return jnp.where(rows.any(), mean, 0)

    return jax.vmap(of_one)(jnp.arange(n_groups))

# %% wrong_group_means_1
# wrong: a length that is thought long enough, and is not for hundreds of groups; exercise: group_means; must fail: outputs; says: a row for each
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=100)
    leaves = jnp.bincount(group, length=100)
    return (totals / jnp.maximum(leaves, 1)[:, None])[:n_groups]

# %% wrong_group_means_2
# wrong: the mean of a group without leaves is NaN; exercise: group_means; must fail: outputs; says: has no leaves
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.bincount(group, length=n_groups)[:, None]

# %% wrong_group_means_3
# wrong: another jitted function for each number of groups; exercise: group_means; must fail: compilations; says: the task asks for one
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

# %% wrong_group_means_4
# wrong: sums in chunks of a hundred groups, unrolled; exercise: group_means; must fail: compilations; says: grows
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

# %% wrong_group_means_5
# wrong: keeps the groups seen in a list; exercise: group_means; must fail: purity; says: seen_groups
seen_groups = []


@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    seen_groups.append(n_groups)
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_group_means_6
# wrong: promises that groups are sorted, and numbers them by their change; exercise: group_means; must fail: outputs; says: in group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    runs = jnp.cumsum(jnp.append(False, group[1:] != group[:-1]))
    totals = jax.ops.segment_sum(counts, runs, num_segments=n_groups)
    leaves = jax.ops.segment_sum(jnp.ones(len(runs)), runs, num_segments=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_group_means_7
# wrong: n_groups is not static; exercise: group_means; must fail: outputs; says: must be known when compiling
@jax.jit
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group, length=n_groups), 1)[:, None]
# %% wrong_list_groups_bincount
# wrong: a place for as many numbers as there are entries; exercise: list_groups; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="size")
def list_groups(group, size):
    how_often = jnp.bincount(group, length=group.size)
    return jnp.nonzero(how_often, size=size, fill_value=-1)[0]
