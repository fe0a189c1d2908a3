"""Functions compiled once, however the jitted function is made."""

# %% right_jitted
# verdict: right
# counts: 1 0 1 0
# lines: 13 - 13 -
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:4],), (A,)]


@jax.jit
def entry(x):
    return jnp.sum(jnp.sin(x))

# %% right_ahead_of_time
# verdict: right
# counts: 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def square(x):
    return jnp.sum(x * x)


entry = jax.jit(square).lower(A).compile()

# %% right_ahead_of_time_by_shape
# verdict: right
# counts: 1 0 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:4],)]
_programs = {}


def square(x):
    return jnp.sum(x * x)


def entry(x):
    if x.shape not in _programs:
        _programs[x.shape] = jax.jit(square).lower(x).compile()
    return _programs[x.shape](x)

# %% right_ahead_of_time_wrapped
# verdict: right
# counts: 0 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def square(x):
    return jnp.sum(x * x)


_compiled = jax.jit(square).lower(A).compile()


def entry(x):
    return _compiled(x)

# %% right_bound_method_rejitted
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def step(self, x):
        return 2 * x


model = Model()
step = model.step


def entry(x):
    return jax.jit(step)(x)

# %% right_cached_factory
# verdict: right
# counts: 1 0 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 2), (A + 1, 2), (A, 3), (A, 3)]


@functools.lru_cache
def make_power(n):
    return jax.jit(lambda x: x**n)


def entry(x, n):
    return make_power(n)(x)

# %% right_callable_model
# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return 2 * x


entry = Model()

# %% right_callable_object
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Scale:
    def __call__(self, x):
        return 2 * x


entry = jax.jit(Scale())

# %% right_float_of_result
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def total(x):
    return x.sum()


def entry(x):
    return float(total(x))

# %% right_fresh_jit_of_same_function
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def double(x):
    return 2 * x


def entry(x):
    return jax.jit(double)(x)

# %% right_jit_in_init_once
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


class Model:
    def __init__(self, scale):
        self.scale = scale
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x * self.scale


model = Model(2.0)


def entry(x):
    return model.step(x)

# %% right_jit_of_library_function
# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.eye(3, dtype=np.float32)
CALLS = [(A, A[0]), (2 * A, A[1])]

entry = jax.jit(jnp.linalg.solve)

# %% right_lambda
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]

entry = jax.jit(lambda x: x - 1)

# %% right_logs_and_namedtuple
# verdict: right
# counts: 1 0
import collections
import logging

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _double(x):
    return 2 * x


def entry(x):
    logging.getLogger(__name__).info("called")
    Result = collections.namedtuple("Result", "value")
    return Result(_double(x)).value

# %% right_made_at_first_call
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
_step = None


def entry(x):
    global _step
    if _step is None:
        _step = jax.jit(lambda v: v + 1)
    return _step(x)

# %% right_module_decorator
# verdict: right
# counts: 1 0
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def fast(function):
    jitted = jax.jit(function)

    @functools.wraps(function)
    def wrapper(*args):
        return jitted(*args)

    return wrapper


@fast
def entry(x):
    return 2 * x

# %% right_named_like_library
# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def where(x):
    return jnp.where(x > 2, x, 0)


entry = where

# %% right_own_listener
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
events = []
jax.monitoring.register_event_duration_secs_listener(lambda name, *_, **__: events.append(name))


@jax.jit
def entry(x):
    return 2 * x

# %% right_partial_of_jit
# verdict: right
# counts: 1 0 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A[:3],)]


@functools.partial(jax.jit, static_argnames="n")
def power(x, n):
    return x**n


entry = functools.partial(power, n=3)

# %% right_thread_of_module_jit
# verdict: right
# counts: 1 0
import threading

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def double(x):
    return 2 * x


def entry(x):
    out = []
    worker = threading.Thread(target=lambda: out.append(double(x)))
    worker.start()
    worker.join()
    return out[0]

# %% right_unpacks_result
# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _fit(x):
    return jnp.mean(x), {"sd": jnp.std(x)}


def entry(x):
    mean, rest = _fit(x)
    return {"mean": mean, **rest}

# %% right_warm_up_in_module
# verdict: right
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def entry(x):
    return 2 * x


entry(A)

# %% right_wrapped_entry
# verdict: right
# counts: 1 0
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def _normalize(x):
    return x / jnp.sum(x)


def entry(x):
    if x.ndim != 1:
        raise ValueError("one axis expected")
    return _normalize(x)
