"""Functions compiled once a signature, with many kinds of arguments."""

# %% right_many_shapes
# verdict: right
# counts: 1 1 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A[:4],), (A[:2],), (A[2:],)]


@jax.jit
def entry(x):
    return jnp.cumsum(x)

# %% right_default_or_given
# verdict: right
# counts: 1 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A, 3), (A + 1, 3)]


@functools.partial(jax.jit, static_argnames="n")
def entry(x, n=2):
    return x**n

# %% right_device_put
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    return double(jax.device_put(x))

# %% right_dict_key_order
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [({"a": A, "b": A},), ({"b": A + 1, "a": A},)]


@jax.jit
def entry(d):
    return d["a"] - d["b"]

# %% right_donated
# verdict: right
# counts: 1 0 0
import functools

import jax
import jax.numpy as jnp

A = jnp.arange(6.0)
CALLS = [(A,), (A,), (A,)]


@functools.partial(jax.jit, donate_argnums=0)
def entry(x):
    return x + 1

# %% right_eval_shape_first
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
double = jax.jit(lambda x: 2 * x)


def entry(x):
    assert jax.eval_shape(double, x).shape == x.shape
    return double(x)

# %% right_keyword_always
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _scale(x, *, by):
    return x * by


def entry(x):
    return _scale(x, by=2.0)

# %% right_method_of_pytree
# verdict: right
# counts: 1 0
import dataclasses

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Model:
    scale: jax.Array

    @jax.jit
    def step(self, x):
        return x * self.scale


def entry(x):
    return Model(np.float32(2)).step(x)

# %% right_named_tuple_state
# verdict: right
# counts: 1 0
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class State(NamedTuple):
    x: jax.Array
    n: jax.Array


@jax.jit
def entry(x):
    def body(state, _):
        return State(state.x * 0.5, state.n + 1), None

    return jax.lax.scan(body, State(x, jnp.int32(0)), None, length=4)[0]

# %% right_none_always
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, None), (A + 1, None)]


@jax.jit
def entry(x, previous):
    return x if previous is None else x + previous

# %% right_numpy_or_jax
# verdict: right
# counts: 1 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (jnp.arange(6, dtype=jnp.float32),), (A,)]


@jax.jit
def entry(x):
    return 2 * x

# %% right_pad_to_bucket
# verdict: right
# budget: budget=1
# counts: 1 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(9, dtype=np.float32)
CALLS = [(A[:5],), (A[:8],), (A[:3],)]


@jax.jit
def masked_sum(x, mask):
    return jnp.sum(jnp.where(mask, x, 0))


def entry(x):
    n = x.shape[0]
    padded = np.zeros(16, np.float32)
    padded[:n] = x
    return masked_sum(padded, np.arange(16) < n)

# %% right_python_scalars
# verdict: right
# counts: 1 0 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2), (A, 0.3)]


@jax.jit
def entry(x, rate):
    return x - rate * x

# %% right_random_key
# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp

CALLS = [(jax.random.key(0),), (jax.random.key(1),)]


@jax.jit
def entry(key):
    return jax.random.normal(key, (3,), jnp.float32)

# %% right_static_frozen_dataclass
# verdict: right
# counts: 1 0
import dataclasses
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@dataclasses.dataclass(frozen=True)
class Options:
    n: int


@functools.partial(jax.jit, static_argnums=1)
def power(x, options):
    return x**options.n


def entry(x):
    return power(x, Options(2))

# %% right_static_function
# verdict: right
# counts: 1 0 1
import functools

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, jnp.sin), (A + 1, jnp.sin), (A, jnp.cos)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, function):
    return function(x)

# %% right_static_int
# verdict: right
# counts: 1 1 0 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 2), (A, 3), (A + 1, 3), (A, 2)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, n):
    return sum(x**i for i in range(n))

# %% right_static_self_with_eq
# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Scale:
    def __init__(self, by):
        self.by = by

    def __eq__(self, other):
        return self.by == other.by

    def __hash__(self):
        return hash(self.by)

    @functools.partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x * self.by


def entry(x):
    return Scale(2).apply(x)

# %% right_static_shape
# verdict: right
# counts: 1 0 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, (2, 3)), (A + 1, (2, 3)), (A, (3, 2))]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, shape):
    return x.reshape(shape)

# %% right_two_programs_allowed
# verdict: right
# budget: programs=2
# counts: 2 0 2
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


@jax.jit
def start(x):
    return jnp.zeros_like(x), x


@jax.jit
def fit(state):
    return jax.lax.fori_loop(0, 5, lambda _, s: (s[0] + s[1], s[1] * 0.5), state)


def entry(x):
    return fit(start(x))
