# ruff: noqa
# type: ignore
"""Cells as students write them, in many styles. Each begins with `# %%`; none reaches further."""

import collections, dataclasses, functools, itertools, json, math, operator, time
from collections import Counter, defaultdict, deque
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial, wraps
from typing import Any, Callable, Dict, Generic, NamedTuple, Optional, TypeVar, Union
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jax import lax


# %% timer class context manager
class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *args):
        self.elapsed = time.perf_counter() - self.start


with Timer() as timer:
    jax.jit(lambda x: x + 1)(jnp.ones(3)).block_until_ready()
print(f"{timer.elapsed:.3f} s")


# %% timeit best of
def best_of(function, *args, repeat=5):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        jax.block_until_ready(function(*args))
        times.append(time.perf_counter() - start)
    return min(times), sum(times) / len(times)


print("best %.2f ms" % (1e3 * best_of(jnp.sin, jnp.ones(10))[0]))


# %% contextmanager timer
@contextmanager
def timed(label):
    t0 = time.perf_counter()
    try:
        yield
    finally:
        print(f"{label:<10}: {time.perf_counter() - t0:8.4f} s")


with timed("compile"):
    jnp.ones(3).sum().block_until_ready()


# %% enum
from enum import Enum


class Covariance(Enum):
    FULL = "full"
    DIAGONAL = "diagonal"


def penalty(kind, x):
    if kind is Covariance.FULL:
        return x.sum()
    return jnp.diagonal(x).sum()


f = jax.jit(penalty, static_argnums=0)
f(Covariance.FULL, jnp.eye(2))
print(Covariance.FULL.value, [c.name for c in Covariance])


# %% enum auto intenum
import enum


class Mode(enum.IntEnum):
    TRAIN = enum.auto()
    TEST = enum.auto()


@partial(jax.jit, static_argnames=("mode",))
def step(x, mode=Mode.TRAIN):
    return x * 2 if mode == Mode.TRAIN else x


# %% namedtuple state
class State(NamedTuple):
    params: jax.Array
    opt_state: Any
    step: int = 0

    @property
    def norm(self):
        return jnp.linalg.norm(self.params)


def update(state: State, grads) -> State:
    return state._replace(params=state.params - 0.1 * grads, step=state.step + 1)


# %% dataclass with property and replace
@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Model:
    B: jax.Array
    Omega: jax.Array
    n: int = field(default=3, metadata=dict(static=True))

    @property
    def p(self) -> int:
        return self.B.shape[1]

    def with_B(self, B: jax.Array) -> "Model":
        return replace(self, B=B)

    @classmethod
    def zeros(cls, d, p):
        return cls(jnp.zeros((d, p)), jnp.eye(p))


# %% optax schedule
schedule = optax.warmup_cosine_decay_schedule(
    init_value=0.0, peak_value=1e-2, warmup_steps=10, decay_steps=100
)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(learning_rate=schedule))
opt_state = optimizer.init(jnp.zeros(3))
print([float(schedule(i)) for i in range(0, 100, 25)])


# %% main guard
def main() -> None:
    x = jnp.linspace(0, 1, 5)
    assert jnp.allclose(jnp.sin(x) ** 2 + jnp.cos(x) ** 2, 1.0), "identity"
    print("ok")


if __name__ == "__main__":
    main()


# %% asserts np.testing
def close(a, b, tol=1e-6):
    assert a.shape == b.shape, (a.shape, b.shape)
    return bool(jnp.max(jnp.abs(a - b)) < tol)


np.testing.assert_allclose(np.ones(3), jnp.ones(3), rtol=1e-6)


# %% try except tracer
try:
    jax.jit(lambda x: x if x > 0 else -x)(1.0)
except jax.errors.TracerBoolConversionError as error:
    print(type(error).__name__, str(error).splitlines()[0])
except Exception as e:
    print("another", repr(e))
    raise


# %% sorted lambda
results = {"eager": 3.2, "jit": 0.1, "scan": 0.05}
for rank, (name, seconds) in enumerate(sorted(results.items(), key=lambda kv: kv[1]), start=1):
    print(f"{rank}. {name:>8s} {seconds:.2e}")
