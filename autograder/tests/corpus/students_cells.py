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

# %% timer_class_context_manager
class Timer:
    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *args):
        self.elapsed = time.perf_counter() - self.start


with Timer() as timer:
    jax.jit(lambda x: x + 1)(jnp.ones(3)).block_until_ready()
print(f"{timer.elapsed:.3f} s")

# %% timeit_best_of
def best_of(function, *args, repeat=5):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        jax.block_until_ready(function(*args))
        times.append(time.perf_counter() - start)
    return min(times), sum(times) / len(times)


print("best %.2f ms" % (1e3 * best_of(jnp.sin, jnp.ones(10))[0]))

# %% contextmanager_timer
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

# %% enum_auto_intenum
import enum


class Mode(enum.IntEnum):
    TRAIN = enum.auto()
    TEST = enum.auto()


@partial(jax.jit, static_argnames=("mode",))
def step(x, mode=Mode.TRAIN):
    return x * 2 if mode == Mode.TRAIN else x

# %% namedtuple_state
class State(NamedTuple):
    params: jax.Array
    opt_state: Any
    step: int = 0

    @property
    def norm(self):
        return jnp.linalg.norm(self.params)


def update(state: State, grads) -> State:
    return state._replace(params=state.params - 0.1 * grads, step=state.step + 1)

# %% dataclass_with_property_and_replace
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

# %% optax_schedule
schedule = optax.warmup_cosine_decay_schedule(
    init_value=0.0, peak_value=1e-2, warmup_steps=10, decay_steps=100
)
optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(learning_rate=schedule))
opt_state = optimizer.init(jnp.zeros(3))
print([float(schedule(i)) for i in range(0, 100, 25)])

# %% main_guard
def main() -> None:
    x = jnp.linspace(0, 1, 5)
    assert jnp.allclose(jnp.sin(x) ** 2 + jnp.cos(x) ** 2, 1.0), "identity"
    print("ok")


if __name__ == "__main__":
    main()

# %% asserts_np_testing
def close(a, b, tol=1e-6):
    assert a.shape == b.shape, (a.shape, b.shape)
    return bool(jnp.max(jnp.abs(a - b)) < tol)


np.testing.assert_allclose(np.ones(3), jnp.ones(3), rtol=1e-6)

# %% try_except_tracer
try:
    jax.jit(lambda x: x if x > 0 else -x)(1.0)
except jax.errors.TracerBoolConversionError as error:
    print(type(error).__name__, str(error).splitlines()[0])
except Exception as e:
    print("another", repr(e))
    raise

# %% sorted_lambda
results = {"eager": 3.2, "jit": 0.1, "scan": 0.05}
for rank, (name, seconds) in enumerate(sorted(results.items(), key=lambda kv: kv[1]), start=1):
    print(f"{rank}. {name:>8s} {seconds:.2e}")
fastest = min(results, key=results.get)

# %% zip_strict_dict_comp
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

# %% math_typing
def log_factorial(n: int) -> float:
    return math.lgamma(n + 1) if n > 1 else 0.0


Vector = Union[np.ndarray, jax.Array]
Params = Dict[str, jnp.ndarray]


def norm(v: Vector) -> float:
    return math.sqrt(sum(float(x) ** 2 for x in v))

# %% array_alias
Array = jax.Array
Params = dict[str, Array]


def init(key: Array, sizes: tuple[int, ...]) -> Params:
    keys = jax.random.split(key, len(sizes))
    return {f"w{i}": jax.random.normal(k, (s,)) for i, (k, s) in enumerate(zip(keys, sizes))}

# %% numpy_alias_annotation
from numpy.typing import ArrayLike, NDArray


