"""Functions that compile too often, for new dtypes, shapes, weak types or structures."""

# %% wrong_growing_shape
# verdict: wrong (too-many-compilations)
# counts: 3 0
# says: new shape
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return jnp.sum(x)


def entry(x):
    return [total(x[:n]) for n in (2, 4, 6)]

# %% wrong_dtype_flip
# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: new dtype
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    return double(x), double(x.astype("int32"))

# %% wrong_flag_toggled
# verdict: wrong (too-many-compilations)
# counts: 2 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnames="negate")
def worker(x, negate):
    return -x if negate else x


def entry(x):
    return worker(worker(x, negate=True), negate=False)

# %% wrong_int_then_float
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def scale(x, by):
    return x * by


def entry(x):
    return scale(x, 1), scale(x, 1.0)

# %% wrong_jnp_full_weak
# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: weak
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, state):
    return state + x


def entry(x):
    state = jnp.full(x.shape, 0.0)
    for _ in range(3):
        state = step(x, state)
    return state

# %% wrong_keys_vary
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(parts):
    return sum(parts.values())


def entry(x):
    return total({"a": x, "b": x}), total({"a": x, "c": x})

# %% wrong_keyword_order
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def affine(x, scale, shift):
    return x * scale + shift


def entry(x):
    one = affine(x, scale=2.0, shift=1.0)
    two = affine(x, shift=1.0, scale=2.0)
    three = affine(x, 2.0, 1.0)
    return one, two, three

# %% wrong_list_lengths
# verdict: wrong (too-many-compilations)
# counts: 3 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def add(parts):
    return sum(parts)


def entry(x):
    history = []
    for _ in range(3):
        history.append(x)
        x = add(history)
    return x

# %% wrong_none_or_array
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, previous):
    return x if previous is None else 0.5 * (x + previous)


def entry(x):
    return step(x, step(x, None))

# %% wrong_numpy_scalar_then_python
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def scale(x, by):
    return x * by


def entry(x):
    return scale(scale(x, np.float64(0.5)), 0.5)

# %% wrong_ordered_dict_order
# verdict: wrong (compiled-again)
# counts: 1 1 0
from collections import OrderedDict
from itertools import cycle

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
orders = cycle(["ab", "ba"])


@jax.jit
def add(parts):
    return parts["a"] + parts["b"]


def entry(x):
    return add(OrderedDict((key, x) for key in next(orders)))

# %% wrong_placement_flips
# verdict: wrong (compiled-again)
# counts: 1 1 0
# says: sharding
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
seen = []


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    seen.append(1)
    return double(jax.device_put(x, jax.devices()[0]) if len(seen) % 2 else x)

# %% wrong_position_then_keyword
# verdict: wrong (too-many-compilations)
# counts: 2 0
# says: by position and by keyword
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def scale(x, by):
    return x * by


def entry(x):
    one = scale(x, 2.0)
    two = scale(x, by=2.0)
    return one, two

# %% wrong_structure_changes
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(state):
    return {**state, "m": state["x"] * 0.1}


def entry(x):
    state = {"x": x}
    for _ in range(3):
        state = step(state)
    return state

# %% wrong_tuple_or_list
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def add(pair):
    return pair[0] + pair[1]


def entry(x):
    return add((x, x)), add([x, x])

# %% wrong_weak_type_inside
# verdict: wrong (too-many-compilations)
# counts: 2 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def step(x, state):
    return state * 0.5 + jnp.sum(x)


def entry(x):
    state = 0.0
    for _ in range(2):
        state = step(x, state)
    return state