fastest = min(results, key=results.get)


# %% zip strict dict comp
names = ["B", "M", "log_S"]
values = [jnp.zeros(2) for _ in names]
params = {k: v for k, v in zip(names, values)}
shapes = jax.tree.map(lambda a: a.shape, params)
print("{} parameters: {}".format(len(params), ", ".join(sorted(params))))


# %% itertools
for n, p in itertools.product((10, 20), (2, 3)):
    print(n, p, sum(1 for _ in itertools.combinations(range(p), 2)))
pairs = list(itertools.pairwise([1, 2, 3]))
flat = list(itertools.chain.from_iterable([[1], [2]]))


# %% math typing
def log_factorial(n: int) -> float:
    return math.lgamma(n + 1) if n > 1 else 0.0


Vector = Union[np.ndarray, jax.Array]
Params = Dict[str, jnp.ndarray]


def norm(v: Vector) -> float:
    return math.sqrt(sum(float(x) ** 2 for x in v))


# %% array alias
Array = jax.Array
Params = dict[str, Array]


def init(key: Array, sizes: tuple[int, ...]) -> Params:
    keys = jax.random.split(key, len(sizes))
    return {f"w{i}": jax.random.normal(k, (s,)) for i, (k, s) in enumerate(zip(keys, sizes))}


# %% numpy alias annotation
from numpy.typing import ArrayLike, NDArray


def mean(x: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(x, dtype=np.float64).mean(axis=0)


def f(x: np.ndarray, y: Optional[np.ndarray] = None) -> np.ndarray:
    return x if y is None else x + y


# %% isinstance arrays
def to_numpy(x):
    if isinstance(x, (np.ndarray, jax.Array)):
        return np.asarray(x)
    if isinstance(x, (list, tuple)):
        return type(x)(to_numpy(v) for v in x)
    return x


# %% deque defaultdict counter
history = deque(maxlen=5)
groups = defaultdict(list)
counts = Counter()
for i in range(7):
    history.append(i)
    groups[i % 2].append(i)
    counts[i % 3] += 1
print(list(history), dict(groups), counts.most_common(1)[0], history[-1])


# %% rng
rng = np.random.default_rng(0)
X = rng.normal(size=(20, 2))
Y = rng.poisson(np.exp(X @ np.ones((2, 3))))
idx = rng.permutation(20)[:5]
u = rng.random(3)
z = rng.standard_normal((2, 2))
c = rng.choice(3, size=2)
i = rng.integers(0, 5)


# %% printing options
np.set_printoptions(precision=3, suppress=True)
print(np.round(np.linspace(0, 1, 3), 2))


# %% errstate
with np.errstate(divide="ignore", invalid="ignore"):
    r = np.where(np.array([0.0, 1.0]) > 0, np.log(np.array([0.0, 1.0])), 0.0)


# %% named scope
@jax.jit
def f(x):
    with jax.named_scope("E-step"):
        y = jnp.exp(x)
    return jax.named_call(jnp.sum, name="total")(y)


# %% checkpoint
@jax.checkpoint
def block(x):
    return jnp.tanh(x)


g = jax.grad(lambda x: block(x).sum())(jnp.ones(3))
r = jax.remat(block)


# %% jaxpr printing
print(jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0))
lowered = jax.jit(jnp.sin).lower(jnp.ones(3))
compiled = lowered.compile()
print(lowered.as_text()[:200], compiled.cost_analysis(), compiled.memory_analysis())
print(compiled(jnp.ones(3)))


# %% aot with shapedtypestruct
spec = jax.ShapeDtypeStruct((3, 2), jnp.float32)
compiled = jax.jit(lambda x: x.T @ x).trace(spec).lower().compile()
out = jax.eval_shape(lambda x: x.T @ x, spec)
print(out.shape, out.dtype)


# %% cache of compiled by shape
_cache = {}


def compiled_for(x):
    key = (x.shape, str(x.dtype))
    if key not in _cache:
        _cache[key] = jax.jit(jnp.sum).lower(x).compile()
    return _cache[key](x)


# %% lru cache factory
@functools.lru_cache(maxsize=None)
def make_step(degree: int):
    @jax.jit
    def step(x):
        return sum(x**k for k in range(degree + 1))

    return step


