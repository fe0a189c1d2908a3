"""Pure functions that use JAX's transformations, control flow, keys and pytrees."""

# %% jitted
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    return jnp.tanh(x)

# %% at_set
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return x.at[0].set(5.0).at[1:].add(1.0)

# %% config_context
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    with jax.default_matmul_precision("float32"):
        return x @ x

# %% custom_jvp
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_jvp
def safe(x):
    return jnp.log(x + 1)


@safe.defjvp
def rule(primals, tangents):
    (x,), (t,) = primals, tangents
    return safe(x), t / (x + 1)


def f(x):
    return jax.grad(lambda v: safe(v).sum())(x)

# %% custom_vjp
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.custom_vjp
def clip(x):
    return x


def fwd(x):
    return x, None


def bwd(res, g):
    return (jnp.clip(g, -1, 1),)


clip.defvjp(fwd, bwd)


@jax.jit
def f(x):
    return jax.grad(lambda v: (clip(v) ** 3).sum())(x)

# %% dataclass_pytree
# pure
import jax
import jax.numpy as jnp
import numpy as np

import dataclasses, functools


@functools.partial(jax.tree_util.register_dataclass, data_fields=["w"], meta_fields=["n"])
@dataclasses.dataclass
class P:
    w: jax.Array
    n: int


def arguments():
    return (P(jnp.ones(3), 2), jnp.ones(3))


@jax.jit
def f(p, x):
    p.w = p.w * x
    return P(p.w, p.n + 1)

# %% donate_local
# pure
import jax
import jax.numpy as jnp
import numpy as np

import functools


@functools.partial(jax.jit, donate_argnums=0)
def bump(x):
    return x + 1


def f(x):
    y = x * 2
    return bump(y)

# %% fixed_key_inside
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    key = jax.random.key(42)
    return x + jax.random.normal(key, x.shape)

# %% jax_warns
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return jnp.asarray(x, dtype=jnp.float64) * 2

# %% key_argument
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jax.random.key(0), jnp.ones(3))


@jax.jit
def f(key, x):
    k1, k2 = jax.random.split(key)
    return x + jax.random.normal(k1, x.shape), k2

# %% large_scan
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    def step(c, _):
        c = jnp.tanh(c * 1.01 + 0.1)
        return c, c.sum()

    return jax.lax.scan(step, x, None, length=3000)

# %% linalg
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    a = jnp.outer(x, x) + jnp.eye(3) * 2
    c = jnp.linalg.cholesky(a)
    return jax.scipy.linalg.solve_triangular(c, x, lower=True), jnp.linalg.slogdet(a)

# %% nan_without_jit
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (np.arange(3.0, dtype=np.float32),)


@jax.jit
def mean_log(padded):
    present = padded >= 0
    return (jnp.log1p(padded) * present).sum() / present.sum()  # 0 * -inf


def f(x):
    return mean_log(np.pad(x, (0, 2), constant_values=-1))

# %% nested_jit
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def inner(x):
    return x * 2


@jax.jit
def f(x):
    return inner(inner(x))

# %% optax_step
# pure
import jax
import jax.numpy as jnp
import numpy as np

import optax

opt = optax.adam(0.1)


def arguments():
    p = {"w": jnp.ones(3)}
    return (p, opt.init(p))


@jax.jit
def f(params, state):
    g = jax.grad(lambda p: (p["w"] ** 2).sum())(params)
    updates, state = opt.update(g, state)
    return optax.apply_updates(params, updates), state

# %% pure_callback_clean
# pure
import jax
import jax.numpy as jnp
import numpy as np


def host(v):
    return np.sort(np.asarray(v))


def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

# %% pytree_class
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_node_class
class Pair:
    def __init__(self, a, b):
        self.a, self.b = a, b

    def tree_flatten(self):
        return (self.a, self.b), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        new = object.__new__(cls)
        new.a, new.b = children
        return new

    def step(self, x):
        return Pair(self.a + x, self.b * 2)


def arguments():
    return (Pair(jnp.ones(3), jnp.zeros(3)), jnp.ones(3))


f = jax.jit(Pair.step)

# %% train_loop
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jnp.zeros(2), jnp.ones((4, 2)), jnp.ones(4))


def loss(w, X, y):
    return ((X @ w - y) ** 2).mean()


grad = jax.jit(jax.grad(loss))


def f(w, X, y):
    history = []
    for _ in range(3):
        w = w - 0.1 * grad(w, X, y)
        history.append(loss(w, X, y))
    return w, jnp.stack(history)

# %% transforms
# pure
import jax
import jax.numpy as jnp
import numpy as np


def loss(w, x):
    return jnp.sum((w * x) ** 2)


def f(x):
    g = jax.grad(loss)(x, x)
    h = jax.vmap(lambda a, b: a * b)(x, x)
    return g + h

# %% while_cond
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    y = jax.lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.1), (0, x))[1]
    return jax.lax.cond(y.sum() > 3, lambda v: v, lambda v: -v, y)

# %% checkpoint
# pure
import jax
import jax.numpy as jnp
import numpy as np


@jax.checkpoint
def block(x):
    return jnp.sin(x) * 2


@jax.jit
def f(x):
    return jax.grad(lambda v: block(block(v)).sum())(x)

# %% trained_at_the_top
# pure
import jax
import jax.numpy as jnp
import numpy as np


def loss(w):
    return ((w - 1.0) ** 2).sum()


f = jax.jit(jax.grad(loss))
w = jnp.zeros(3)
for _ in range(3):
    w = w - 0.1 * f(w)

# %% key_split_in_a_loop
# pure
import jax
import jax.numpy as jnp
import numpy as np


def arguments():
    return (jax.random.PRNGKey(0), jnp.zeros(2))


def f(key, x):
    for _ in range(3):
        key, sub = jax.random.split(key)
        x = x + jax.random.normal(sub, x.shape)
    return x

# %% eval_shape
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    s = jax.eval_shape(lambda v: v @ v, x)
    return jnp.zeros(s.shape, s.dtype) + x.sum()

# %% lax_map
# pure
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    return jax.lax.map(lambda v: v * 2, x) + jax.lax.fori_loop(0, 3, lambda i, s: s + i, 0)
