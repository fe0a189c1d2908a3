"""Repairs of the lesson static_reshape, right and wrong, its starters and empty cells."""

# %% right_at_set
# right: fills a new array with at[].set; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    flat = jnp.zeros(counts.size, counts.dtype).at[:].set(counts.reshape(-1))
    return jnp.sort(flat / flat.sum(), descending=True)

# %% right_lax_sort
# right: lax.sort of the negated shares; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return -jax.lax.sort(-(counts / jnp.sum(counts)).reshape((-1,)))

# %% right_math_prod
# right: math.prod of the shape; exercise: static_reshape
import math


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(math.prod(counts.shape)))[::-1]

# %% right_minus_one
# right: -1; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% right_np_prod
# right: np.prod of the shape; exercise: static_reshape
import numpy as np


@jax.jit
def rank_abundance(counts):
    size = np.prod(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)

# %% right_shape_loop
# right: a Python loop over the axes; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    size = 1
    for n in counts.shape:
        size *= n
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)

# %% right_size
# right: x.size; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(counts.size))[::-1]

# %% right_argwhere
# right: argwhere with a size; exercise: data_sizes_seen
@partial(jax.jit, static_argnames=("size",))
def seen_taxa(counts, size):
    indices = jnp.argwhere(counts > 0, size=size, fill_value=-1)
    return indices.ravel(), (counts > 0).sum()

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

# %% right_lax_jit_call
# right: jit as a function, with nonzero for all places first; exercise: data_sizes_seen
def _seen_taxa(counts, size):
    padded = jnp.pad(counts, (0, size))
    indices = jnp.nonzero(padded, size=padded.size, fill_value=-1)[0]
    return indices[:size], jnp.sum(indices >= 0)


seen_taxa = jax.jit(_seen_taxa, static_argnames=["size"])

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

# %% right_sorts
# right: sorts the indices, the unseen ones last; exercise: data_sizes_seen
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    p = counts.shape[0]
    indices = jnp.sort(jnp.where(counts > 0, jnp.arange(p), p))
    padded = jnp.concatenate([indices, jnp.full(size, p)])[:size]
    return jnp.where(padded == p, -1, padded), jnp.sum(jnp.sign(counts))

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

# %% wrong_ascending
# wrong: smallest first; exercise: static_reshape; must fail: outputs; says: another order
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))

# %% wrong_chunks_of_a_row
# wrong: sorted in chunks of a hundred; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    shares = (counts / counts.sum()).reshape(-1)
    chunks = [jnp.sort(shares[i : i + 100])[::-1] for i in range(0, counts.size, 100)]
    return jnp.concatenate(chunks)

# %% wrong_counts_not_shares
# wrong: does not divide by the total; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% wrong_dictionary_of_shapes
# wrong: a jitted function for each shape, in a dictionary; exercise: static_reshape; must fail: compilations; says: the task asks for one
programs = {}


def rank_abundance(counts):
    if counts.shape not in programs:
        programs[counts.shape] = jax.jit(
            lambda table: jnp.sort((table / table.sum()).reshape(-1), descending=True)
        )
    return programs[counts.shape](counts)

# %% wrong_donates
# wrong: donates the caller's table; exercise: static_reshape; must fail: purity; says: donated
from functools import partial


@partial(jax.jit, donate_argnums=0)
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% wrong_eager_shares
# wrong: only the sort is jitted; exercise: static_reshape; must fail: compilations; says: Put the whole function under one jax.jit
@jax.jit
def sort(x):
    return jnp.sort(x.reshape(-1), descending=True)


def rank_abundance(counts):
    return sort(counts / counts.sum())

# %% wrong_first_axis_apart
# wrong: takes for granted that there is a second axis; exercise: static_reshape; must fail: outputs; says: tuple index out of range
@jax.jit
def rank_abundance(counts):
    rest = counts.size // counts.shape[0]
    rows = (counts / counts.sum()).reshape(counts.shape[0], -1)
    return jnp.sort(rows.reshape(counts.shape[0] * counts.shape[1] * (rest // counts.shape[1])))[
        ::-1
    ]

# %% wrong_hard_coded
# wrong: the size of one table; exercise: static_reshape; must fail: outputs; says: take the size from the array itself
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(12), descending=True)

# %% wrong_int_of_prod
# wrong: int() of a traced size; exercise: static_reshape; must fail: outputs; says: Nothing has to become static here
@jax.jit
def rank_abundance(counts):
    size = int(jnp.prod(jnp.array(counts.shape)))
    return jnp.sort((counts / counts.sum()).reshape(size), descending=True)

# %% wrong_jit_inside
# wrong: a new jitted lambda at each call; exercise: static_reshape; must fail: compilations; says: compiled again
def rank_abundance(counts):
    return jax.jit(lambda c: jnp.sort((c / c.sum()).reshape(-1), descending=True))(counts)

# %% wrong_keeps_a_tracer
# wrong: leaves the total in a global; exercise: static_reshape; must fail: purity; says: total
total = None


@jax.jit
def rank_abundance(counts):
    global total
    total = counts.sum()
    return jnp.sort((counts / total).reshape(-1), descending=True)

# %% wrong_kept_by_identity
# wrong: results kept by the identity of the table; exercise: static_reshape; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1))[::-1]


def rank_abundance(counts):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts)
    return known[id(counts)][1]