def mean(x: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(x, dtype=np.float64).mean(axis=0)


def f(x: np.ndarray, y: Optional[np.ndarray] = None) -> np.ndarray:
    return x if y is None else x + y

# %% isinstance_arrays
def to_numpy(x):
    if isinstance(x, (np.ndarray, jax.Array)):
        return np.asarray(x)
    if isinstance(x, (list, tuple)):
        return type(x)(to_numpy(v) for v in x)
    return x

# %% deque_defaultdict_counter
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

# %% printing_options
np.set_printoptions(precision=3, suppress=True)
print(np.round(np.linspace(0, 1, 3), 2))

# %% errstate
with np.errstate(divide="ignore", invalid="ignore"):
    r = np.where(np.array([0.0, 1.0]) > 0, np.log(np.array([0.0, 1.0])), 0.0)

# %% named_scope
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

# %% jaxpr_printing
print(jax.make_jaxpr(lambda x: jnp.sin(x) * 2)(1.0))
lowered = jax.jit(jnp.sin).lower(jnp.ones(3))
compiled = lowered.compile()
print(lowered.as_text()[:200], compiled.cost_analysis(), compiled.memory_analysis())
print(compiled(jnp.ones(3)))

# %% aot_with_shapedtypestruct
spec = jax.ShapeDtypeStruct((3, 2), jnp.float32)
compiled = jax.jit(lambda x: x.T @ x).trace(spec).lower().compile()
out = jax.eval_shape(lambda x: x.T @ x, spec)
print(out.shape, out.dtype)

# %% cache_of_compiled_by_shape
_cache = {}


def compiled_for(x):
    key = (x.shape, str(x.dtype))
    if key not in _cache:
        _cache[key] = jax.jit(jnp.sum).lower(x).compile()
    return _cache[key](x)

# %% lru_cache_factory
@functools.lru_cache(maxsize=None)
def make_step(degree: int):
    @jax.jit
    def step(x):
        return sum(x**k for k in range(degree + 1))

    return step

# %% switch_with_table
branches = (lambda x: x, lambda x: x**2, jnp.sqrt)
f = jax.jit(lambda i, x: lax.switch(i, branches, x))
print([float(f(i, 4.0)) for i in range(3)])

# %% while_loop_with_dict_state
def body(s):
    x = s["x"] - (s["x"] ** 2 - 2) / (2 * s["x"])
    return {**s, "i": s["i"] + 1, "x": x, "old": s["x"]}


def cond(s):
    return (jnp.abs(s["x"] - s["old"]) > 1e-6) & (s["i"] < 50)


out = lax.while_loop(cond, body, {"i": 0, "x": 1.0, "old": jnp.inf})

# %% scan_history
def run(x0, n):
    def body(x, t):
        x = x - 0.1 * jax.grad(lambda v: (v**2).sum())(x)
        return x, (x**2).sum()

    return lax.scan(body, x0, xs=jnp.arange(n), length=n)


final, history = jax.jit(run, static_argnames="n")(jnp.ones(3), n=10)

# %% fori_with_at
def fill(n):
    return lax.fori_loop(0, n, lambda i, a: a.at[i].set(i**2), jnp.zeros(n))

# %% vmap_in_axes
batched = jax.vmap(lambda x, w: x @ w, in_axes=(0, None), out_axes=0)
hess = jax.jacfwd(jax.jacrev(lambda x: (x**3).sum()))(jnp.ones(2))
jit_hess = jax.jit(jax.hessian(lambda x: (x**3).sum()))

# %% operator_overload_class
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

# %% inheritance_super
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

# %% property_setter
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

# %% walrus_while
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

# %% json_and_textwrap
print(json.dumps({"elbo": float(jnp.float32(1.5)), "shape": [1, 2]}, indent=2))

# %% functools_reduce_partial
total = functools.reduce(operator.add, [1, 2, 3])
square = partial(pow, exp=2)
compose = functools.reduce(lambda f, g: lambda x: g(f(x)), [jnp.sin, jnp.cos])

# %% custom_vjp
@jax.custom_vjp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-9))


def fwd(x):
    return safe_log(x), x


def bwd(x, g):
    return (g / jnp.maximum(x, 1e-9),)


safe_log.defvjp(fwd, bwd)

# %% jax_scipy
from jax.scipy.special import gammaln
from jax.scipy.linalg import solve_triangular, cho_solve
from jax.scipy.stats import norm

L = jnp.linalg.cholesky(jnp.eye(3))
print(solve_triangular(L, jnp.ones(3), lower=True), norm.logpdf(0.0))

# %% import_styles
import jax.numpy as np2
import jax.random as jr
from jax import grad, jit, vmap, random, tree_util as tu
from jax.lax import scan, cond, fori_loop, while_loop

key = random.PRNGKey(0)
key, sub = random.split(key)
x = jr.normal(sub, (3,))
tu.tree_map(lambda a: a, [x])

# %% global_counter_trace
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

# %% nonlocal_counter
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

# %% decorator_with_args
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

