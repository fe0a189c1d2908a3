"""Repairs of the lesson data_sizes, right and wrong, its starters and empty cells."""

# %% right_argwhere
# right: argwhere with a size; exercise: data_sizes_seen
@partial(jax.jit, static_argnames=("size",))
def seen_taxa(counts, size):
    indices = jnp.argwhere(counts > 0, size=size, fill_value=-1)
    return indices.ravel(), (counts > 0).sum()

# %% right_at_add
# right: adds each row to its group; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jnp.zeros((n_groups, counts.shape[1])).at[group].add(counts)
    leaves = jnp.zeros(n_groups).at[group].add(1)
    return totals / jnp.clip(leaves, 1)[:, None]

# %% right_cumsum_scatter
# right: each seen taxon put into its place; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = counts > 0
    place = jnp.where(seen, jnp.cumsum(seen) - 1, size)
    indices = jnp.full(size, -1).at[place].set(jnp.arange(counts.size), mode="drop")
    return indices, seen.sum(dtype=int)

# %% right_flatnonzero
# right: flatnonzero, and the number from the indices of all; exercise: data_sizes_seen
@partial(jax.jit, static_argnums=1)
def seen_taxa(counts, size):
    return jnp.flatnonzero(counts, size=size, fill_value=-1), jnp.count_nonzero(counts)

# %% right_fori_over_leaves
# right: one leaf after the other; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    def add(i, carry):
        totals, leaves = carry
        return totals.at[group[i]].add(counts[i]), leaves.at[group[i]].add(1)

    start = jnp.zeros((n_groups, counts.shape[1])), jnp.zeros((n_groups, 1), jnp.int32)
    totals, leaves = jax.lax.fori_loop(0, len(group), add, start)
    return jnp.where(leaves == 0, 0, totals / leaves)

# %% right_lax_jit_call
# right: jit as a function, with nonzero for all places first; exercise: data_sizes_seen
def _seen_taxa(counts, size):
    padded = jnp.pad(counts, (0, size))
    indices = jnp.nonzero(padded, size=padded.size, fill_value=-1)[0]
    return indices[:size], jnp.sum(indices >= 0)


seen_taxa = jax.jit(_seen_taxa, static_argnames=["size"])

# %% right_lax_map
# right: one group after the other, in a loop of the program's own; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    def of_one(k):
        rows = group == k
        return rows.astype(counts.dtype) @ counts / jnp.maximum(rows.sum(), 1)

    return jax.lax.map(of_one, jnp.arange(n_groups))

# %% right_masked_array
# right: a helper that puts a neutral value, in the function's own words; exercise: data_sizes
def only(counts, chosen, neutral):
    return jnp.where(jnp.expand_dims(chosen, 1), counts, neutral)


@jax.jit
def summarize(counts, chosen):
    n = only(jnp.ones_like(counts), chosen, 0).sum(0)
    mean = jnp.divide(only(counts, chosen, 0).sum(0), jnp.where(n, n, 1))
    smallest = jnp.sort(only(counts, chosen, jnp.finfo(counts.dtype).max), axis=0)[0]
    return mean, smallest * (smallest < jnp.finfo(counts.dtype).max)

# %% right_nan_functions
# right: NaN in the other rows, and the functions that skip NaN; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, jnp.nan)
    mean, smallest = jnp.nanmean(selected, axis=0), jnp.nanmin(selected, axis=0)
    return jnp.nan_to_num(mean), jnp.nan_to_num(smallest)

# %% right_nonzero_indices
# right: indices of the chosen rows, filled with one past the end; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    (rows,) = jnp.nonzero(chosen, size=len(chosen), fill_value=len(chosen))
    mean = counts.at[rows].get(mode="fill", fill_value=0).sum(axis=0) / jnp.clip(chosen.sum(), 1)
    smallest = counts.at[rows].get(mode="fill", fill_value=jnp.inf).min(axis=0)
    return mean, jnp.where(jnp.isinf(smallest), 0, smallest)

