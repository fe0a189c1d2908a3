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

# %% starter
# starter: as shipped; exercise: static_reshape; must fail: outputs; says: Shapes must be 1D sequences of concrete values

# %% empty
# empty: nothing in the cell; exercise: static_reshape; must fail: outputs; says: There is no function