# %% kwargs_config
config = dict(n_iterations=10, rate=0.1)


def fit(Y, *, n_iterations=5, rate=0.01, **options):
    return Y.sum() * n_iterations * rate, options


fit(jnp.ones(2), **config, verbose=True)
fit(jnp.ones(2), **{"rate": 0.3})

# %% jit_assigned_options_spread
fit_jit = jax.jit(lambda Y, n: Y * n, static_argnames=("n",))
settings = {"n": 3}
print(fit_jit(jnp.ones(2), **settings))

# %% tree_utils
leaves, treedef = jax.tree.flatten({"a": jnp.ones(2), "b": (1, 2.0)})
back = jax.tree.unflatten(treedef, [l * 2 for l in leaves])
for path, leaf in jax.tree_util.tree_leaves_with_path(back):
    print(jax.tree_util.keystr(path), leaf)
print(treedef.num_leaves)

# %% donate_and_static
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

# %% device_put
device = jax.devices()[0]
x = jax.device_put(np.ones(3), device)
print(device.platform, jax.default_backend(), jax.device_count(), jax.__version__)

# %% x64
jax.config.update("jax_enable_x64", False)
print(jnp.finfo(jnp.float32).eps, jnp.iinfo(jnp.int32).max)

# %% log_object
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

# %% frozenset_and_sets
seen = {1, 2} | {3}
key = frozenset(seen)
print(key, sorted(seen - {1}), any(s > 2 for s in seen), all(seen))

# %% docstring_doctest
def f(x):
    """Return twice x.

    >>> f(2)
    4
    """
    return 2 * x


help_text = f.__doc__

# %% overload_typevar_generic
T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value: T) -> None:
        self.value = value

    def map(self, g: Callable[[T], T]) -> "Box[T]":
        return Box(g(self.value))


def identity(x: T) -> T:
    return x

# %% lax_helper_functions
m = lax.stop_gradient(jnp.ones(2))
s = lax.dynamic_slice(jnp.arange(5), (1,), (3,))
u = lax.dynamic_update_slice(jnp.zeros(5), jnp.ones(2), (1,))
c = lax.cond(True, lambda: 1, lambda: 2)
q = lax.associative_scan(jnp.add, jnp.arange(4))

# %% compare_types
x = jnp.ones(2)
if type(x) is np.ndarray or type(x) == float:
    x = jnp.asarray(x)
print(type(x), type(x).__name__)

# %% plot_a_trace
import matplotlib.pyplot as plt

history = [-10.0, -5.0, -4.5]
plt.plot(history, "o-")
plt.xlabel("step"); plt.ylabel("ELBO")
plt.ylim(-12, 0)
plt.title(f"final {history[-1]:.2f}")
plt.show()

# %% plot_in_a_grid
import matplotlib.pyplot as plt

fig, axs = plt.subplots(2, 2, figsize=(8, 6), constrained_layout=True)
for ax, name, y in zip(axs.flat, ["a", "b", "c", "d"], np.random.rand(4, 10)):
    ax.plot(y, lw=1.5, label=name)
    ax.legend(frameon=False)
    ax.set_ylim(0, 1)
    ax.grid(alpha=0.3)
fig.suptitle("four")
fig.savefig("four.png", dpi=100)
plt.close(fig)

# %% plot_in_a_function
import matplotlib.pyplot as plt


def compare(curves, ax=None):
    if ax is None:
        _, ax = plt.subplots(figsize=(5, 3))
    for name, values in curves.items():
        ax.plot(np.arange(len(values)), values, label=name)
    ax.set_xlabel("iteration")
    ax.legend()


compare({"adam": [3.0, 2.0], "newton": [3.0, 1.0]})

# %% plot_log_log_times
import matplotlib.pyplot as plt

sizes = [10, 100, 1000]
plt.loglog(sizes, [1e-4, 2e-4, 1e-3], marker="s")
plt.errorbar(sizes, [1e-4, 2e-4, 1e-3], yerr=1e-5, fmt="none")
plt.axvline(100, ls=":", c="gray")
plt.xticks(sizes, [str(s) for s in sizes], rotation=45)
plt.fill_between(sizes, 0, 1e-4, alpha=0.2)

# %% plot_style
import matplotlib.pyplot as plt

plt.style.use("ggplot")
plt.rcParams["figure.figsize"] = (6, 4)
plt.boxplot([np.arange(5), np.arange(3)])
plt.show()

