"""Pure functions: helpers, closures, decorators, and globals that stay as they are."""

# %% simple
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return x * 2

# %% bound_method
# pure
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self, scale):
        self.scale = scale

    def predict(self, x):
        return x * self.scale


f = Model(2.0).predict

# %% closure_constant
# pure
import jax
import jax.numpy as jnp
import numpy as np


def make(scale):
    def g(x):
        return x * scale

    return jax.jit(g)


f = make(3.0)

# %% enum_match
# pure
import jax
import jax.numpy as jnp
import numpy as np

import enum


class Mode(enum.Enum):
    FAST = 1
    SLOW = 2


def arguments():
    return (jnp.ones(3), Mode.SLOW)


def f(x, mode):
    match mode:
        case Mode.FAST:
            return x
        case Mode.SLOW:
            return x * 3

# %% helper_closure_local
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    parts = [x]

    def add(value):
        if value.ndim > 1:
            parts.append(value.sum(1))

    add(x)
    return sum(parts)

# %% helper_in_comprehension
# pure
import jax
import jax.numpy as jnp
import numpy as np


def push(stack, value):
    if value is None:
        stack.append(0.0)
    return value


def f(x):
    stack = [0.0]
    rows = [push(stack, row) for row in (x, 2 * x)]
    return sum(rows) + stack[0]

# %% helper_kwargs
# pure
import jax
import jax.numpy as jnp
import numpy as np


def note(x, *, into):
    if x.ndim > 1:
        into.append(x)


def f(x):
    seen = []
    note(x, into=seen)
    return x * (1 + len(seen))

# %% helper_nested
# pure
import jax
import jax.numpy as jnp
import numpy as np


def inner(parts, x):
    if x.ndim > 1:
        parts["wide"] = x
    return x


def outer(parts, x):
    return inner(parts, x)


def f(x):
    parts = {}
    return outer(parts, x) + len(parts)

# %% isinstance_check
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if not isinstance(x, (jax.Array, np.ndarray)):
        x = jnp.asarray(x)
    return x * 2

# %% own_decorator
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


def doubled(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        return fn(*args) * 2

    return wrapper


@doubled
def f(x):
    return x + 1

# %% partial_function
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


def g(k, x):
    return x * k


f = functools.partial(g, 3.0)

# %% raises_static
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if x.ndim != 1:
        raise ValueError(f"need a vector, got {x.shape}")
    return x * 2

# %% recursion
# pure
import jax
import jax.numpy as jnp
import numpy as np


def power(x, n):
    return x if n == 1 else x * power(x, n - 1)


def f(x):
    return power(x, 4)

# %% branches_on_tracer
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if x.sum() > 0:
        return x
    return -x

# %% eager_python_float
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    total = 0.0
    for v in np.asarray(x):
        total += float(v)
    return total

# %% functools_reduce
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools, operator


def f(x):
    return functools.reduce(operator.mul, [x, x + 1, x + 2])

# %% lambdas_in_a_list
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    fns = [lambda v, k=k: v * k for k in (1.0, 2.0)]
    return sum(fn(x) for fn in fns)

# %% lambdas_late_bound
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    fns = [lambda v: v * k for k in (1.0, 2.0)]
    return sum(fn(x) for fn in fns)

# %% function_redefined
# pure
import jax
import jax.numpy as jnp
import numpy as np


def act(x):
    return x


def act(x):
    return jnp.tanh(x)


def f(x):
    return act(x)

# %% singledispatch
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.singledispatch
def scale(n):
    return 1.0


@scale.register
def _(n: int):
    return 2.0


def f(x):
    return x * scale(3) + scale("a")

# %% static_argnums
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


def arguments():
    return (jnp.ones(4), 2)


@functools.partial(jax.jit, static_argnums=1)
def f(x, n):
    return x.reshape(n, -1)

# %% static_string
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jnp.ones(3), "tanh", 2)


def f(x, name, n):
    for _ in range(n):
        x = getattr(jnp, name)(x)
    return x

# %% tracer_check_raises
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x, n=3):
    if isinstance(n, jax.core.Tracer):
        raise TypeError("n must be static")
    return x * n

# %% class_call_frozen
# pure
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses


@dataclasses.dataclass(frozen=True)
class Affine:
    a: float
    b: float

    def __call__(self, x):
        return self.a * x + self.b


f = jax.jit(Affine(2.0, 1.0))

# %% assertion
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    assert x.ndim == 1, "vector"
    assert x.shape[0] == 3
    return jnp.linalg.norm(x)

# %% try_except
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    try:
        n = {"a": 1}["b"]
    except KeyError:
        n = 2
    return x * n

# %% walrus_format
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    if (n := x.shape[0]) > 2:
        name = f"n={n:>3}"
    else:
        name = ""
    return x * len(name)

# %% builds_text
# pure
import jax
import jax.numpy as jnp
import numpy as np

import textwrap, re, json


