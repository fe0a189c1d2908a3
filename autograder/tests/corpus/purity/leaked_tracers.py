"""Functions that keep a tracer."""

# %% leak_global
# impure: leaked-tracer, line 12
import jax
import jax.numpy as jnp
import numpy as np

last = None


@jax.jit
def f(x):
    global last
    last = x * 2
    return x + 1

# %% grad_aux_leak
# impure: leaked-tracer, line 10
import jax
import jax.numpy as jnp
import numpy as np

saved = {}


def loss(w):
    saved["pred"] = w * 3
    return (saved["pred"] ** 2).sum()


def f(x):
    return jax.grad(loss)(x)

# %% key_attribute
# impure: leaked-tracer, line 12
import jax
import jax.numpy as jnp
import numpy as np


class Rng:
    def __init__(self):
        self.key = jax.random.key(0)

    def next(self):
        self.key, sub = jax.random.split(self.key)
        return sub


rng = Rng()


@jax.jit
def f(x):
    return x + jax.random.normal(rng.next(), x.shape)

# %% leak_attribute
# impure: leaked-tracer, line 16
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    pass


model = Model()


@jax.jit
def f(x):
    model.out = x * 2
    return x + 1

# %% leak_closure_cell
# impure: leaked-tracer, line 13
import jax
import jax.numpy as jnp
import numpy as np


def make():
    kept = None

    @jax.jit
    def g(x):
        nonlocal kept
        kept = x + 1
        return x * 2

    return g


f = make()

# %% leak_exception
# impure: leaked-tracer, line 13
import jax
import jax.numpy as jnp
import numpy as np


class Stop(Exception):
    last = None


@jax.jit
def f(x):
    Stop.last = Stop(x * 2)
    return x

# %% leak_library_object
# impure, line 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    jnp.sum.last = x * 2
    return x + 1

# %% leak_list_in_scan
# impure: leaked-tracer, line 12
import jax
import jax.numpy as jnp
import numpy as np

trace = []


@jax.jit
def f(x):
    def body(c, v):
        trace.append(c)
        return c + v, None

    return jax.lax.scan(body, 0.0, x)[0]

# %% leak_module_math
# impure, line 11
import jax
import jax.numpy as jnp
import numpy as np

import math


@jax.jit
def f(x):
    math.cached = x * 2
    return x

# %% leak_object_array
# impure: leaked-tracer, line 11
import jax
import jax.numpy as jnp
import numpy as np

slots = np.empty(2, dtype=object)


@jax.jit
def f(x):
    slots[0] = x * 2
    return x

# %% leak_set_attr_class
# impure: leaked-tracer, line 13
import jax
import jax.numpy as jnp
import numpy as np


class Holder:
    value = None


@jax.jit
def f(x):
    Holder.value = x.sum()
    return x

# %% vmap_leak
# impure: leaked-tracer, line 10
import jax
import jax.numpy as jnp
import numpy as np

parts = []


def one(v):
    parts.append(v * 2)
    return v


def f(x):
    return jax.vmap(one)(x)

# %% cache_traced
# impure: leaked-tracer
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.cache
def weights():
    return jnp.ones(3) / 3


@jax.jit
def f(x):
    return x @ weights()

# %% leak_instance
# impure
import jax


class Net:
    pass


net = Net()


@jax.jit
def f(x):
    net.last = x
    return x

# %% leak_in_custom_vjp
# impure
import jax
import jax.numpy as jnp
import numpy as np

store = {}


@jax.custom_vjp
def g(x):
    return x * 2


def fwd(x):
    store["x"] = x
    return g(x), None


def bwd(_, ct):
    return (ct * store["x"],)


g.defvjp(fwd, bwd)


def f(x):
    return jax.grad(lambda v: g(v).sum())(x)