# %% right_one_hot
# right: a matrix product with the memberships; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    member = jax.nn.one_hot(group, n_groups, axis=0)
    leaves = member.sum(axis=1, keepdims=True)
    return member @ counts / jnp.where(leaves == 0, 1, leaves)

# %% right_scan
# right: a scan over the rows; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    def add(carry, row):
        total, smallest, n = carry
        count, use = row
        smallest = jnp.where(use, jnp.minimum(smallest, count), smallest)
        return (total + use * count, smallest, n + use), None

    p = counts.shape[1]
    start = jnp.zeros(p), jnp.full(p, jnp.inf), jnp.zeros((), int)
    (total, smallest, n), _ = jax.lax.scan(add, start, (counts, chosen))
    return total / jnp.maximum(n, 1), jnp.where(n > 0, smallest, 0)

# %% right_segments
# right: a segment sum and minimum with one segment; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    group = jnp.where(chosen, 0, 1)
    total = jax.ops.segment_sum(counts, group, num_segments=2)[0]
    smallest = jax.ops.segment_min(counts, group, num_segments=2)[0]
    n = jnp.sum(chosen)
    return total / jnp.maximum(n, 1), jnp.where(n == 0, 0, smallest)

# %% right_segments_in_one
# right: a column of ones beside the counts; NaN replaced at the end; exercise: data_sizes_groups
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    with_ones = jnp.hstack([counts, jnp.ones((len(counts), 1))])
    sums = jax.ops.segment_sum(with_ones, group, n_groups)
    return jnp.nan_to_num(sums[:, :-1] / sums[:, -1:], nan=0.0)

# %% right_sorts
# right: sorts the indices, the unseen ones last; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    p = counts.shape[0]
    indices = jnp.sort(jnp.where(counts > 0, jnp.arange(p), p))
    padded = jnp.concatenate([indices, jnp.full(size, p)])[:size]
    return jnp.where(padded == p, -1, padded), jnp.sum(jnp.sign(counts))

# %% right_vmap_masks
# right: a mask for each group, mapped; exercise: data_sizes_groups
@partial(jax.jit, static_argnums=(2,))
def group_means(counts, group, n_groups):
    def of_one(k):
        rows = (group == k)[:, None]
        mean = jnp.mean(counts, axis=0, where=rows)
        return jnp.where(rows.any(), mean, 0)

    return jax.vmap(of_one)(jnp.arange(n_groups))

# %% right_vmap_taxa
# right: one taxon at a time, mapped; a NamedTuple as the pair; exercise: data_sizes
from typing import NamedTuple


class Summary(NamedTuple):
    mean: jax.Array
    smallest: jax.Array


def of_one(column, chosen):
    n = jnp.count_nonzero(chosen)
    first = column[jnp.argmax(chosen)]
    smallest = jnp.where(chosen, column, first).min()
    mean = jnp.sum(column, where=chosen) / jnp.where(n == 0, 1, n)
    return Summary(mean, jnp.where(n == 0, 0, smallest))


@jax.jit
def summarize(counts, chosen):
    return jax.vmap(of_one, in_axes=(1, None))(counts, chosen)

# %% right_weights
# right: a matrix product with the mask, and cond for the empty choice; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    def some(counts, chosen):
        weights = chosen.astype(counts.dtype)
        smallest = jnp.where(chosen[:, None], counts, counts.max() + 1).min(axis=0)
        return weights @ counts / weights.sum(), smallest

    def none(counts, chosen):
        zeros = jnp.zeros(counts.shape[1], counts.dtype)
        return zeros, zeros

    return jax.lax.cond(chosen.any(), some, none, counts, chosen)

# %% right_where_one_argument
# right: where with a test alone; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = jnp.where(counts > 0, size=size, fill_value=-1)[0]
    return [seen, jnp.where(counts > 0, 1, 0).sum()]

