"""Functions that change what global names are bound to."""

# %% global_counter
# impure: global-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np

calls = 0


def f(x):
    global calls
    calls += 1
    return x * 2

# %% array_module
# impure: global-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import array

buf = array.array("d", [0.0, 0.0])


def f(x):
    buf[0] += 1.0
    return x

# %% best_so_far
# impure: global-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

best = [float("inf")]


def f(x):
    loss = float((x**2).sum())
    if loss < best[0]:
        best[0] = loss
    return x * 2

# %% bytearray_global
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

buf = bytearray(4)


def f(x):
    buf[0] += 1
    return x

# %% counter_object
# impure: global-mutated, line 13
import jax
import jax.numpy as jnp
import numpy as np

import collections

hits = collections.Counter()


@jax.jit
def f(x):
    hits["f"] += 1
    return x

# %% deque_global
# impure: global-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import collections

recent = collections.deque(maxlen=2)


def f(x):
    recent.append(1.0)
    return x

# %% exec_rebinds
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

k = 0


def f(x):
    exec("global k; k = k + 1")
    return x * 2

# %% first_call_init
# impure, line 12
import jax
import jax.numpy as jnp
import numpy as np

W = None


def f(x):
    global W
    if W is None:
        W = x / x.sum()
    return x @ W

# %% global_dict_in_jit
# impure: global-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np

stats = {"n": 0}


@jax.jit
def f(x):
    stats["n"] += 1
    return x + 1

# %% global_flag_constant
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

state = {}


def f(x):
    state["shape"] = x.shape
    return x * 2

# %% global_list_append
# impure: global-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np

history = []


def f(x):
    y = x * 2
    history.append(1)
    return y

# %% global_nested_dict
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

model = {"layers": [{"w": 1.0}]}


def f(x):
    model["layers"][0]["w"] *= 1.5
    return x * 2

# %% global_numpy_inplace
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

total = np.zeros(3)


def f(x):
    total[0] += 1.0
    return x + 1

# %% global_set_add
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

seen = set()


def f(x):
    seen.add(x.shape[0])
    return x

# %% global_through_helper
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

log = []


def note(v):
    log.append(v)


def f(x):
    note("called")
    return x.sum()

# %% global_via_globals
# impure: global-mutated, line 10
import jax
import jax.numpy as jnp
import numpy as np

level = 0


def f(x):
    globals()["level"] += 1
    return x

# %% ref_global
# impure
import jax
import jax.numpy as jnp
import numpy as np

counter = jax.new_ref(jnp.zeros(()))


@jax.jit
def f(x):
    counter[...] += 1.0
    return x * 2

# %% stringio_log
# impure: global-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import io

out = io.StringIO()


def f(x):
    out.write("called")
    return x * 2

# %% user_dict
# impure, line 17
import jax
import jax.numpy as jnp
import numpy as np

import collections


class Store(collections.UserDict):
    pass


store = Store()


def f(x):
    store["last"] = x.shape
    return x

# %% weak_cache
# impure, line 20
import jax
import jax.numpy as jnp
import numpy as np

import weakref

live = weakref.WeakValueDictionary()


class Box:
    def __init__(self, v):
        self.v = v


keep = Box(1)


def f(x):
    live["box"] = keep
    return x

# %% ordered_move
# impure, line 12
import jax
import jax.numpy as jnp
import numpy as np

import collections

lru = collections.OrderedDict(a=1, b=2)


def f(x):
    lru.popitem(last=False)
    lru["a"] = lru.get("a", 0) + 1
    return x

# %% queue_put
# impure
import jax
import jax.numpy as jnp
import numpy as np

import queue

q = queue.Queue()


def f(x):
    q.put(1)
    return x

# %% appends_a_number
# impure

LOG = []


def f(x):
    LOG.append(1)
    return x

# %% debug_flag_on
# impure

DEBUG = True
LOG = []


def f(x):
    if DEBUG:
        LOG.append(1)
    return x

# %% helper_appends_to_global
# impure

OUT = []


def keep(values, v):
    values.append(v.shape)


def f(x):
    keep(OUT, x)
    return x

# %% keeps_a_cached_table
# impure
import functools

import jax.numpy as jnp


@functools.lru_cache
def table(n):
    return jnp.arange(n)


seen = {}


def f(x):
    seen["t"] = table(3)
    return x + table(3)

# %% numpy_copyto
# impure
import jax
import jax.numpy as jnp
import numpy as np

buf = np.zeros(3)


def f(x):
    np.copyto(buf, np.asarray([1.0, 2.0, 3.0]))
    return x + buf

# %% numpy_add_at
# impure
import jax
import jax.numpy as jnp
import numpy as np

hist = np.zeros(3)


def f(x):
    np.add.at(hist, [0, 1], 1)
    return x

# %% global_dict_pop
# impure
import jax
import jax.numpy as jnp
import numpy as np

temp = {"a": 1, "b": 2}


def f(x):
    temp.pop("a", None)
    return x

# %% walrus_global
# impure
import jax
import jax.numpy as jnp
import numpy as np

total = [0.0]


def f(x):
    (total := globals()["total"])[0] += 1.0
    return x

# %% function_rebound
# impure
import jax
import jax.numpy as jnp
import numpy as np


def act(x):
    return x * 2


def other(x):
    return x * 3


def f(x):
    global act
    act = other
    return act(x)

# %% late_among_many
# impure
import jax
import jax.numpy as jnp

pad = list(range(30000))
late = [0]


@jax.jit
def f(x):
    late[0] += 1
    return jnp.sin(x)

# %% array_layout
# impure
import jax
import jax.numpy as jnp
import numpy as np

v = [np.zeros((2, 2), order="C")]


@jax.jit
def f(x):
    v[0] = np.asfortranarray(v[0])
    return jnp.sin(x)

# %% deep_inside
# impure
import jax
import jax.numpy as jnp

deep = [0]
for _ in range(60):
    deep = [deep]


@jax.jit
def f(x):
    d = deep
    while isinstance(d[0], list):
        d = d[0]
    d[0] += 1
    return jnp.sin(x)

# %% dict_order
# impure
import jax
import jax.numpy as jnp

d = {"a": 1, "b": 2}


@jax.jit
def f(x):
    k = next(iter(d))
    d[k] = d.pop(k)
    return jnp.sin(x)

# %% ordered_dict_order
# impure
import collections
import jax
import jax.numpy as jnp

d = collections.OrderedDict(a=1, b=2)


@jax.jit
def f(x):
    d.move_to_end(next(iter(d)))
    return jnp.sin(x)

# %% set_order
# impure
import jax
import jax.numpy as jnp

seen = {0, 8}


@jax.jit
def f(x):
    first, second = seen
    seen.clear()
    seen.add(second)
    seen.add(first)
    return jnp.sin(x)

# %% shared_memory
# impure
import jax
import jax.numpy as jnp
import numpy as np

numbers = np.arange(3)
box = [numbers]


@jax.jit
def f(x):
    box[0] = numbers.copy() if np.shares_memory(box[0], numbers) else numbers[:]
    return jnp.sin(x)

# %% object_field_of_array
# impure
import jax
import jax.numpy as jnp
import numpy as np

r = np.zeros(1, dtype=[("a", object)])
r["a"][0] = []


@jax.jit
def f(x):
    r["a"][0].append(1)
    return jnp.sin(x)