# %% magic_timeit_in_a_loop
f = jax.jit(jnp.sum)
for n in (10, 100):
    x = jnp.ones(n)
    %timeit -n 3 -r 2 f(x).block_until_ready()

# %% magic_time_expression
%time jnp.ones(3).sum()

# %% magic_cell_timeit
%%timeit
jnp.ones(3).sum().block_until_ready()

# %% magic_pip
!pip install -q optax
%pip install jax
import optax

# %% magic_autoreload
%load_ext autoreload
%autoreload 2
x = 1

# %% magic_help
jnp.where?
y = 2

# %% sys_and_path
import sys

print(sys.version.split()[0], sys.platform, file=sys.stderr)
if sys.version_info < (3, 9):
    raise RuntimeError("too old")

# %% logging_setup
import logging

logger = logging.getLogger("fit")
logger.setLevel(logging.DEBUG)
logging.getLogger("jax").setLevel(logging.WARNING)
logger.debug("value %s", 3)
logging.info("hello")

# %% warnings_ignored
import warnings

warnings.filterwarnings("ignore")
warnings.simplefilter("ignore", category=UserWarning)

# %% warnings_caught
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful", RuntimeWarning, stacklevel=2)
print(len(caught))

# %% jax_contexts
with jax.disable_jit():
    print(jnp.sin(1.0))
with jax.checking_leaks():
    jax.jit(jnp.cos)(1.0)
with jax.transfer_guard("allow"):
    jnp.ones(2) + 1
with jax.enable_x64(True):
    print(jnp.ones(2).dtype)
with jax.numpy_dtype_promotion("strict"):
    jnp.float32(1) + 1

# %% jax_ensure_compile_time
@jax.jit
def f(x):
    with jax.ensure_compile_time_eval():
        n = jnp.arange(3).sum()
    return x * n

# %% jax_config_settings
jax.config.update("jax_log_compiles", False)
jax.config.update("jax_platform_name", "cpu")
jax.config.update("jax_debug_nans", True)
print(jax.config.jax_enable_x64)

# %% jax_config_import
from jax import config

config.update("jax_enable_x64", True)

# %% jax_print_environment
jax.print_environment_info()
print(jax.devices()[0].device_kind, jax.local_device_count(), jax.process_index())
for device in jax.devices():
    print(device.id, device.platform, device)

# %% timer_object_with_fields
class Timer:
    def __init__(self, name=""):
        self.name = name
        self.total = 0.0

    def start(self):
        self.time = time.perf_counter()

    def stop(self):
        self.total += time.perf_counter() - self.time
        self.count = getattr(self, "count", 0) + 1
        return self.total


t = Timer("fit")
t.start()
print(t.name, t.stop() > 0)

# %% optimizer_class_stateful
class SGD:
    def __init__(self, params, lr):
        self.params = params
        self.lr = lr
        self.step_count = 0

    def step(self, grads):
        self.params = jax.tree.map(lambda p, g: p - self.lr * g, self.params, grads)
        self.step_count += 1
        self.mean = self.std = None


opt = SGD(jnp.ones(3), 0.1)
opt.step(jnp.ones(3))
opt.lr *= 0.5
opt.params = jnp.zeros(3)
print(opt.params, opt.step_count)

# %% early_stopping_object
class EarlyStopping:
    best = float("inf")
    patience = 3

    def __init__(self):
        self.count = 0

    def update(self, value):
        if value < self.best:
            self.best, self.count = value, 0
        else:
            self.count += 1
        return self.count >= self.patience


stop = EarlyStopping()
print([stop.update(v) for v in (3.0, 2.0, 2.5, 2.6, 2.7)])

# %% linked_structure
class Node:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


head = Node(1, Node(2))
head.next.value = 5
node = head
while node:
    print(node.value)
    node = node.next

# %% attributes_of_a_local_object
def make(rate):
    class Options:
        pass

    options = Options()
    options.rate = rate
    return options


print(make(0.1).rate)

# %% history_attribute_in_place
class History:
    def __init__(self):
        self.data = {}

    def __setitem__(self, key, value):
        self.data.setdefault(key, []).append(value)

    def __getitem__(self, key):
        return self.data[key]

    def __contains__(self, key):
        return key in self.data

    def keys(self):
        return self.data.keys()


