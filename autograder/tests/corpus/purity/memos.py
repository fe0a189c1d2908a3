"""Functions that remember results: pure ones by static values or within the call, and others."""

# %% lru_cache_arrays
# impure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache
def table(n):
    return jnp.arange(n) * 2.0


def f(x):
    return x * table(x.shape[0])

# %% lru_cache_by_shape
# impure: array-memoised, line 26
import jax
import jax.numpy as jnp
import numpy as np

import functools


class Arg:
    def __init__(self, v):
        self.v = v

    def __hash__(self):
        return hash(self.v.shape)

    def __eq__(self, other):
        return self.v.shape == other.v.shape


@functools.lru_cache
def double(a):
    return np.asarray(a.v) * 2


def f(x):
    return double(Arg(x))

# %% default_dict_memo
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np


def f(x, cache={}):
    key = id(x)
    if key not in cache:
        cache[key] = x * 2
    return cache[key]

# %% id_memo
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    return cache.setdefault(id(x), x * 2)

# %% memo_by_shape
# impure, line 11
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    if x.shape not in cache:
        cache[x.shape] = x * 2
    return cache[x.shape]

# %% memo_by_shape_warm
# impure
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    if x.shape not in cache:
        cache[x.shape] = x * 2
    return cache[x.shape]


f(jnp.arange(3.0))

# %% memo_bytes
# impure, line 12
import jax
import jax.numpy as jnp
import numpy as np

cache = {}


def f(x):
    key = np.asarray(x).tobytes()
    if key not in cache:
        cache[key] = x * 2
    return cache[key]

# %% memo_decorator_hash
# impure, line 13
import jax
import jax.numpy as jnp
import numpy as np


def memo(fn):
    cache = {}

    def wrapper(x):
        key = x.shape, str(x.dtype)
        if key not in cache:
            cache[key] = fn(x)
        return cache[key]

    return wrapper


@memo
def f(x):
    return x**2

# %% lru_static
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache(maxsize=None)
def offsets(n):
    return tuple(i * 2 for i in range(n))


def f(x):
    return x + jnp.array(offsets(x.shape[0]))

# %% lru_numpy
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache
def grid(n):
    return np.linspace(0, 1, n)


@jax.jit
def f(x):
    return x * grid(x.shape[0])

# %% static_memo
# pure
import jax
import jax.numpy as jnp
import numpy as np

shapes = {}


def f(x):
    n = x.shape[0]
    if n not in shapes:
        shapes[n] = np.arange(n)
    return x * shapes[n]

# %% static_memo_warm
# pure
import jax
import jax.numpy as jnp
import numpy as np

shapes = {}


def f(x):
    n = x.shape[0]
    if n not in shapes:
        shapes[n] = tuple(range(n))
    return x * jnp.array(shapes[n])


f(jnp.arange(3.0))

# %% memo_jitted_functions
# pure
import jax
import jax.numpy as jnp
import numpy as np

compiled = {}


def power(n):
    if n not in compiled:
        compiled[n] = jax.jit(lambda x: x**n)
    return compiled[n]


def f(x):
    return power(3)(x)

# %% jitted_by_name
# pure
import jax
import jax.numpy as jnp
import numpy as np

_jits = {}


def get(name):
    return _jits.setdefault(name, jax.jit(getattr(jnp, name)))


def f(x):
    return get("sin")(x)

# %% lazy_table
# pure
import jax
import jax.numpy as jnp
import numpy as np

_table = None


def table():
    global _table
    if _table is None:
        _table = np.linspace(0, 1, 3)
    return _table


def f(x):
    return x * table()

# %% registry
# pure
import jax
import jax.numpy as jnp
import numpy as np

ACTIVATIONS = {}


def register(fn):
    ACTIVATIONS[fn.__name__] = fn
    return fn


@register
def relu(x):
    return jnp.maximum(x, 0)


@register
def square(x):
    return x * x


def f(x):
    return ACTIVATIONS["relu"](x) + ACTIVATIONS["square"](x)

# %% constant_eval
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.lru_cache
def basis(n):
    with jax.ensure_compile_time_eval():
        return jnp.eye(n)


@jax.jit
def f(x):
    return basis(x.shape[0]) @ x

# %% cached_property_arg
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


class Data:
    def __init__(self, n):
        self.n = n

    @functools.cached_property
    def size(self):
        return self.n * 2


def arguments():
    return (Data(3), jnp.ones(3))


def f(d, x):
    return x * d.size

# %% cached_property_of_dataclass
# pure
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses, functools


@dataclasses.dataclass(frozen=True)
class Grid:
    n: int

    @functools.cached_property
    def points(self):
        return np.linspace(0, 1, self.n)


GRID = Grid(3)


@jax.jit
def f(x):
    return x * GRID.points

# %% own_memo
# pure


def f(x):
    memo = {}

    def fib(n):
        if n < 2:
            return 1.0
        if n not in memo:
            memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    return x * fib(10)

# %% own_lru_cache
# pure

import functools


def f(x):
    @functools.lru_cache
    def power(n):
        return 1 if n == 0 else 2 * power(n - 1)

    return x * power(5)
