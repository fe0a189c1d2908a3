"""Functions that hide side effects from the probes."""

# %% tracer_sniff
# attack: is impure only outside of traces; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

log = []


def f(x):
    if not isinstance(x, jax.core.Tracer):
        log.append(float(x[0]))
    return x * 2

# %% base_exception
# attack: swallows every exception and hides state in a cell; must find: purity
import jax
import jax.numpy as jnp
import numpy as np


def make():
    n = [0]

    def g(x):
        try:
            n[0] += 1
            return x * 2
        except BaseException:
            return x

    return g


f = make()

# %% class_lies
# attack: a counter that claims to be an array; must find: purity
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    __module__ = "jax"

    def __init__(self):
        object.__setattr__(self, "n", 0)

    @property
    def __class__(self):
        return jax.Array

    @property
    def __dict__(self):
        return {}


sly = Sly()


def f(x):
    object.__setattr__(sly, "n", sly.n + 1)
    return x * 2

# %% ctypes_write
# attack: changes memory through ctypes; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import ctypes

cell = ctypes.c_int(0)


def f(x):
    ctypes.memset(ctypes.addressof(cell), 1, 1)
    return x * 2

# %% disable_jit_sniff
# attack: is impure only when jit is not disabled; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

log = []


def f(x):
    if not jax.config.jax_disable_jit:
        log.append(1)
    return x * 2

# %% eq_lies
# attack: state whose __eq__ and __hash__ say nothing changed; must find: purity
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    def __init__(self):
        self.n = 0

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


sly = Sly()


def f(x):
    sly.n += 1
    return x * 2

# %% frame_sniff
# attack: looks for the grader among its callers; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import sys

log = []


def f(x):
    frame, graded = sys._getframe(), False
    while frame is not None:
        graded |= "autograder" in frame.f_code.co_filename
        frame = frame.f_back
    if not graded:
        log.append(1)
    return x * 2

# %% gc_patched
# attack: replaces gc.get_objects and gc.collect; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import gc

gc.get_objects = lambda *a, **k: []
gc.collect = lambda *a, **k: 0
kept = []


@jax.jit
def f(x):
    kept.append(lambda: x)
    return x * 2

# %% getattribute_lies
# attack: a counter that hides its attributes; must find: purity
import jax
import jax.numpy as jnp
import numpy as np


class Sly:
    def __init__(self):
        object.__setattr__(self, "count", 0)

    def __getattribute__(self, name):
        if name == "__dict__":
            return {}
        return object.__getattribute__(self, name)


sly = Sly()


def f(x):
    object.__setattr__(sly, "count", sly.count + 1)
    return x * 2

# %% counter_on_a_library
# attack: a counter on a library's function; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import functools


def f(x):
    functools.reduce_calls = getattr(functools, "reduce_calls", 0) + 1
    return x * 2

# %% hits_found_by_gc
# attack: finds the grader's notes through gc and empties them; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import gc, time


def f(x):
    t = time.time()
    for o in gc.get_objects():
        if type(o).__name__ == "Hits":
            o.found.clear()
    return x * 2

# %% inspect_sniff
# attack: looks for the grader with inspect.stack; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import inspect

log = []


def f(x):
    if not any("purity" in s.filename for s in inspect.stack()):
        log.append(1)
    return x * 2

# %% jax_patched
# attack: jax.make_jaxpr, jit and block_until_ready replaced; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

jax.block_until_ready = lambda x: x
jax.make_jaxpr = lambda f: f
n = [0]


def f(x):
    n[0] += 1
    return x * n[0]

# %% listeners_cleared
# attack: clears JAX's monitoring listeners; must find: purity
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    jax.monitoring.clear_event_listeners()
    return x * 2

# %% numpy_patched
# attack: NumPy's comparison always says yes; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

np.allclose = lambda *a, **k: True
np.array_equal = lambda *a, **k: True
n = 0


def f(x):
    global n
    n += 1
    return x * n

# %% os_write
# attack: prints past sys.stdout; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    os.write(2, b"")
    return x * 2

# %% partial_clock
# attack: the clock behind functools.partial, its value unused by one mode; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import functools, time

clock = functools.partial(time.perf_counter_ns)


def f(x):
    return x + clock() % 1009

# %% profile_removed
# attack: switches the profiler off, then reads the clock; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import sys, time


def f(x):
    old = sys.getprofile()
    sys.setprofile(None)
    t = time.perf_counter()
    sys.setprofile(old)
    return x * 2

# %% profile_sniff
# attack: prints only when no profiler watches; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import sys

log = []


def f(x):
    if sys.getprofile() is None:
        log.append(1)
    return x * 2

# %% saved_stdout
# attack: prints to the stream it saved when loaded; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import sys

screen = sys.__stderr__


def f(x):
    screen.write("")
    return x * 2

# %% setprofile_patched
# attack: replaces sys.setprofile when loaded; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

import sys, time

sys.setprofile = lambda *a: None


def f(x):
    t = time.time()
    return x * 2

# %% time_bomb
# attack: impure from the fifth call on; must find: purity
import jax
import jax.numpy as jnp
import numpy as np

calls = {"n": 0}
log = []


def f(x):
    calls["n"] += 1
    if calls["n"] > 5:
        log.append(1)
    return x * 2
