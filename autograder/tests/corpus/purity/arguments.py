"""Functions that change or donate what they are given."""

# %% argument_dataclass
# impure: argument-mutated, line 19
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass
class Params:
    w: jax.Array


def arguments():
    return (Params(jnp.ones(3)), jnp.ones(3))


def f(p, x):
    p.w = p.w + x
    return p.w

# %% argument_del_key
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "tmp": jnp.ones(2)},)


def f(d):
    d.pop("tmp")
    return d["a"]

# %% argument_dict
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"w": jnp.ones(3)},)


def f(params):
    params["w"] = params["w"] * 2
    return params

# %% argument_donated
# impure: argument-donated
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.partial(jax.jit, donate_argnums=0)
def f(x):
    return x + 1

# %% argument_inner_pytree
# impure: argument-mutated, line 19
import jax
import jax.numpy as jnp
import numpy as np

from typing import NamedTuple


class State(NamedTuple):
    params: dict
    step: int


def arguments():
    return (State({"w": jnp.ones(3)}, 0),)


def f(s):
    s.params.update(w=s.params["w"] - 0.1)
    return s

# %% argument_list_of_arrays
# impure: argument-mutated, line 13
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ([jnp.ones(3), jnp.zeros(3)],)


def f(ws):
    for i, w in enumerate(ws):
        ws[i] = w * 2
    return sum(ws)

# %% argument_list_sort
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ([3, 1, 2], jnp.ones(3))


def f(order, x):
    order.sort()
    return x[jnp.array(order) - 1]

# %% argument_nested
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": {"b": [jnp.ones(3), jnp.zeros(2)]}},)


def f(p):
    p["a"]["b"].pop()
    return p["a"]["b"][0] * 2

# %% argument_numpy
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0),)


def f(x):
    x += 1
    return jnp.sum(jnp.asarray(x))

# %% argument_numpy_out
# impure: argument-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.ones(3),)


def f(y):
    np.multiply(y, 2, out=y)
    return jnp.asarray(y)

# %% argument_numpy_view
# impure: argument-mutated, line 13
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.ones((3, 2)),)


def f(y):
    row = y[0]
    row[:] = 0
    return jnp.asarray(y).sum()

# %% argument_object_array
# impure: argument-mutated, line 17
import jax
import jax.numpy as jnp
import numpy as np


class Params:
    def __init__(self):
        self.w = jnp.ones(3)


def arguments():
    return (Params(), jnp.ones(3))


def f(p, x):
    setattr(p, "w", p.w + x)
    return p.w

# %% argument_static_object
# impure, line 17
import jax
import jax.numpy as jnp
import numpy as np


class Log:
    def __init__(self):
        self.lines = []


def arguments():
    return (jnp.ones(3), Log())


def f(x, log):
    log.lines.append(x.shape)
    return x

# %% donated_used_later
# impure: argument-donated
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.partial(jax.jit, donate_argnums=0)
def bump(x):
    return x + 1


def f(x):
    y = x * 2
    z = bump(y)
    return y + z

# %% argument_list_reversed
# impure
import jax.numpy as jnp


def arguments():
    return ([jnp.ones(3), jnp.zeros(3)],)


def f(xs):
    xs.reverse()
    return xs[0]

# %% argument_numpy_put
# impure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.zeros(4), jnp.ones(3))


def f(buf, x):
    np.put(buf, [0], 5.0)
    return x * 2

# %% argument_aux_list
# impure
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class M:
    def __init__(self, w, log):
        self.w, self.log = w, log

    def tree_flatten(self):
        return (self.w,), self.log

    @classmethod
    def tree_unflatten(cls, aux, ch):
        return cls(ch[0], aux)


class Log(list):
    __hash__ = object.__hash__


log = Log()


def arguments():
    return (M(jnp.ones(3), log),)


@jax.jit
def f(m):
    m.log.append("step")
    return m.w * 2

# %% donated_by_an_inner_function
# impure: argument-donated, line 16
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.partial(jax.jit, donate_argnums=0)
def bump(x):
    return x + 1


def f(x):
    size = x.shape[0]
    z = bump(x)
    return z * size

# %% deleted_after_use
# impure: argument-donated, line 10
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    y = x * 2
    if not isinstance(x, jax.core.Tracer):
        x.delete()
    return y
