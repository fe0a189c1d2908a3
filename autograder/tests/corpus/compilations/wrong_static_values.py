"""Functions that compile again for static values that differ."""

# %% wrong_static_float
# verdict: wrong (compiled-again)
# counts: 1 1 1
# says: static value 0.2
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2), (A, 0.3)]


@functools.partial(jax.jit, static_argnums=1)
def entry(x, rate):
    return x - rate * x

# %% wrong_aux_float
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2)]


class Model:
    def __init__(self, x, rate):
        self.x, self.rate = x, rate


jax.tree_util.register_pytree_node(
    Model, lambda m: ((m.x,), m.rate), lambda rate, children: Model(children[0], rate)
)


@jax.jit
def step(model):
    return model.x - model.rate * model.x


def entry(x, rate):
    return step(Model(x, rate))

# %% wrong_static_counter
# verdict: wrong (compiled-again)
# counts: 1 1 1
import functools
import itertools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]
iteration = itertools.count()


@functools.partial(jax.jit, static_argnames="i")
def step(x, i):
    return x / (i + 1)


def entry(x):
    return step(x, i=next(iteration))

# %% wrong_static_list
# verdict: wrong (call-failed)
# counts: 0 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnames="shape")
def reshape(x, shape):
    return x.reshape(shape)


def entry(x):
    return reshape(x, shape=[2, 3])

# %% wrong_static_object_unequal
# verdict: wrong (compiled-again)
# counts: 1 1
# says: by its class's __eq__ and __hash__ it is another one
import functools
from dataclasses import dataclass

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.5), (A + 1, 0.25)]


@dataclass(frozen=True)
class Options:
    rate: float


@functools.partial(jax.jit, static_argnums=1)
def scaled(x, options):
    return x * options.rate


def entry(x, rate):
    return scaled(x, Options(rate))

# %% wrong_static_object_without_eq
# verdict: wrong (compiled-again)
# counts: 1 1
# says: compared by identity
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Options:
    def __init__(self, n):
        self.n = n


@functools.partial(jax.jit, static_argnums=1)
def power(x, options):
    return x**options.n


def entry(x):
    return power(x, Options(2))

# %% wrong_static_partial
# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@functools.partial(jax.jit, static_argnums=0)
def apply(function, x):
    return function(x)


def entry(x):
    return apply(functools.partial(jnp.sum, axis=0), x)

# %% wrong_static_self_new_instances
# verdict: wrong (compiled-again)
# counts: 1 1
# says: class Model
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def __init__(self, scale):
        self.scale = scale

    @functools.partial(jax.jit, static_argnums=0)
    def step(self, x):
        return x * self.scale


def entry(x):
    return Model(2.0).step(x)