h = History()
h["loss"] = 1.0
print("loss" in h, h["loss"], list(h.keys()))

# %% bare_except_all
def try_it(f, *args):
    try:
        return f(*args)
    except:
        return None


print(try_it(lambda x: 1 / x, 0))

# %% except_base_exception_chain
class FitError(RuntimeError):
    pass


def run():
    try:
        raise KeyError("B")
    except KeyError as e:
        raise FitError("no parameter") from e


try:
    run()
except FitError as error:
    print(repr(error), repr(error.__cause__))

# %% traceback_module
import traceback

try:
    jax.jit(lambda x: bool(x))(True)
except jax.errors.ConcretizationTypeError:
    print(traceback.format_exc().splitlines()[-1])

# %% dunder_dict_and_vars
class P:
    def __init__(self):
        self.a, self.b = 1, 2


print(P().__dict__, vars(P()), P.__name__, P().__class__.__name__)

# %% dir_and_locals_look
names = [n for n in dir(jnp) if n.startswith("log")]
print(names, sorted(globals())[:3])

# %% isinstance_of_builtin_types
import numbers


def check_rate(rate):
    if not isinstance(rate, (int, float, np.floating, numbers.Number)):
        raise TypeError(f"rate must be a number, got {type(rate).__name__}")
    return float(rate)

# %% abc_with_property
import abc


class Base(abc.ABC):
    @property
    @abc.abstractmethod
    def size(self): ...

    def describe(self):
        return f"{self.__class__.__name__} of size {self.size}"


class Small(Base):
    @property
    def size(self):
        return 3


print(Small().describe())

# %% typing_extras
from typing import Protocol, TypedDict, Literal, Iterable, runtime_checkable, overload, TypeAlias


class Carry(TypedDict):
    params: jax.Array
    i: int


@runtime_checkable
class HasShape(Protocol):
    shape: tuple


Method: TypeAlias = Literal["newton", "adam"]
carry: Carry = {"params": jnp.ones(2), "i": 0}
print(isinstance(jnp.ones(2), HasShape))

# %% keyword_only_dataclass
@dataclass(kw_only=True, slots=True)
class Options:
    rate: float = 1e-2
    steps: int = 100
    names: list[str] = field(default_factory=list, repr=False)


o = Options(rate=0.5)
o.rate = 0.25
print(dataclasses.replace(o, steps=3), [f.name for f in dataclasses.fields(o)])

# %% dataclass_order
@dataclass(order=True)
class Result:
    seconds: float
    name: str = field(compare=False)


print(min(Result(2.0, "eager"), Result(0.1, "jit")).name)

# %% namedtuple_with_defaults_and_methods
class Moments(NamedTuple):
    mean: jax.Array
    var: jax.Array = jnp.ones(())

    @classmethod
    def of(cls, x):
        return cls(x.mean(), x.var())

    def __str__(self):
        return f"{self.mean:.2f} ± {self.var**0.5:.2f}"


print(Moments.of(jnp.arange(3.0)), Moments._fields, Moments(1.0)._asdict())

# %% match_on_classes
@dataclass(frozen=True)
class Full:
    rank: int


def parameters(kind):
    match kind:
        case Full(rank=r) if r > 0:
            return r
        case str() as name:
            return name
        case [first, *_]:
            return first
        case {"rank": int(r)}:
            return r
        case None | False:
            return 0
    return -1


print(parameters(Full(3)), parameters({"rank": 2}))

# %% simplenamespace
from types import SimpleNamespace

state = SimpleNamespace(i=0, x=1.0)
state.i += 1
print(state)

# %% global_dictionary_state
STATE = {"calls": 0}


def call():
    STATE["calls"] += 1
    return STATE["calls"]


[call() for _ in range(3)]

# %% global_array_rebinding
weights = jnp.ones(3)


def update(grad):
    global weights, moved
    weights = weights - 0.1 * grad
    moved = True


update(jnp.ones(3))
print(weights, moved)

# %% lambda_default_and_closure_in_loop
steps = [lambda x, i=i: x + i for i in range(3)]
print([f(10) for f in steps], [(lambda y: y * 2)(v) for v in range(3)])

# %% decorator_class
class Counted:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)


@Counted
def square(x):
    return x * x


square(2)
print(square.calls)

# %% decorator_keeps_attributes
def count_calls(f):
    @functools.wraps(f)
    def wrapper(*a, **k):
        wrapper.count += 1
        return f(*a, **k)

    wrapper.count = 0
    return wrapper