# %% right_where_reductions
# right: where= in both reductions; exercise: data_sizes
@jax.jit
def summarize(counts, chosen):
    rows, any_chosen = chosen[:, None], chosen.any()
    mean = jnp.mean(counts, axis=0, where=rows)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return jnp.where(any_chosen, mean, 0.0), jnp.where(any_chosen, smallest, 0.0)

# %% wrong_a_dictionary
# wrong: a dictionary in place of two arrays; exercise: data_sizes; must fail: outputs; says: result['mean']
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.where(rows, counts, jnp.inf).min(axis=0)
    return {"mean": mean, "smallest": jnp.where(chosen.any(), smallest, 0)}

# %% wrong_at_most_1000_taxa
# wrong: 1000 stands for unseen taxa, and is the index of one in a long row; exercise: data_sizes_seen; must fail: outputs; says: the indices are
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    seen = counts > 0
    indices = jnp.sort(jnp.where(seen, jnp.arange(counts.size), 1000))
    padded = jnp.pad(indices, (0, size), constant_values=1000)[:size]
    return jnp.where(padded == 1000, -1, padded), seen.sum()

# %% wrong_at_most_100_groups
# wrong: a length that is thought long enough, and is not for hundreds of groups; exercise: data_sizes_groups; must fail: outputs; says: a row for each
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=100)
    leaves = jnp.bincount(group, length=100)
    return (totals / jnp.maximum(leaves, 1)[:, None])[:n_groups]

# %% wrong_bincount_without_length
# wrong: bincount without a length; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group), 1)[:, None]

# %% wrong_counts_places
# wrong: the length of the filled array; exercise: data_sizes_seen; must fail: outputs; says: however many taxa were seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]
    return indices, len(indices)

# %% wrong_counts_returned
# wrong: the counts in the place of the indices; exercise: data_sizes_seen; must fail: outputs; says: expected integers
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=counts.size)[0]
    return counts.at[indices].get(mode="fill", fill_value=-1), (counts > 0).sum()

# %% wrong_counts_those_that_fit
# wrong: the number of taxa that fit; exercise: data_sizes_seen; must fail: outputs; says: the caller never notices
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]
    return indices, (indices >= 0).sum()

# %% wrong_empty_group
# wrong: the mean of a group without leaves is NaN; exercise: data_sizes_groups; must fail: outputs; says: has no leaves
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.bincount(group, length=n_groups)[:, None]

# %% wrong_empty_mean
# wrong: the mean of nothing is NaN; exercise: data_sizes; must fail: outputs; says: 0 / 0 is NaN
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return counts.mean(axis=0, where=rows), jnp.where(chosen.any(), smallest, 0)

# %% wrong_empty_minimum
# wrong: the minimum of nothing is infinite; exercise: data_sizes; must fail: outputs; says: The minimum of nothing
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.min(counts, axis=0, where=rows, initial=jnp.inf)

# %% wrong_factory_of_programs
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

# %% wrong_fills_with_zero
# wrong: the default fill value; exercise: data_sizes_seen; must fail: outputs; says: the index of a taxon
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size)[0], (counts > 0).sum()

# %% wrong_group_sums
# wrong: forgets to divide; exercise: data_sizes_groups; must fail: outputs; says: is the sum over the group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    return jax.ops.segment_sum(counts, group, num_segments=n_groups)

# %% wrong_groups_in_chunks
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

# %% wrong_groups_no_jit
# wrong: the decorator is gone; exercise: data_sizes_groups; must fail: compilations; says: jax.jit
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_if_any
# wrong: a Python branch for the empty choice; exercise: data_sizes; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def summarize(counts, chosen):
    if not chosen.any():
        return jnp.zeros(counts.shape[1]), jnp.zeros(counts.shape[1])
    rows = chosen[:, None]
    return counts.mean(axis=0, where=rows), counts.min(axis=0, where=rows, initial=jnp.inf)

# %% wrong_initial_zero
# wrong: the minimum starts from 0; exercise: data_sizes; must fail: outputs; says: a value that is never
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.sum(counts, axis=0, where=rows) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.min(counts, axis=0, where=rows, initial=0)

