"""Functions that compile again, since each call makes a new function or program."""

# %% wrong_lambda_per_call
# verdict: wrong (compiled-again)
# counts: 1 1 1
# lines: 12 12 12
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


def entry(x):
    return jax.jit(lambda v: v * 3)(x)

# %% wrong_array_closed_over
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.jit(lambda b: x * b)(2.0)

# %% wrong_class_made_in_call
# verdict: wrong (compiled-again)
# counts: 1 1
import dataclasses

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


@jax.jit
def half(state):
    return jax.tree.map(lambda leaf: leaf / 2, state).x


def entry(x):
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class State:
        x: jax.Array

    return half(State(x))

# %% wrong_closure_rebuilt
# verdict: wrong (compiled-again)
# counts: 1 1
# says: closed over
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2)]


def make_step(rate):
    @jax.jit
    def step(x):
        return x - rate * x

    return step


def entry(x, rate):
    return make_step(rate)(x)

# %% wrong_compile_each_call
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    return jax.jit(lambda v: v - 1).lower(x).compile()(x)

# %% wrong_executor_of_new_lambdas
# verdict: wrong (too-many-compilations)
# counts: 2 2
from concurrent.futures import ThreadPoolExecutor

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]
pool = ThreadPoolExecutor(1)


def entry(x):
    jobs = [pool.submit(jax.jit(lambda v, k=k: v * k), x) for k in (2, 3)]
    return [job.result() for job in jobs]

# %% wrong_generator_of_programs
# verdict: wrong (compiled-again)
# counts: 1 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A,)]


def steps():
    while True:
        yield jax.jit(lambda v: v + 1)


programs = steps()


def entry(x):
    return next(programs)(x)

# %% wrong_inner_def_per_call
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    @jax.jit
    def scale(v):
        return v / jnp.sum(v)

    return scale(x)

# %% wrong_jit_in_init
# verdict: wrong (compiled-again)
# counts: 1 1
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


def entry(x):
    return Model(2.0).step(x)

# %% wrong_jit_of_partial_per_call
# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def scale(c, x):
    return c * x


def entry(x):
    return jax.jit(functools.partial(scale, 2.0))(x)

# %% wrong_lambda_in_loop
# verdict: wrong (too-many-compilations)
# counts: 3 3
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    for power in (1, 2, 3):
        x = jax.jit(lambda v: v**power)(x)  # noqa: B023
    return x

# %% wrong_remembered_by_value
# verdict: wrong (compiled-again)
# counts: 1 0
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A,)]
known = {}


def entry(x):
    key = np.asarray(x).tobytes()
    if key not in known:
        known[key] = jax.jit(lambda v: v * 2)(x)
    return known[key]

# %% wrong_shape_from_data
# verdict: wrong (compiled-again)
# counts: 1 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,), (A + 2,)]


@jax.jit
def mean(x):
    return jnp.mean(x)


def entry(x):
    return mean(np.asarray(x)[np.asarray(x) > 2])

# %% wrong_thread_lambda
# verdict: wrong (compiled-again)
# counts: 1 1
import threading

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def entry(x):
    out = []
    worker = threading.Thread(target=lambda: out.append(jax.jit(lambda v: v * 5)(x)))
    worker.start()
    worker.join()
    return out[0]

# %% wrong_value_and_grad_per_call
# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import jax.numpy as jnp
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def loss(x):
    return jnp.sum(x**2)


def entry(x):
    return jax.jit(jax.value_and_grad(lambda v: loss(v)))(x)

# %% wrong_wrapped_by_own_decorator
# verdict: wrong (compiled-again)
# counts: 1 1
import functools

import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A,), (A + 1,)]


def fast(function):
    @functools.wraps(function)
    def wrapper(*args):
        return jax.jit(lambda *a: function(*a))(*args)

    return wrapper


@fast
def entry(x):
    return x * 2