@count_calls
def g(x):
    return x


g(1)
print(g.count, g.__name__, g.__wrapped__(3))

# %% singledispatch
@functools.singledispatch
def size(x):
    return 1


@size.register
def _(x: list):
    return len(x)


print(size([1, 2]), size(3))

# %% operator_attrgetter_methodcaller
from operator import attrgetter, methodcaller

print(sorted([jnp.ones(3), jnp.ones(2)], key=attrgetter("size"))[0].shape)
print(list(map(methodcaller("upper"), ["a", "b"])))

# %% string_formatting_zoo
name, value = "elbo", -1234.5678
print("{0:>10} | {1:10.2f}".format(name, value))
print("{name}={value:.3e}".format(name=name, value=value))
print(f"{name!s:^12}|{value:+,.1f}|{value!r}|{'yes' if value < 0 else 'no'}")
print("%s: %8.3f (%d)" % (name, value, 3), name.ljust(8, "."), "-" * 20)
print(f"{jnp.float32(2.5):.3f} {np.float64(1e-9):g} {3:03d} {255:#x} {0.25:.0%}")

# %% template_strings
row = "{:<10s}{:>8.2f}"
for name, ms in [("eager", 12.345), ("jit", 0.5)]:
    print(row.format(name, ms))
header = "method    time"
print(header.format())

# %% dictionary_work
d = dict(a=1, b=2)
d |= {"c": 3}
d.update(e=5)
inverse = {v: k for k, v in d.items()}
print(d.get("z", 0), d.pop("a"), max(d, key=d.get), sorted(d.items(), key=lambda kv: -kv[1]), inverse)
for i, (k, v) in enumerate(d.items()):
    print(i, k, v)
del d["b"]

# %% list_work
xs = [5, 3, 8]
xs.sort(reverse=True)
xs.extend([1, 2]); xs.insert(0, 9)
ys = xs[::-1]
print(xs.index(8), xs.count(1), sum(xs), any(x > 8 for x in xs), list(zip(xs, ys)), [*xs, *ys][:3])
a, *b = xs
del xs[0], ys[-1]

# %% set_work
s = set("abc") | {"d"}
s.add("e"); s.discard("a")
print(sorted(s & {"b", "c"}), s >= {"b"}, len(s ^ {"z"}))

# %% numpy_random_legacy
np.random.seed(0)
data = np.random.randn(10, 2)
lam = np.random.gamma(2.0, 1.0, size=5)
state = np.random.RandomState(1)
print(state.rand(2), np.random.exponential(1.0), np.random.binomial(3, 0.5), lam.mean())

# %% numpy_printing_and_testing
with np.printoptions(precision=2, suppress=True):
    print(np.array([1.23456, 1e-9]))
np.testing.assert_array_almost_equal(np.ones(2), [1, 1], decimal=5)
with np.testing.assert_raises(ValueError):
    np.ones(2).reshape(3)

# %% numpy_object_views
m = np.arange(12).reshape(3, 4)
print(m.flags["C_CONTIGUOUS"], m.strides, m.view(np.int64).shape, m.astype("f4").dtype.kind)
it = np.nditer(m)
print(np.ndindex(2, 2), list(np.ndenumerate(m))[:1], np.einsum("ij,kj->ik", m, m).trace())

# %% scipy
from scipy import stats, optimize
from scipy.special import gammaln

print(stats.poisson.logpmf(2, 3.0), gammaln(3.0))
print(optimize.minimize_scalar(lambda z: (z - 1) ** 2).x)

# %% jax_scipy_stats
from jax.scipy import stats as jstats

print(jstats.poisson.logpmf(2, 3.0), jstats.norm.logpdf(0.0), jstats.gamma.logpdf(1.0, 2.0))
print(jax.scipy.special.expit(0.0), jax.scipy.linalg.solve(jnp.eye(2), jnp.ones(2)))

# %% jax_optimize
from jax.scipy.optimize import minimize

res = minimize(lambda x: jnp.sum((x - 1) ** 2), jnp.zeros(2), method="BFGS")
print(res.x, res.fun, res.success)

# %% jax_flatten_util
from jax.flatten_util import ravel_pytree

flat, back = ravel_pytree((jnp.ones(2), jnp.zeros((2, 2))))

