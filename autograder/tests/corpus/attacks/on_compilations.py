"""Functions that hide compilations from the counter."""

# %% bare_thread
# attack: compiles in a thread started below the threading module; must find: compilations
import _thread

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    out, done = [], _thread.allocate_lock()
    done.acquire()

    def work():
        out.append(jax.jit(lambda v: 2 * v)(x))
        done.release()

    _thread.start_new_thread(work, ())
    done.acquire()
    return out[0]

# %% cached_by_id
# attack: remembers results by the identity of the argument; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,), (A,)]
known = {}


def entry(x):
    if id(x) not in known:
        known[id(x)] = jax.jit(lambda v: 2 * v)(x)
    return known[id(x)]

# %% cached_by_value
# attack: remembers results by the bytes of the argument; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,)]
known = {}


def entry(x):
    key = bytes(np.asarray(x))
    if key not in known:
        known[key] = jax.jit(lambda v: 2 * v)(x)
    return known[key]

# %% clears_listeners
# attack: removes every monitoring listener, then compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    jax.monitoring.clear_event_listeners()
    return jax.jit(lambda v: 2 * v)(x)

# %% edits_the_grader
# attack: edits the counter's own class during the call; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: v)


def entry(x):
    watch = sys.modules["auto" + "grader.compilations.watch"].Watch
    kept = watch._compiled
    watch._compiled = lambda *_: None
    try:
        return good(jax.jit(lambda v: 2 * v)(x))
    finally:
        watch._compiled = kept

# %% fake_jit
# attack: replaces jax.jit by the identity, so that nothing compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
jax.jit = lambda function, **_options: function


@jax.jit
def entry(x):
    return 2 * x

# %% finds_the_watch
# attack: finds the counter through the garbage collector and empties it; must find: compilations
import gc

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: v)
look = getattr(gc, "get_" + "objects")


def entry(x):
    out = good(jax.jit(lambda v: 2 * v)(x))
    for thing in look():
        if type(thing).__name__ == "Watch":
            thing.compilations.clear()
    return out

# %% keeps_caches
# attack: makes clear_caches do nothing, to keep what it compiled before; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
jax.clear_caches = lambda: None
double = jax.jit(lambda v: 2 * v)
double(A)


def entry(x):
    return double(x)

# %% listeners_put_back
# attack: empties the list of listeners and refills it after compiling; must find: compilations
import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
listeners = getattr(monitoring, "_event_dur" + "ation_secs_listeners")


def entry(x):
    kept = listeners[:]
    listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    listeners.extend(kept)
    return out

# %% no_jit_at_all
# attack: switches jit off, so that nothing of its own ever compiles; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    jax.config.update("jax_disable_jit", True)
    try:
        return double(x)
    finally:
        jax.config.update("jax_disable_jit", False)

# %% raises_quietly
# attack: leaves by SystemExit before anything is compiled; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    sys.exit(0)
    return double(x)

# %% replaces_record
# attack: replaces the function that reports events; must find: compilations
import jax
import numpy as np
from jax._src import dispatch, monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def silent(*_args, **_kwargs):
    pass


for owner in (jax.monitoring, monitoring, dispatch):
    owner.record_event_duration_secs = silent


def entry(x):
    return jax.jit(lambda v: 2 * v)(x)

# %% setprofile
# attack: takes the profile hook and the listeners away and puts both back; must find: compilations
import sys

import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
program = jax.jit(lambda v: v)


def entry(x):
    hook = sys.getprofile()
    sys.setprofile(None)
    listeners = monitoring._event_duration_secs_listeners[:]
    monitoring._event_duration_secs_listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    monitoring._event_duration_secs_listeners.extend(listeners)
    sys.setprofile(hook)
    return program(out)

# %% setprofile_disguised
# attack: the same through names put together at run time; must find: compilations
import sys

import jax
import numpy as np
from jax._src import monitoring

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
program = jax.jit(lambda v: v)
get, put = (getattr(sys, word + "profile") for word in ("get", "set"))
listeners = getattr(monitoring, "_event_dur" + "ation_secs_listeners")


def entry(x):
    hook = get()
    put(None)
    kept = listeners[:]
    listeners.clear()
    out = jax.jit(lambda v: 2 * v)(x)
    listeners.extend(kept)
    put(hook)
    return program(out)

# %% silent_timer
# attack: makes JAX's own timer report nothing during the call; must find: compilations
import jax
import numpy as np
from jax._src import dispatch

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
timer = dispatch.LogElapsedTimeContextManager


def entry(x):
    report = timer.__exit__
    timer.__exit__ = lambda *_: None
    try:
        return jax.jit(lambda v: 2 * v)(x)
    finally:
        timer.__exit__ = report

# %% sniffs_frames
# attack: behaves well only when the grader is on the stack; must find: compilations
import inspect

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    graded = any("compilations" in frame.filename for frame in inspect.stack())
    return good(x) if graded else jax.jit(lambda v: 2 * v)(x)

# %% sniffs_modules
# attack: behaves well only where the grader is imported; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    return (
        good(x)
        if "autograder.criteria.compilations" in sys.modules
        else jax.jit(lambda v: 2 * v)(x)
    )

# %% sniffs_profile
# attack: behaves well only under a profile hook; must find: compilations
import sys

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    return good(x) if sys.getprofile() else jax.jit(lambda v: 2 * v)(x)

# %% sniffs_traceback
# attack: climbs the stack from a traceback, which no audit sees; must find: compilations
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
good = jax.jit(lambda v: 2 * v)


def entry(x):
    try:
        raise ValueError
    except ValueError as error:
        frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
        if "count" in frame.f_code.co_name:
            return good(x)
    return jax.jit(lambda v: 2 * v)(x)

# %% thread_left_behind
# attack: returns at once and compiles in a thread that nobody waits for; must find: compilations
import threading
import time

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
double = jax.jit(lambda v: 2 * v)


def later(x):
    time.sleep(0.05)
    jax.jit(lambda v: 3 * v)(x)


def entry(x):
    threading.Thread(target=later, args=(x,), daemon=True).start()
    return double(x)
