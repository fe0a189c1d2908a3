"""Repairs of the drills of the lesson tracing."""

# %% starter_log_counts
# starter: as given; exercise: log_counts; must fail: outputs; says: TracerArrayConversionError

# %% right_log_counts
# right: log1p, jitted later; exercise: log_counts
def log_them(counts):
    return jnp.log1p(counts)

log_counts = jax.jit(log_them)

# %% wrong_log_counts_1
# wrong: no jit, NumPy; exercise: log_counts; must fail: outputs; says: TracerArrayConversionError
import numpy as np

def log_counts(counts):
    return np.log(counts + 1)

# %% wrong_log_counts_2
# wrong: no jit; exercise: log_counts; must fail: compilations; says: jit
def log_counts(counts):
    return jnp.log(counts + 1)

# %% wrong_log_counts_3
# wrong: zeros left out; exercise: log_counts; must fail: outputs; says: log_counts
@jax.jit
def log_counts(counts):
    return jnp.where(counts > 0, jnp.log(counts), 0.0)

# %% starter_largest_share
# starter: as given; exercise: largest_share; must fail: outputs; says: ConcretizationTypeError

# %% right_largest_share
# right: the largest count first; exercise: largest_share
@jax.jit
def largest_share(counts):
    return counts.max() / counts.sum()

# %% wrong_largest_share_1
# wrong: jit taken away; exercise: largest_share; must fail: outputs; says: float
def largest_share(counts):
    return float(jnp.max(counts / counts.sum()))

# %% wrong_largest_share_2
# wrong: an axis is left; exercise: largest_share; must fail: outputs; says: shape
@jax.jit
def largest_share(counts):
    return jnp.max(counts / counts.sum(), keepdims=True)

# %% starter_add_offset
# starter: as given; exercise: add_offset; must fail: purity; says: current_offset

# %% right_add_offset
# right: two functions, the offset as an argument; exercise: add_offset
@jax.jit
def add(logs, offset):
    return logs + offset

@jax.jit
def add_offset(counts, offset):
    return add(jnp.log1p(counts), offset)

# %% wrong_add_offset_1
# wrong: the offset as a static argument; exercise: add_offset; must fail: outputs; says: ConcretizationTypeError
import functools

@functools.partial(jax.jit, static_argnames="offset")
def add(counts, offset):
    return jnp.log(counts + 1) + offset

def add_offset(counts, offset):
    return add(counts, float(offset))

# %% wrong_add_offset_2
# wrong: the offset added before the logarithm; exercise: add_offset; must fail: outputs; says: add_offset
@jax.jit
def add_offset(counts, offset):
    return jnp.log(counts + 1 + offset)

# %% wrong_largest_share_3
# wrong: room for a few numbers; exercise: largest_share; must fail: outputs; says: different sizes
@jax.jit
def largest_share(counts):
    room = jnp.zeros(100).at[: counts.size].set(counts.ravel())
    return jnp.max(room / room.sum())