# %% jax_experimental_sparse
from jax.experimental import sparse

S = sparse.BCOO.fromdense(jnp.eye(3))
print((S @ jnp.ones(3)), S.nse)

# %% chex_asserts
import chex

chex.assert_shape(jnp.ones((2, 3)), (2, 3))
chex.assert_trees_all_close({"a": 1.0}, {"a": 1.0})
chex.assert_tree_all_finite(jnp.ones(2))

# %% optax_extras
optimizer = optax.chain(
    optax.clip(1.0),
    optax.scale_by_adam(b1=0.9),
    optax.scale_by_learning_rate(1e-2),
)
solver = optax.lbfgs()
value_and_grad = optax.value_and_grad_from_state(lambda x: jnp.sum(x**2))
state = solver.init(jnp.ones(2))
masked = optax.masked(optax.sgd(0.1), {"a": True, "b": False})
print(optax.losses.squared_error(1.0, 2.0), optax.tree_utils.tree_l2_norm({"a": jnp.ones(2)}))

# %% multi_optimizer_labels
labels = {"B": "fast", "M": "slow"}
tx = optax.multi_transform({"fast": optax.adam(1e-1), "slow": optax.sgd(1e-3)}, labels)
params = {"B": jnp.ones(2), "M": jnp.zeros(2)}
tx_state = tx.init(params)
print(tx_state.inner_states["fast"])

# %% equation_loop_of_a_jaxpr
closed = jax.make_jaxpr(lambda x: jnp.sin(x) + 1)(1.0)
print([e.primitive.name for e in closed.jaxpr.eqns], len(closed.eqns), closed.consts)
print(Counter(str(e.primitive) for e in closed.eqns).most_common(2))

# %% compiled_looks
step = jax.jit(lambda x: (x**2).sum())
traced = step.trace(jnp.ones(3))
lowered = traced.lower()
compiled = lowered.compile()
print(traced.jaxpr, lowered.out_info, compiled.in_tree, compiled.input_shardings)
print(lowered.cost_analysis(), compiled.runtime_executable() is not None)

# %% clear_caches_between_timings
for n in (2, 3):
    jax.clear_caches()
    t0 = time.time()
    jax.jit(lambda x: x @ x)(jnp.ones((n, n))).block_until_ready()
    print(n, round(time.time() - t0, 3))

# %% wraps_jit_function_attribute
def fun(x):
    return x**2


jitted = jax.jit(fun)
print(jitted.__name__, jitted.__wrapped__ is fun, fun.__doc__, fun.__module__)
print(jitted.__wrapped__(3))

# %% saving_results
results = {"ms": [1.0, 2.0]}
with open("results.json", "w") as f:
    json.dump(results, f)
np.save("x.npy", np.ones(3))
print(np.load("x.npy"))

# %% pathlib
from pathlib import Path

out = Path("out")
print(out.name, out.suffix, (out / "a.txt").parent)

# %% argparse_like_constants
N, P, D = 50, 10, 2
SEED: int = 0
shape = n, p = N, P
x = y = z = 0
print(shape, x == y == z)

# %% pandas_looks
import pandas as pd

oaks = pd.DataFrame(np.arange(12).reshape(4, 3), columns=["a", "b", "c"], index=list("wxyz"))
print(oaks.head(2), oaks.info(), oaks["a"].value_counts())
oaks.loc["w", "a"] = 5
oaks.iloc[:2, 1]
print(oaks.T.sort_values("w").to_numpy().sum(), oaks.apply(np.sum, axis=0))
oaks.plot(kind="bar")

# %% pandas_to_jax
import pandas as pd

frame = pd.DataFrame({"x": [1.0, 2.0], "g": ["a", "b"]})
X = jnp.asarray(frame[["x"]].values)
codes = pd.get_dummies(frame["g"]).to_numpy()
print(X.shape, codes.shape)

# %% threads_for_fun
from concurrent.futures import ThreadPoolExecutor

with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(lambda n: jnp.ones(n).sum(), [1, 2])))

# %% repl_tricks
_ = 3
assert _ == 3
print(__name__, __doc__)
if True: x = 1; y = 2
pass
...

# %% type_alias_union
Number = int | float | jax.Array
Tree = Union[jax.Array, dict[str, "Tree"], list["Tree"]]