# %% wrong_log_shares
# wrong: sorts the logarithms, whose ties of zeros are NaN; exercise: static_reshape; must fail: outputs; says: NaN
@jax.jit
def rank_abundance(counts):
    logs = jnp.sort(jnp.log(counts.reshape(-1)))[::-1]
    return jnp.exp(logs - logs[-1]) / jnp.sum(jnp.exp(logs - logs[-1]))

# %% wrong_no_jit
# wrong: the decorator is gone; exercise: static_reshape; must fail: compilations; says: Put the whole function under one jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% wrong_not_flat
# wrong: keeps the table's shape; exercise: static_reshape; must fail: outputs; says: has shape (4, 3), expected (12,)
@jax.jit
def rank_abundance(counts):
    shares = counts / counts.sum()
    return jnp.sort(shares.reshape(-1), descending=True).reshape(counts.shape)

# %% wrong_numpy_sort
# wrong: np.sort on a tracer; exercise: static_reshape; must fail: outputs; says: Use `jax.numpy`
import numpy as np


@jax.jit
def rank_abundance(counts):
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]

# %% wrong_ratio_to_itself
# wrong: divides zero by zero where nothing was counted; exercise: static_reshape; must fail: outputs; says: NaN
@jax.jit
def rank_abundance(counts):
    shares = 1 / (counts.sum() / counts) * (counts / counts)
    return jnp.sort(shares.reshape(-1), descending=True)

# %% wrong_room_for_the_oaks
# wrong: room for the cells of the oaks; exercise: static_reshape; must fail: outputs; says: different sizes
@jax.jit
def rank_abundance(counts):
    cells = jnp.zeros(116 * 114).at[: counts.size].set((counts / counts.sum()).reshape(-1))
    return jnp.sort(cells)[::-1][: counts.size]

# %% wrong_shares_by_row
# wrong: divides by the totals of the rows; exercise: static_reshape; must fail: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum(-1, keepdims=True)).reshape(-1), descending=True)

# %% wrong_sorted
# wrong: Python's sorted; exercise: static_reshape; must fail: outputs; says: jnp.sort
@jax.jit
def rank_abundance(counts):
    shares = counts / counts.sum()
    return sorted(shares.reshape(-1), reverse=True)

# %% wrong_static_counts
# wrong: the table is static; exercise: static_reshape; must fail: outputs; says: must be hashable
@jax.jit(static_argnums=0)
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(jnp.prod(jnp.array(counts.shape))))[::-1]

# %% wrong_two_axes_only
# wrong: takes for granted that there are two axes; exercise: static_reshape; must fail: outputs; says: too many values to unpack
@jax.jit
def rank_abundance(counts):
    n, p = counts.shape
    return jnp.sort((counts / counts.sum()).reshape(n * p), descending=True)

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

# %% wrong_fills_with_zero
# wrong: the default fill value; exercise: data_sizes_seen; must fail: outputs; says: the index of a taxon
@partial(jax.jit, static_argnames="size")
def seen_taxa(counts, size):
    return jnp.nonzero(counts > 0, size=size)[0], (counts > 0).sum()

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

# %% wrong_kept_by_identity_of_taxa
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

# %% wrong_mean_of_zeros
# wrong: zeros count in the mean; exercise: data_sizes; must fail: outputs; says: divided by all
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    smallest = jnp.min(counts, axis=0, where=chosen[:, None], initial=jnp.inf)
    return selected.mean(axis=0), jnp.where(chosen.any(), smallest, 0)

# %% wrong_minimum_of_zeros
# wrong: zeros count in the minimum; exercise: data_sizes; must fail: outputs; says: a value that is never
@jax.jit
def summarize(counts, chosen):
    selected = jnp.where(chosen[:, None], counts, 0)
    return selected.sum(axis=0) / jnp.maximum(chosen.sum(), 1), selected.min(axis=0)

# %% wrong_no_initial
# wrong: the minimum has nothing to start from; exercise: data_sizes; must fail: outputs; says: initial
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    return counts.mean(axis=0, where=rows), counts.min(axis=0, where=rows)

# %% wrong_no_jit_of_taxa
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

# %% wrong_room_for_the_oaks_of_taxa
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

# %% wrong_weight_of_infinity
# wrong: 0 * inf is nan, where no leaf is chosen; exercise: data_sizes; must fail: outputs; says: smallest count is nan
@jax.jit
def summarize(counts, chosen):
    rows = chosen[:, None]
    mean = jnp.where(rows, counts, 0).sum(axis=0) / jnp.maximum(chosen.sum(), 1)
    return mean, jnp.where(chosen.any(), 1.0, 0.0) * jnp.where(rows, counts, jnp.inf).min(axis=0)

# %% starter
# starter: as shipped; exercise: static_reshape; must fail: outputs; says: Shapes must be 1D sequences of concrete values

# %% starter_data_sizes
# starter: as shipped; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete

# %% starter_data_sizes_seen
# starter: as shipped; exercise: data_sizes_seen; must fail: outputs; says: must be known when compiling

# %% empty
# empty: nothing in the cell; exercise: static_reshape; must fail: outputs; says: There is no function

# %% empty_data_sizes
# empty: nothing in the cell; exercise: data_sizes; must fail: outputs; says: There is no function

# %% empty_data_sizes_seen
# empty: nothing in the cell; exercise: data_sizes_seen; must fail: outputs; says: There is no function
