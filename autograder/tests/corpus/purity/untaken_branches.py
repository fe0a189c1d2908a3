"""Functions with an effect on a branch that the checks' inputs do not take."""

# %% untaken_branch
# impure: untaken-mutation, line 12
import jax
import jax.numpy as jnp
import numpy as np

count = 0


def f(x):
    global count
    if x.shape[0] > 100:
        count += 1
    return x * 2

# %% untaken_helper
# impure: untaken-mutation, line 10
import jax
import jax.numpy as jnp
import numpy as np

log = []


def note(v):
    log.append(v)


def f(x, verbose=False):
    if verbose:
        note("x")
    return x

# %% untaken_helper_global
# impure: untaken-mutation
import jax
import jax.numpy as jnp
import numpy as np


LOG = []


def note(into, x):
    if x.ndim > 1:
        into.append(x)


def f(x):
    note(LOG, x)
    return x * 2

# %% untaken_helper_global_alias
# impure: untaken-mutation
import jax
import jax.numpy as jnp
import numpy as np


LOG = {"a": []}


def note(into, x):
    if x.ndim > 1:
        into.append(x)


def f(x):
    mine = LOG["a"]
    note(mine, x)
    return x * 2

# %% untaken_helper_in_branch
# impure: untaken-mutation
import jax
import jax.numpy as jnp
import numpy as np


LOG = []


def collect(parts, x):
    parts.append(x)


def f(x):
    if x.ndim > 1:
        collect(LOG, x)
    return 2 * x

# %% untaken_method
# impure, line 17
import jax
import jax.numpy as jnp
import numpy as np


class M:
    def __init__(self):
        self.cache = None


m = M()


def f(x, train=False):
    if train:
        m.cache = x
    return x * 2

# %% untaken_method_global
# impure: untaken-mutation
import jax
import jax.numpy as jnp
import numpy as np


class Counter:
    def __init__(self):
        self.items = []

    def add(self, x):
        if x.ndim > 1:
            self.items.append(x)


COUNTER = Counter()


def f(x):
    COUNTER.add(x)
    return x * 2

# %% untaken_random
# impure: untaken-mutation, line 9
import jax
import jax.numpy as jnp
import numpy as np


def f(x, noise=False):
    if noise:
        x = x + np.random.normal(size=3)
    return x

# %% untaken_alias
# impure

STORE = {}


def f(x):
    s = STORE
    if x.ndim > 1:
        s["x"] = x.shape
    return x

# %% untaken_argument
# impure
import jax.numpy as jnp


def arguments():
    return ({"w": jnp.ones(3)},)


def f(params):
    if params["w"].ndim > 1:
        params["w"] = params["w"].sum(0)
    return params["w"]

# %% untaken_class_attribute
# impure


class Model:
    calls = 0

    def __call__(self, x):
        if x.ndim > 1:
            Model.calls += 1
        return x


f = Model().__call__

# %% untaken_closure
# impure


def make():
    calls = []

    def f(x):
        if x.ndim > 1:
            calls.append(x.shape)
        return x

    return f


f = make()

# %% untaken_default
# impure


def f(x, seen=[]):  # noqa: B006
    if x.ndim > 1:
        seen.append(x.shape)
    return x

# %% untaken_except
# impure

FAILED = []


def f(x):
    try:
        return x.reshape(3)
    except TypeError:
        FAILED.append(x.shape)
        return x

# %% untaken_flag_set_later
# impure

DEBUG = False
LOG = []


def enable():
    global DEBUG
    DEBUG = True


def f(x):
    if DEBUG:
        LOG.append(x)
    return x

# %% untaken_else
# impure

FAST = True
LOG = []


def slow():
    global FAST
    FAST = False


def f(x):
    if FAST:
        return x
    else:
        LOG.append(x.shape)
        return x

# %% untaken_global_list
# impure

LOG = []


def f(x):
    if x.shape[0] > 100:
        LOG.append(x.shape)
    return x

# %% untaken_global_write
# impure

COUNT = 0


def f(x):
    global COUNT
    if x.ndim > 1:
        COUNT = COUNT + 1
    return x

# %% untaken_flag_from_shape
# impure

TRACE = []


def step(x, record=False):
    if record:
        TRACE.append(x.shape)
    return 2 * x


def f(x):
    return step(x, record=x.ndim > 1)

# %% untaken_helper_given_global
# impure

STORE = []


def put(store, v):
    if v.ndim > 1:
        store.append(v.shape)
    return v


def f(x):
    return put(STORE, x)

# %% untaken_update_method
# impure
class Adam:
    def __init__(self):
        self.steps = 0

    def update(self, gradient):
        self.steps += 1
        return gradient


adam = Adam()


def f(x):
    if x.ndim > 1:
        return adam.update(x).sum(0)
    return x

# %% untaken_nonlocal
# impure


def make():
    n = 0

    def f(x):
        nonlocal n
        if x.ndim > 1:
            n += 1
        return x

    return f


f = make()

# %% untaken_open
# impure


def f(x):
    if x.ndim > 1:
        open("log.txt", "w").write("x")  # noqa: SIM115
    return x

# %% untaken_patch
# impure
import jax.numpy as jnp


def f(x):
    if x.ndim > 1:
        jnp.my_sum = jnp.sum
    return x

# %% untaken_self
# impure


class Model:
    def __init__(self):
        self.n = 0

    def __call__(self, x):
        if x.ndim > 1:
            self.n = self.n + 1
        return x


model = Model()


def f(x):
    return model(x)

# %% untaken_clock
# impure

import time


def f(x):
    if x.ndim > 1:
        return x * time.time()
    return x