def total(tree: Tree, scale: Number | None = None) -> Number:
    return sum(map(jnp.sum, jax.tree.leaves(tree))) * (scale or 1)


total({"a": jnp.ones(3), "b": [jnp.zeros(2)]})

# %% new_style_generics
class Pair[T]:
    def __init__(self, a: T, b: T):
        self.a, self.b = a, b


def first[T](pair: Pair[T]) -> T:
    return pair.a


type Vec = jax.Array

# %% context_manager_with_error
class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is not None:
            print("failed with", exc_type.__name__)
        return False


with Quiet():
    pass

# %% suppress_and_exitstack
import contextlib
import io

with contextlib.suppress(ZeroDivisionError):
    1 / 0
buffer = io.StringIO()
with contextlib.redirect_stdout(buffer):
    print("hidden")
print(buffer.getvalue().strip())

# %% capture_prints_of_a_trace
import io
from contextlib import redirect_stdout


@jax.jit
def noisy(x):
    print("tracing")
    return x


out = io.StringIO()
with redirect_stdout(out):
    noisy(1.0), noisy(2.0)
assert out.getvalue().count("tracing") == 1

# %% datetime_stamps
from datetime import datetime, timedelta

now = datetime.now()
print(f"{now:%Y-%m-%d}", now.strftime("%H:%M"), (now + timedelta(seconds=3) - now).total_seconds())

# %% random_module
import random

random.seed(1)
print(random.random(), random.choice([1, 2]), random.sample(range(10), 3), random.gauss(0, 1))

# %% iterator_class
class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


print(list(Countdown(3)), next(Countdown(2)))

# %% operator_overloading_vector
@functools.total_ordering
class Vec:
    def __init__(self, *xs):
        self.xs = xs

    def __add__(self, other):
        return Vec(*(a + b for a, b in zip(self.xs, other.xs)))

    __radd__ = __add__

    def __mul__(self, k):
        return Vec(*(k * a for a in self.xs))

    __rmul__ = __mul__

    def __eq__(self, other):
        return self.xs == other.xs

    def __lt__(self, other):
        return self.xs < other.xs

    def __bool__(self):
        return any(self.xs)


print((2 * Vec(1, 2) + Vec(0, 1)).xs)

# %% pytree_with_keys
@jax.tree_util.register_pytree_with_keys_class
class Layer:
    def __init__(self, w, b, name="layer"):
        self.w, self.b, self.name = w, b, name

    def tree_flatten_with_keys(self):
        return ((jax.tree_util.GetAttrKey("w"), self.w), (jax.tree_util.GetAttrKey("b"), self.b)), self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        obj = cls.__new__(cls)
        obj.w, obj.b = children
        obj.name = name
        return obj


print(jax.tree_util.tree_map_with_path(lambda path, x: jax.tree_util.keystr(path), Layer(1.0, 2.0)).w)

# %% class_registered_with_lambdas
class Model:
    def __init__(self, B, n_iter=10):
        self.B = B
        self.n_iter = n_iter


jax.tree_util.register_pytree_node(
    Model,
    lambda m: ((m.B,), {"n_iter": m.n_iter}),
    lambda aux, kids: Model(*kids, **aux),
)

# %% inherit_from_a_pytree_base
class Module:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        jax.tree_util.register_pytree_node_class(cls)


class Linear(Module):
    def __init__(self, w):
        self.w = w

    def tree_flatten(self):
        return (self.w,), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)

# %% check_a_function_of_mine
def check_step(step, *args):
    out = jax.eval_shape(step, *args)
    assert jax.tree.structure(out) == jax.tree.structure(args), "carry changes"
    for a, b in zip(jax.tree.leaves(out), jax.tree.leaves(args), strict=True):
        assert a.shape == b.shape and a.dtype == b.dtype, f"{a} != {b}"


check_step(lambda x: x * 2.0, jnp.ones(3))

# %% finite_differences_check
def numeric_grad(f, x, h=1e-3):
    g = np.zeros_like(x)
    for i in np.ndindex(*x.shape):
        e = np.zeros_like(x); e[i] = h
        g[i] = (f(x + e) - f(x - e)) / (2 * h)
    return g


x = np.ones((2, 2), dtype=np.float64)
print(np.max(np.abs(numeric_grad(lambda v: (v**2).sum(), x) - 2 * x)))
from jax.test_util import check_grads

check_grads(jnp.sin, (1.0,), order=1)