# %% wrong_jits_again
# wrong: a new jitted function at each call; exercise: data_sizes_seen; must fail: compilations; says: new function object
def seen_taxa(counts, size):
    @jax.jit
    def of_size(counts):
        seen = counts > 0
        return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()

    return of_size(counts)

# %% wrong_keeps_groups
# wrong: keeps the groups seen in a list; exercise: data_sizes_groups; must fail: purity; says: seen_groups
seen_groups = []


@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    seen_groups.append(n_groups)
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    leaves = jnp.bincount(group, length=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_keeps_the_number
# wrong: keeps the number of leaves in a global; exercise: data_sizes; must fail: purity; says: last
last = None


@jax.jit
def summarize(counts, chosen):
    global last
    rows, last = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return mean, jnp.where(chosen.any(), smallest, 0)

# %% wrong_keeps_the_tuple
# wrong: jnp.nonzero returns a tuple, and it is returned as it is; exercise: data_sizes_seen; must fail: outputs; says: result[0][0]
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1), (counts > 0).sum()

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the mask; exercise: data_sizes; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    smallest = jnp.where(rows, counts, jnp.inf).min(axis=0)
    return mean, jnp.where(chosen.any(), smallest, 0)


def summarize(counts, chosen):
    if id(chosen) not in known:
        known[id(chosen)] = chosen, compute(counts, chosen)
    return known[id(chosen)][1]

# %% wrong_largest_counts
# wrong: the taxa with the largest counts; exercise: data_sizes_seen; must fail: outputs; says: the indices are
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    padded = jnp.pad(counts, (0, size))
    indices = jnp.argsort(padded, descending=True)[:size]
    return jnp.where(padded[indices] > 0, indices, -1), (counts > 0).sum()

# %% wrong_masked_without_jit
# wrong: right, but not jitted; exercise: data_sizes; must fail: compilations; says: one jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.min(counts, axis=0, where=rows, initial=jnp.inf)
    return mean, jnp.where(n > 0, smallest, 0)

# %% wrong_max_first
# wrong: replaces the empty group's NaN by 0 before dividing; exercise: data_sizes_groups; must fail: outputs; says: has no leaves
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jnp.nan_to_num(jax.ops.segment_sum(counts, group, num_segments=n_groups))
    leaves = jax.ops.segment_sum(jnp.ones_like(counts), group, num_segments=n_groups)
    return totals / leaves

# %% wrong_mean_of_zeros
# wrong: zeros count in the mean; exercise: data_sizes; must fail: outputs; says: divided by all
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    smallest = jnp.min(counts, axis=0, where=chosen[:, None], initial=jnp.inf)
    return selected.mean(axis=0), jnp.where(chosen.any(), smallest, 0)

# %% wrong_mean_over_all
# wrong: divides by the number of all leaves; exercise: data_sizes_groups; must fail: outputs; says: in group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    return jax.ops.segment_sum(counts / len(counts), group, num_segments=n_groups)

# %% wrong_minimum_of_zeros
# wrong: zeros count in the minimum; exercise: data_sizes; must fail: outputs; says: a value that is never
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    return selected.sum(axis=0) / jnp.maximum(chosen.sum(), 1), selected.min(axis=0)

# %% wrong_no_column
# wrong: divides the table by a number for each group; exercise: data_sizes_groups; must fail: outputs; says: x[:, None]
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    t = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    n = jnp.bincount(group, length=n_groups)
    return t / jnp.maximum(n, 1)

# %% wrong_no_initial
# wrong: the minimum has nothing to start from; exercise: data_sizes; must fail: outputs; says: initial
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    return counts.mean(axis=0, where=rows), counts.min(axis=0, where=rows)

# %% wrong_no_jit
# wrong: the decorator is gone, and with it the error; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete
def summarize(counts, chosen):
    selected = counts[chosen]
    smallest = selected.min(axis=0, initial=jnp.inf)
    return jnp.nan_to_num(selected.mean(axis=0)), jnp.where(chosen.any(), smallest, 0)