# %% switch with table
branches = (lambda x: x, lambda x: x**2, jnp.sqrt)
f = jax.jit(lambda i, x: lax.switch(i, branches, x))
print([float(f(i, 4.0)) for i in range(3)])


# %% while loop with dict state
def body(s):
    x = s["x"] - (s["x"] ** 2 - 2) / (2 * s["x"])
    return {**s, "i": s["i"] + 1, "x": x, "old": s["x"]}


def cond(s):
    return (jnp.abs(s["x"] - s["old"]) > 1e-6) & (s["i"] < 50)


out = lax.while_loop(cond, body, {"i": 0, "x": 1.0, "old": jnp.inf})


# %% scan history
def run(x0, n):
    def body(x, t):
        x = x - 0.1 * jax.grad(lambda v: (v**2).sum())(x)
        return x, (x**2).sum()

    return lax.scan(body, x0, xs=jnp.arange(n), length=n)


final, history = jax.jit(run, static_argnames="n")(jnp.ones(3), n=10)


# %% fori with at
def fill(n):
    return lax.fori_loop(0, n, lambda i, a: a.at[i].set(i**2), jnp.zeros(n))


# %% vmap in_axes
batched = jax.vmap(lambda x, w: x @ w, in_axes=(0, None), out_axes=0)
hess = jax.jacfwd(jax.jacrev(lambda x: (x**3).sum()))(jnp.ones(2))
jit_hess = jax.jit(jax.hessian(lambda x: (x**3).sum()))


# %% operator overload class
class Matrix:
    __slots__ = ("data",)

    def __init__(self, data):
        self.data = jnp.asarray(data)

    def __matmul__(self, other):
        return Matrix(self.data @ other.data)

    def __repr__(self):
        return f"Matrix({self.data.shape})"

    def __getitem__(self, i):
        return self.data[i]

    def __len__(self):
        return self.data.shape[0]

    def __iter__(self):
        return iter(self.data)


# %% inheritance super
class Base:
    def __init__(self, rate=0.1):
        self.rate = rate

    def step(self, x, g):
        return x - self.rate * g


class Momentum(Base):
    def __init__(self, rate=0.1, beta=0.9):
        super().__init__(rate)
        self.beta = beta
        self._velocity = 0.0

    def step(self, x, g):
        self._velocity = self.beta * self._velocity + g
        return super().step(x, self._velocity)

    @staticmethod
    def norm(x):
        return jnp.linalg.norm(x)


# %% property setter
class Model:
    def __init__(self):
        self._B = None

    @property
    def B(self):
        return self._B

    @B.setter
    def B(self, value):
        self._B = jnp.asarray(value)


m = Model()
m.B = [1.0, 2.0]
print(m.B.shape)


# %% generator
def batches(n, size):
    for start in range(0, n, size):
        yield slice(start, min(start + size, n))


total = sum(s.stop - s.start for s in batches(10, 3))
gen = batches(4, 2)
first = next(gen, None)


# %% walrus while
values = iter([3, 2, 1, 0])
while (v := next(values)) > 0:
    print(v, end=" ")
else:
    print("done")


# %% match
def describe(kind):
    match kind:
        case "full" | "diagonal":
            return 1
        case (a, b) if a > b:
            return a
        case {"kind": k}:
            return k
        case _:
            return None


# %% json and textwrap
print(json.dumps({"elbo": float(jnp.float32(1.5)), "shape": [1, 2]}, indent=2))


# %% functools reduce partial
total = functools.reduce(operator.add, [1, 2, 3])
square = partial(pow, exp=2)
compose = functools.reduce(lambda f, g: lambda x: g(f(x)), [jnp.sin, jnp.cos])


# %% custom vjp
@jax.custom_vjp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-9))


def fwd(x):
    return safe_log(x), x


def bwd(x, g):
    return (g / jnp.maximum(x, 1e-9),)


safe_log.defvjp(fwd, bwd)


# %% jax scipy
from jax.scipy.special import gammaln
from jax.scipy.linalg import solve_triangular, cho_solve
from jax.scipy.stats import norm