def f(x):
    text = textwrap.dedent("  a b\n").strip()
    n = len(re.sub("a", "bb", text)) + len(json.dumps({"k": [1]}))
    return x * n

# %% doubles
# pure


def f(x):

    return x * 2

# %% module_constants
# pure
import jax
import jax.numpy as jnp
import numpy as np

RATE = 0.1
TABLE = np.arange(3)
NAMES = ("a", "b")


def f(x):
    return x * RATE + TABLE * len(NAMES)

# %% setup_then_read
# pure
import jax
import jax.numpy as jnp
import numpy as np

params = {}
params["scale"] = 2.0
params["table"] = np.arange(3)


def f(x):
    return x * params["scale"] + params["table"]

# %% unrelated_writer
# pure
import jax
import jax.numpy as jnp
import numpy as np

calls = 0


def other():
    global calls
    calls += 1


SCALE = 2.0


def f(x):
    return x * SCALE

# %% two_step_constant
# pure
import jax
import jax.numpy as jnp
import numpy as np

n = 3
n = n * 2
weights = jnp.ones(3) * n


def f(x):
    return x @ weights

# %% read_only_object
# pure
import jax
import jax.numpy as jnp
import numpy as np


class Config:
    def __init__(self):
        self.lr, self.names = 0.1, ["a", "b"]


config = Config()


@jax.jit
def f(x):
    return x - config.lr * x * len(config.names)

# %% reads_without_order
# pure
import collections
import operator
import jax
import jax.numpy as jnp
import numpy as np
import optax

seen = {8, 0, "a"}
table = collections.OrderedDict(b=1.0, a=float("nan"))
numbers = np.asfortranarray(np.ones((2, 2)))
records = np.zeros(2, dtype=[("a", object), ("b", float)])
many = [[i] for i in range(11_000)]
optimizer = optax.chain(optax.clip(1.0), optax.adam(optax.constant_schedule(0.1)))
get, name = {"a": 1.0}.get, operator.attrgetter("size")
upper = "a".upper
structure = jax.tree.structure({"a": 1, "b": [2]})


@jax.jit
def f(x):
    state = optimizer.init(x)
    updates, state = optimizer.update(x, state)
    total = (
        len(seen)
        + table["b"]
        + numbers.sum()
        + get(upper().lower())
        + name(numbers)
        + len(records)
        + len(many)
    )
    return jax.tree.unflatten(structure, [updates * total, x])

# %% global_dataset
# pure
import jax
import jax.numpy as jnp
import numpy as np

Y = np.random.default_rng(0).poisson(3.0, (5, 3)).astype("float32")
X = jnp.ones((5, 1))


@jax.jit
def f(b):
    eta = X @ b[None, :]
    return jnp.sum(Y * eta - jnp.exp(eta))

# %% attribute_called_filters
# pure

import warnings


class Net:
    def __init__(self):
        self.filters = [1, 2]
        self.level = 3
        self.path = "a"


warnings.filterwarnings("ignore", message="a message of nobody")
net = Net()


def f(x):
    return x * len(net.filters)

# %% own_layer_beside_a_global
# pure
import warnings

import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.filters = jnp.ones(3)


layer = Layer()


def f(x):
    layer_copy = Layer()
    layer_copy.filters = x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return x * layer.filters + layer_copy.filters

# %% pure_filled_above
# pure
import jax
import jax.numpy as jnp
import numpy as np

def fill(table):
    table["n"] = 7


TABLE = {"n": 1}
fill(TABLE)


def f(x):
    return x * TABLE["n"]

# %% pure_a_copy_is_trained
# pure
import jax
import jax.numpy as jnp
import numpy as np

params = {"w": 1.0}


def f(x):
    return x * params["w"]


def train(params):
    params = dict(params)
    params["w"] = 2.0
    return params


trained = train(params)

# %% pure_beside_a_log
# pure
import jax
import jax.numpy as jnp
import numpy as np

params = {"w": 1.0}
history = []


def f(x):
    return x * params["w"]


def log(history, params):
    history.append(params["w"])


log(history, params)

# %% pure_beside_another_model
# pure
import jax
import jax.numpy as jnp
import numpy as np

class Model:
    def __init__(self, w):
        self.w = w



model = Model(1.0)


def f(x):
    return x * model.w


def descend(model, rate):
    model.w -= rate


def train():
    model = Model(2.0)
    descend(model, 0.1)
    return model


other = train()

# %% pure_class_beside_its_objects
# pure
import jax
import jax.numpy as jnp
import numpy as np

class Settings:
    rate = 0.1


@jax.jit
def f(x):
    return x * Settings.rate


def make(rate):
    settings = Settings()
    settings.rate = rate
    return settings


other = make(0.2)

# %% pure_beside_a_method_of_that_name
# pure
import jax
import jax.numpy as jnp
import numpy as np

params = {"w": 1.0}


class Trainer:
    def step(self, params):
        params["w"] = 2.0


def f(x):
    return x * params["w"]


def step(rate, params):
    return rate * params["w"]


step(0.1, params)
