"""Pure functions: untaken branches change only what the call owns, or can never be taken."""

# %% helper_untaken
# pure
import jax
import jax.numpy as jnp
import numpy as np


def collect(parts, x):
    parts.append(x)
    parts[0] = x


def f(x):
    parts = [x]
    if x.ndim > 1:
        collect(parts, x)
    return sum(parts)

# %% helper_untaken_comprehension
# pure
import jax
import jax.numpy as jnp
import numpy as np


def push(stack, value):
    stack.append(value)
    return value


def f(x):
    stack = [2 * x for _ in range(2)]
    if x.ndim > 1:
        stack = [push(stack, row) for row in x]
    rows = [push(part, x) for part in [[]] if x.ndim > 1]
    return sum(stack) + len(rows)

# %% helper_untaken_method
# pure
import jax
import jax.numpy as jnp
import numpy as np


class Parts:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
        self.last = item


def f(x):
    parts = Parts()
    if x.ndim > 1:
        parts.add(x)
    return x * (1 + len(parts.items))

# %% helper_untaken_nested
# pure
import jax
import jax.numpy as jnp
import numpy as np


def inner(parts, x):
    parts.update(wide=x)


def outer(parts, x):
    inner(parts, x)


def f(x):
    def local(parts):
        parts["local"] = x

    found = dict(x=x)
    if x.ndim > 1:
        outer(found, x)
        local(found)
    return found["x"]

# %% helper_untaken_unknown
# pure
import jax
import jax.numpy as jnp
import numpy as np


def make():
    return []


def push(stack, value):
    stack.append(value)


def f(x):
    stack = make()
    if x.ndim > 1:
        push(stack, x)
    return x + len(stack)

# %% untaken_local_to_lambda
# pure
import jax
import jax.numpy as jnp
import numpy as np


def each(function, items):
    return [function(item) for item in items]


def f(x):
    found = []
    each(lambda row: found.append(row) if row.ndim > 1 else None, [x])
    return x + len(found)

# %% verbose_off
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x, verbose=False):
    if verbose:
        print("x", x)
    return x * 2

# %% warn_branch_untaken
# pure
import jax
import jax.numpy as jnp
import numpy as np

import warnings


def f(x):
    if x.shape[0] > 1000:
        warnings.warn("large")
    return x * 2

# %% dead_else
# pure

LOG = []
FAST = True


def f(x):
    if FAST:
        y = x * 2
    else:
        LOG.append(x)
        y = x + x
    return y

# %% debug_flag_off
# pure
import jax

DEBUG = False
HISTORY = []


@jax.jit
def f(x):
    if DEBUG:
        HISTORY.append(x)
    return 2 * x

# %% helper_flag_off
# pure

TRACE = []


def step(x, record=False):
    if record:
        TRACE.append(x)
    return 2 * x


def f(x):
    return step(x) + step(x, record=False)


def show(x):
    return step(x, record=True)

# %% type_checking_guard
# pure

from typing import TYPE_CHECKING

SEEN = []


def f(x):
    if TYPE_CHECKING:
        SEEN.append(x)
    return x * 3

# %% modules_unread
# pure
import sys


def backend(x):
    if x.ndim > 5:
        return "torch" in sys.modules
    return False


def f(x):
    return x * (1 + backend(x))

# %% update_method_without_state
# pure


class Adam:
    def __init__(self, rate):
        self.rate = rate

    def update(self, gradient):
        return self.rate * gradient


adam = Adam(0.1)


def f(x):
    if x.ndim > 1:
        return adam.update(x).sum(0)
    return x

# %% shadowed_global
# pure

history = []


def f(x):
    history = []
    if x.ndim > 1:
        history.append(x)
    return x + len(history)

# %% comprehension_shadows_global
# pure

total = []


def f(x):
    rows = [total for total in (x, 2 * x)]
    if x.ndim > 1:
        rows.append(x)
    return sum(rows)

# %% global_name_then_local
# pure

RESULTS = []


def f(x):
    out = RESULTS
    n = len(out)
    out = []
    if x.size > 10:
        out.append(x)
    return x + n + len(out)

# %% helper_appends_to_callers_list
# pure


def keep(values, value, limit=10):
    if value.size > limit:
        values.append(value)
    return values


def f(x):
    values = []
    keep(values, x)
    keep(values, 2 * x, limit=100)
    return x + len(values)

# %% copy_of_params
# pure


def f(x):
    params = {"w": x, "b": x}
    return update(params)["w"]


def update(params):
    params = dict(params)
    if params["w"].ndim > 1:
        params["w"] = params["w"].sum(0)
    params["b"] = params["b"] + 1
    return params

# %% tree_map_fills_local
# pure
import jax


def f(params):
    shapes = {}

    def note(path, leaf):
        if leaf.ndim > 2:
            shapes[str(path)] = leaf.shape
        return leaf

    out = jax.tree_util.tree_map_with_path(note, params)
    return out