L = jnp.linalg.cholesky(jnp.eye(3))
print(solve_triangular(L, jnp.ones(3), lower=True), norm.logpdf(0.0))


# %% import styles
import jax.numpy as np2
import jax.random as jr
from jax import grad, jit, vmap, random, tree_util as tu
from jax.lax import scan, cond, fori_loop, while_loop

key = random.PRNGKey(0)
key, sub = random.split(key)
x = jr.normal(sub, (3,))
tu.tree_map(lambda a: a, [x])


# %% global counter trace
traces = 0


@jax.jit
def f(x):
    global traces
    traces += 1
    print("tracing with", x)
    return x * 2


f(1.0)
f(2.0)
print(f._cache_size(), traces)


# %% nonlocal counter
def counter():
    count = 0

    def inc():
        nonlocal count
        count += 1
        return count

    return inc


c = counter()
c()
print(c())


# %% decorator with args
def repeat(times):
    def decorate(function):
        @wraps(function)
        def inner(*args, **kwargs):
            for _ in range(times - 1):
                function(*args, **kwargs)
            return function(*args, **kwargs)

        inner.times = times
        return inner

    return decorate


@repeat(times=2)
def hello(x):
    return x


# %% kwargs config
config = dict(n_iterations=10, rate=0.1)


def fit(Y, *, n_iterations=5, rate=0.01, **options):
    return Y.sum() * n_iterations * rate, options


fit(jnp.ones(2), **config, verbose=True)
fit(jnp.ones(2), **{"rate": 0.3})


# %% jit assigned options spread
fit_jit = jax.jit(lambda Y, n: Y * n, static_argnames=("n",))
settings = {"n": 3}
print(fit_jit(jnp.ones(2), **settings))


# %% tree utils
leaves, treedef = jax.tree.flatten({"a": jnp.ones(2), "b": (1, 2.0)})
back = jax.tree.unflatten(treedef, [l * 2 for l in leaves])
for path, leaf in jax.tree_util.tree_leaves_with_path(back):
    print(jax.tree_util.keystr(path), leaf)
print(treedef.num_leaves)


# %% donate and static
@partial(jax.jit, donate_argnums=(0,), static_argnames=["n"], inline=False)
def update(x, n):
    return x * n


# %% callback
def host(x):
    return np.asarray(x) * 2


@jax.jit
def f(x):
    jax.debug.print("x = {x}", x=x)
    jax.debug.callback(lambda v: print("seen", v), x)
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)


# %% device put
device = jax.devices()[0]
x = jax.device_put(np.ones(3), device)
print(device.platform, jax.default_backend(), jax.device_count(), jax.__version__)


# %% x64
jax.config.update("jax_enable_x64", False)
print(jnp.finfo(jnp.float32).eps, jnp.iinfo(jnp.int32).max)


# %% log object
class Log:
    def __init__(self):
        self.rows = []

    def add(self, **row):
        self.rows.append(row)
        return self

    def __str__(self):
        return "\n".join(", ".join(f"{k}={v}" for k, v in r.items()) for r in self.rows)


log = Log()
log.add(n=1, elbo=-2.0)
print(log)


# %% frozenset and sets
seen = {1, 2} | {3}
key = frozenset(seen)
print(key, sorted(seen - {1}), any(s > 2 for s in seen), all(seen))


# %% docstring doctest
def f(x):
    """Return twice x.

    >>> f(2)
    4
    """
    return 2 * x


help_text = f.__doc__


# %% overload typevar generic
T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value

    def map(self, g: Callable[[T], T]) -> "Box[T]":
        return Box(g(self.value))


def identity(x: T) -> T:
    return x


# %% lax helper functions
m = lax.stop_gradient(jnp.ones(2))
s = lax.dynamic_slice(jnp.arange(5), (1,), (3,))
u = lax.dynamic_update_slice(jnp.zeros(5), jnp.ones(2), (1,))
c = lax.cond(True, lambda: 1, lambda: 2)
q = lax.associative_scan(jnp.add, jnp.arange(4))


# %% compare types
x = jnp.ones(2)
if type(x) is np.ndarray or type(x) == float:
    x = jnp.asarray(x)
print(type(x), type(x).__name__)