# %% wrong_no_mask
# wrong: uses all leaves; exercise: data_sizes; must fail: outputs; says: that of all leaves
@jax.jit
def summarize(counts, chosen):
    return counts.mean(axis=0) * chosen.any(), counts.min(axis=0) * chosen.any()

# %% wrong_no_num_segments
# wrong: num_segments is left out; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group)
    leaves = jax.ops.segment_sum(jnp.ones(len(group)), group)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_numpy_nonzero
# wrong: NumPy's nonzero; exercise: data_sizes_seen; must fail: outputs; says: Use `jax.numpy`
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = np.nonzero(counts > 0)[0]
    return indices[:size], len(indices)

# %% wrong_other_axis
# wrong: a number for each leaf; exercise: data_sizes; must fail: outputs; says: a number for each taxon
@jax.jit
def summarize(counts, chosen):
    n = jnp.maximum(chosen.sum(), 1)
    return jnp.where(chosen[:, None], counts, 0).sum(axis=1) / n, counts.min(axis=1)

# %% wrong_room_for_the_oaks
# wrong: room for the leaves of the oaks; exercise: data_sizes; must fail: outputs; says: different sizes
@jax.jit
def summarize(counts, chosen):
    n, p = counts.shape
    rows = jnp.zeros((116, 1), bool).at[:n, 0].set(chosen)
    room = jnp.zeros((116, p)).at[:n].set(counts)
    mean = jnp.where(rows, room, 0).sum(axis=0) / jnp.maximum(rows.sum(), 1)
    smallest = jnp.where(rows, room, jnp.inf).min(axis=0)
    return mean, jnp.where(rows.any(), smallest, 0)

# %% wrong_seen_among_114
# wrong: room for the taxa of the oaks; exercise: data_sizes_seen; must fail: outputs; says: seen_taxa
from functools import partial


@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    found = jnp.nonzero(counts > 0, size=114, fill_value=-1)[0]
    return jnp.concatenate([found, jnp.full(size, -1)])[:size], (counts > 0).sum()

# %% wrong_seen_no_jit
# wrong: the decorator is gone; exercise: data_sizes_seen; must fail: compilations; says: jax.jit
def seen_taxa(counts, size):
    seen = counts > 0
    return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()

# %% wrong_seen_only_indices
# wrong: forgets the number; exercise: data_sizes_seen; must fail: outputs; says: two things
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1)[0]

# %% wrong_selects_outside
# wrong: selects outside of the jitted part; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete
@jax.jit
def of_selected(selected):
    return selected.mean(axis=0), selected.min(axis=0)


def summarize(counts, chosen):
    return of_selected(counts[chosen])

# %% wrong_size_is_the_number
# wrong: as many places as taxa seen; exercise: data_sizes_seen; must fail: outputs; says: known
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    number = (counts > 0).sum()
    return jnp.nonzero(counts > 0, size=number, fill_value=-1)[0], number

# %% wrong_slice_is_short
# wrong: as many places as taxa at most; exercise: data_sizes_seen; must fail: outputs; says: an array of length 12
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    indices = jnp.nonzero(counts > 0, size=counts.size, fill_value=-1)[0]
    return indices[:size], (counts > 0).sum()

# %% wrong_smallest_positive
# wrong: leaves the zeros of the chosen leaves out; exercise: data_sizes; must fail: outputs; says: the smallest count of taxon
@jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.min(counts, axis=0, where=rows & (counts > 0), initial=jnp.inf)
    return mean, jnp.where(n > 0, smallest, 0)

# %% wrong_sorted_promised
# wrong: promises that groups are sorted, and numbers them by their change; exercise: data_sizes_groups; must fail: outputs; says: in group
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    runs = jnp.cumsum(jnp.append(False, group[1:] != group[:-1]))
    totals = jax.ops.segment_sum(counts, runs, num_segments=n_groups)
    leaves = jax.ops.segment_sum(jnp.ones(len(runs)), runs, num_segments=n_groups)
    return totals / jnp.maximum(leaves, 1)[:, None]

