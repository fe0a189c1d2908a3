"""Pure functions that change objects of their own."""

# %% local_list
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    out = []
    for i in range(3):
        out.append(x * i)
    return jnp.stack(out)

# %% copy_then_change
# pure
import jax
import jax.numpy as jnp
import numpy as np

import copy


def arguments():
    return ({"w": jnp.ones(3), "n": {"k": [1, 2]}},)


def f(p):
    q = copy.deepcopy(p)
    q["n"]["k"].append(3)
    q["w"] = q["w"] * len(q["n"]["k"])
    return q["w"]

# %% dataclass_replace
# pure
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass(frozen=True)
class P:
    w: jax.Array
    n: int = 3


def arguments():
    return (P(jnp.ones(3)), jnp.ones(3))


def f(p, x):
    return dataclasses.replace(p, w=p.w + x).w

# %% default_none
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x, acc=None):
    acc = [] if acc is None else acc
    acc.append(x * 2)
    return acc[0]

# %% dict_iteration
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"z": jnp.ones(2), "a": jnp.zeros(2)},)


def f(p):
    total = 0.0
    for name, v in p.items():
        total = total * 2 + v.sum() * len(name)
    return total

# %% dict_merge
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"w": jnp.ones(3), "b": jnp.zeros(3)},)


def f(p):
    p = dict(p)
    p["w"] = p["w"] * 2
    p |= {"c": p["b"]}
    return p

# %% helper_appends
# pure
import jax
import jax.numpy as jnp
import numpy as np


def collect(parts, x, n):
    if n > 3:
        parts.append(x * n)
    else:
        parts.append(x)


def f(x):
    parts = []
    for n in range(2):
        collect(parts, x, n)
    return sum(parts)

# %% id_visited
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ([jnp.ones(2), jnp.zeros(2)],)


def f(xs):
    visited = set()
    out = []
    for x in xs:
        if id(x) not in visited:
            visited.add(id(x))
            out.append(x * 2)
    return out

# %% local_accumulator_closure
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    total = 0.0

    def add(v):
        nonlocal total
        total = total + v

    for i in range(3):
        add(x[i])
    return total

# %% local_class
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    class Acc:
        def __init__(self):
            self.total = 0.0

        def add(self, v):
            self.total = self.total + v

    a = Acc()
    for i in range(3):
        a.add(x[i])
    return a.total

# %% local_counter
# pure
import jax
import jax.numpy as jnp
import numpy as np

import collections, itertools


def f(x):
    c = collections.Counter("abca")
    ids = itertools.count()
    return x * c["a"] + next(ids)

# %% local_dict_helper
# pure
import jax
import jax.numpy as jnp
import numpy as np


def fill(d, x):
    d["y"] = x * 2
    return d


def f(x):
    return fill({}, x)["y"]

# %% local_generator
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    gen = (x * i for i in range(3))
    return sum(gen)

# %% local_namedtuple
# pure
import jax
import jax.numpy as jnp
import numpy as np

import collections
from typing import NamedTuple


def f(x):
    Point = collections.namedtuple("Point", "a b")

    class Other(NamedTuple):
        c: object

    p = Point(x, x * 2)
    return p.a + p.b + Other(x).c

# %% local_set_ints
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    for i in {0, 1, 2}:
        x = x * 2 + i
    return x

# %% local_stringio
# pure
import jax
import jax.numpy as jnp
import numpy as np

import io


def f(x):
    buf = io.StringIO()
    print("shape", x.ndim, file=buf)
    return x * len(buf.getvalue())

# %% method_of_local
# pure
import jax
import jax.numpy as jnp
import numpy as np


class Parts:
    def __init__(self):
        self.items = []

    def add(self, item):
        if item.ndim > 1:
            self.items.append(item.sum(1))
            self.wide = True
        self.items.append(item)


def f(x):
    parts = Parts()
    parts.add(x)
    return sum(parts.items)

# %% namedtuple_replace
# pure
import jax
import jax.numpy as jnp
import numpy as np

from typing import NamedTuple


class P(NamedTuple):
    w: jax.Array
    b: jax.Array


def arguments():
    return (P(jnp.ones(3), jnp.zeros(3)),)


@jax.jit
def f(p):
    return p._replace(w=p.w * 2)

# %% post_init
# pure
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass
class P:
    w: jax.Array
    n: int = 0

    def __post_init__(self):
        self.n = self.w.shape[0]


def f(x):
    p = P(x * 2)
    return p.w * p.n

# %% rebinding_augmented
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    x += 1
    x *= 2
    return x

# %% set_membership
# pure
import jax
import jax.numpy as jnp
import numpy as np

SKIP = {"a", "z"}


def arguments():
    return ({"b": jnp.ones(2), "a": jnp.zeros(2)},)


def f(p):
    return sum(v.sum() for k, v in p.items() if k not in SKIP)

# %% set_sorted
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"b": jnp.ones(2), "a": jnp.zeros(2)},)


def f(p):
    return jnp.concatenate([p[k] for k in sorted(set(p))])

# %% set_union_membership
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"a": jnp.ones(2), "b": jnp.ones(2)},)


def f(p):
    missing = {"a", "b"} - set(p)
    if missing:
        raise KeyError(missing)
    return {k: v * 2 for k, v in p.items()}

# %% sorting_local
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    order = [2, 0, 1]
    order.sort(key=lambda i: -i)
    order.reverse()
    return x[jnp.array(order)]

# %% contextmanager_local
# pure
import jax
import jax.numpy as jnp
import numpy as np

import contextlib


@contextlib.contextmanager
def scaled(v):
    box = [v]
    yield box
    box.clear()


def f(x):
    with scaled(2.0) as box:
        return x * box[0]

# %% own_closure_factory
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def make(k):
        count = [0]

        def g(v):
            count[0] += 1
            return v * k + count[0]

        return g

    g = make(2.0)
    return g(g(x))

# %% jitted_fills_its_dict
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"Y": jnp.ones((4, 2)), "p": {"M": jnp.zeros((4, 2))}},)


@jax.jit
def f(d):
    d["p"]["M"] = d["p"]["M"] + d["Y"]
    del d["Y"]
    return d

# %% jit_rebuilt_dict
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"w": jnp.ones(3)},)


@jax.jit
def f(params):
    params["w"] = params["w"] * 2
    return params

# %% own_deque
# pure
import jax
import jax.numpy as jnp
import numpy as np

from collections import deque, defaultdict, OrderedDict


def f(x):
    d = deque([x], maxlen=2)
    d.append(x * 2)
    dd = defaultdict(list)
    dd["a"].append(d[-1])
    o = OrderedDict(z=1)
    o.move_to_end("z")
    return dd["a"][0] * o["z"]

# %% own_exception
# pure
import jax
import jax.numpy as jnp
import numpy as np


class Bad(Exception):
    def __init__(self, msg):
        super().__init__(msg)
        self.msg = msg


def f(x):
    try:
        if x.ndim == 1:
            raise Bad("vector")
    except Bad as e:
        return x * len(e.msg)
    return x

# %% iterates_own_set
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return ({"b": jnp.ones(2), "a": jnp.ones(2)},)


def f(p):
    need = {"a", "b"}
    assert all(k in p for k in need)
    return {k: p[k] * 2 for k in sorted(need)}

# %% scan_carry_mutation
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    def body(carry, v):
        carry["s"] = carry["s"] + v
        return carry, v

    return jax.lax.scan(body, {"s": 0.0}, x)

# %% local_ref
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    r = jax.new_ref(jnp.zeros_like(x))
    r[...] += x
    return r[...] * 2
