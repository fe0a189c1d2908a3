"""Functions that change closures, default values and what bound methods and partials hold."""

# %% closure_counter
# impure: closure-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


def make():
    n = 0

    def g(x):
        nonlocal n
        n += 1
        return x * 2

    return g


f = make()

# %% closure_list
# impure: closure-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np


def make():
    seen = []

    def g(x):
        seen.append(x.shape)
        return x * 2

    return jax.jit(g)


f = make()

# %% decorator_counts
# impure: closure-mutated, line 14
import jax
import jax.numpy as jnp
import numpy as np

import functools


def counted(fn):
    calls = {"n": 0}

    @functools.wraps(fn)
    def wrapper(*args):
        calls["n"] += 1
        return fn(*args)

    return wrapper


@counted
@jax.jit
def f(x):
    return x * 2

# %% default_kwonly
# impure: default-mutated, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x, *, seen={"n": 0}):
    seen["n"] += 1
    return x

# %% default_list
# impure: default-mutated, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x, acc=[]):
    acc.append(1)
    return x * len(acc)

# %% partial_list
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import functools


def g(log, x):
    log.append(0)
    return x * 2


f = functools.partial(g, [])

# %% lambda_default
# impure
import jax
import jax.numpy as jnp
import numpy as np

f = lambda x, s={"n": 0}: (s.update(n=s["n"] + 1), x * s["n"])[1]

# %% default_of_wrapper
# impure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jnp.ones(3), [1, 2])


@jax.jit
def f(x, sizes):
    return x * len(sizes)


def g(x, sizes, _log=[]):
    _log.append(len(sizes))
    return f(x, sizes)


f0 = f
f = g

# %% bound_append
# impure


def make():
    return [].append


add = make()


def f(x):
    add(1)
    return 2 * x

# %% bound_deque_append
# impure
import collections

ap = collections.deque().append


def f(x):
    ap(1)
    return 2 * x

# %% methodcaller_argument
# impure


from operator import methodcaller


def keep(l):
    pass


class K:
    def take(self, l):
        l.append(1)


g = methodcaller("take", [])
k = K()


def f(x):
    g(k)
    return 2 * x

# %% methodcaller_append
# impure
import jax
import jax.numpy as jnp
import numpy as np

import operator


class Bag:
    items = []


add = operator.methodcaller("append", 1)


def f(x):
    add(Bag.items)
    return x

# %% bound_array_put
# impure
import numpy as np

put = np.zeros(3).put


def f(x):
    put(0, 1.0)
    return 2 * x

# %% bound_stream_write
# impure


import io

w = io.StringIO().write


def f(x):
    w("a")
    return 2 * x

# %% optax_closure
# impure
import jax
import jax.numpy as jnp
import optax


def make():
    log = []

    def init(p):
        log.append(1)
        return p

    return optax.GradientTransformation(init, init)


tx = optax.chain(make())


@jax.jit
def f(x):
    tx.init(1.0)
    return jnp.sin(x)

# %% optax_schedule_closure
# impure
import jax
import jax.numpy as jnp
import optax


def make():
    log = []

    def s(i):
        log.append(1)
        return i

    return s


s = optax.join_schedules([make()], [])


@jax.jit
def f(x):
    s(1)
    return jnp.sin(x)