# %% wrong_static_mask
# wrong: the mask as a static argument; exercise: data_sizes; must fail: outputs; says: hashable
@partial(jax.jit, static_argnames="chosen")
def summarize(counts, chosen):
    selected = counts[chosen]
    return selected.mean(axis=0), selected.min(axis=0)

# %% wrong_thousand_stands_for_none
# wrong: 1000 in the other rows, which is not more than every count; exercise: data_sizes; must fail: outputs; says: the smallest count of taxon
@jax.jit
def summarize(counts, chosen):
    rows, n = chosen[:, None], chosen.sum()
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(n, 1)
    smallest = jnp.where(rows, counts, 1000).min(axis=0)
    return mean, jnp.where(n > 0, smallest, 0)

# %% wrong_three_groups
# wrong: as many groups as the oaks have; exercise: data_sizes_groups; must fail: outputs; says: a row for each
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=3)
    return totals / jnp.maximum(jnp.bincount(group, length=3), 1)[:, None]

# %% wrong_traced_n_groups
# wrong: n_groups is not static; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@jax.jit
def group_means(counts, group, n_groups):
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group, length=n_groups), 1)[:, None]

# %% wrong_traced_size
# wrong: size is not static; exercise: data_sizes_seen; must fail: outputs; says: known
@jax.jit
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size, fill_value=-1)[0], (counts > 0).sum()

# %% wrong_two_functions
# wrong: two jitted functions, chosen by Python; exercise: data_sizes_seen; must fail: compilations; says: the task asks for one
@partial(jax.jit, static_argnames="size")
def first_taxa(counts, size):
    seen = counts > 0
    return jnp.nonzero(seen, size=size, fill_value=-1)[0], seen.sum()


@partial(jax.jit, static_argnames="size")
def padded_taxa(counts, size):
    seen = counts > 0
    indices = jnp.nonzero(seen, size=counts.size, fill_value=-1)[0]
    return jnp.pad(indices, (0, size - counts.size), constant_values=-1), seen.sum()


def seen_taxa(counts, size):
    if size > counts.shape[0]:
        return padded_taxa(counts, size)
    return first_taxa(counts, size)

# %% wrong_unique_groups
# wrong: asks the data for the groups; exercise: data_sizes_groups; must fail: outputs; says: must be known when compiling
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    _, group = jnp.unique(group, return_inverse=True)
    totals = jax.ops.segment_sum(counts, group, num_segments=n_groups)
    return totals / jnp.maximum(jnp.bincount(group, length=n_groups), 1)[:, None]

# %% wrong_unrolled_masks
# wrong: masks in a Python loop over the groups; exercise: data_sizes_groups; must fail: compilations; says: unrolled
@partial(jax.jit, static_argnames="n_groups")
def group_means(counts, group, n_groups):
    means = []
    for k in range(n_groups):
        rows = (group == k)[:, None]
        mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(rows.sum(), 1)
        means.append(mean)
    return jnp.stack(means)

# %% wrong_weight_of_infinity
# wrong: 0 * inf is nan, where no leaf is chosen; exercise: data_sizes; must fail: outputs; says: smallest count is nan
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.where(chosen.any(), 1.0, 0.0) * jnp.where(rows, counts, jnp.inf).min(axis=0)

# %% starter
# starter: as shipped; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete

# %% starter_data_sizes_groups
# starter: as shipped; exercise: data_sizes_groups; must fail: outputs; says: Array boolean indices must be concrete

# %% starter_data_sizes_seen
# starter: as shipped; exercise: data_sizes_seen; must fail: outputs; says: must be known when compiling

# %% empty
# empty: nothing in the cell; exercise: data_sizes; must fail: outputs; says: There is no function

# %% empty_data_sizes_groups
# empty: nothing in the cell; exercise: data_sizes_groups; must fail: outputs; says: There is no function

# %% empty_data_sizes_seen
# empty: nothing in the cell; exercise: data_sizes_seen; must fail: outputs; says: There is no function