# %% helper_fills_own_dict
# pure


def put(box, value):
    if value.size > 40:
        box["big"] = value
    box["last"] = value


def f(x):
    box = {}
    for v in (x, x + 1):
        put(box, v)
    return box["last"]

# %% starred_helper_fills
# pure


def put(store, *values):
    for v in values:
        if v.ndim > 1:
            store.append(v.sum())
        else:
            store.append(v)


def f(x):
    out = []
    put(*[out, x, 2 * x])
    return sum(out)

# %% returned_list_filled
# pure


def empty():
    return []


def f(x):
    out = empty()
    if x.ndim > 1:
        out.append(x.sum())
    out.append(x)
    return sum(out)

# %% default_factory_list
# pure

import dataclasses


@dataclasses.dataclass
class Bag:
    items: list = dataclasses.field(default_factory=list)


def f(x):
    bag = Bag()
    if x.ndim > 1:
        bag.items.append(x.sum())
    bag.items.append(x)
    return sum(bag.items)

# %% own_stack
# pure


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        if item.size > 50:
            self.items.clear()
        self.items.append(item)


def f(x):
    stack = Stack()
    stack.push(x)
    stack.push(x + 1)
    return sum(stack.items)

# %% own_builder
# pure


class Builder:
    def __init__(self):
        self.terms = []
        self.count = 0

    def add(self, term):
        if term.ndim > 1:
            self.terms.append(term.sum(axis=0))
            self.count += 1
        else:
            self.terms.append(term)
        return self

    def total(self):
        return sum(self.terms)


def f(x):
    return Builder().add(x).add(2 * x).total()

# %% own_nonlocal
# pure


def f(x):
    count = 0

    def step(v):
        nonlocal count
        if v.size > 10:
            count += 1
        return v * 2

    return step(step(x)) + count

# %% own_numpy_buffer
# pure

import numpy as np


def f(x):
    weights = np.ones(x.shape)
    if x.shape[0] > 10:
        weights[10:] = 0.0
    weights[0] = 2.0
    return x * weights

# %% own_class_counts
# pure


def f(x):
    class Counter:
        total = 0

        def add(self, n):
            if n > 100:
                Counter.total = 0
            self.total = self.total + n
            return self.total

    counter = Counter()
    counter.add(1)
    return x * counter.add(2)

# %% own_dataclass_advanced
# pure

import dataclasses


@dataclasses.dataclass
class State:
    x: object
    steps: int = 0


def advance(state):
    if state.steps > 5:
        state.x = state.x * 0
    state.x = state.x * 2
    state.steps += 1


def f(x):
    state = State(x)
    advance(state)
    advance(state)
    return state.x

# %% own_dataclass_replaced
# pure

import dataclasses


@dataclasses.dataclass
class State:
    x: object
    steps: int = 0

    def step(self):
        if self.steps > 3:
            return dataclasses.replace(self, steps=0)
        return dataclasses.replace(self, x=self.x * 2, steps=self.steps + 1)


def f(x):
    return State(x).step().step().x

# %% own_context_manager
# pure


class Scope:
    def __init__(self, names):
        self.names = names

    def __enter__(self):
        self.names.append("in")
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            self.names.append("failed")
        self.names.pop()


def f(x):
    names = []
    with Scope(names):
        y = 2 * x
    return y + len(names)

# %% own_namespace
# pure

import types


def f(x):
    ns = types.SimpleNamespace(a=1)
    if x.ndim > 1:
        ns.a = 2
    ns.b = 3
    return x * ns.a * ns.b

# %% reduce_fills_own_list
# pure

import functools


def step(acc, v):
    if v > 100:
        acc.append(v)
    acc.append(v + 1)
    return acc


def f(x):
    return x * len(functools.reduce(step, [1, 2, 3], []))

# %% recursion_with_list
# pure


def f(x, parts=None):
    if parts is None:
        parts = []
    if x.size > 100:
        parts.append(x[:100])
        return f(x[100:], parts)
    return x * (1 + len(parts))

# %% recursive_accumulator
# pure


def collect(x, found):
    if x.size > 5:
        found.append(x[:5])
        collect(x[5:], found)
    return found


def f(x):
    return x * (1 + len(collect(x, [])))

# %% generator_of_chunks
# pure
import jax.numpy as jnp


def chunks(x, size):
    part = []
    for i in range(x.shape[0]):
        part.append(x[i])
        if len(part) == size:
            yield jnp.stack(part)
            part = []
    if part:
        yield jnp.stack(part)


def f(x):
    return sum(c.sum() for c in chunks(x, 2))

# %% own_defaultdict
# pure

from collections import defaultdict


def f(x):
    groups = defaultdict(list)
    for i in range(3):
        if i > 5:
            groups["late"].append(x)
        groups[i % 2].append(x[i])
    return sum(groups[0])
