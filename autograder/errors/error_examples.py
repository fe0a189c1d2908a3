"""For each entry of the table of errors, short code that brings it up.

The code runs after the lines of `BEFORE`. A test runs each and asserts that its own entry speaks.
"""

from __future__ import annotations

BEFORE = """
import dataclasses, functools, importlib
from pathlib import Path
from typing import NamedTuple
import jax, jax.numpy as jnp, numpy as np
from jax import lax
from jax.experimental import checkify
from jax.sharding import AbstractMesh, AxisType, PartitionSpec as P
x = jnp.arange(6.0)
mesh = AbstractMesh((4,), ("sites",), (AxisType.Auto,))
"""

_ALL = """
## EXPLANATIONS.missing-file
Path("shift.txt").read_text()

## EXPLANATIONS.missing-script
from IPython.utils.path import get_py_filename
get_py_filename("my_box.py")  # %run my_box.py

## EXPLANATIONS.missing-module
import my_box

## EXPLANATIONS.length-of-values
jax.jit(jnp.nonzero)(x)

## EXPLANATIONS.choose-mode
jax.jit(lambda i: jnp.choose(i, [x, 2 * x]))(1)

## EXPLANATIONS.array-truth
x if x > 0 else 0.0

## EXPLANATIONS.bitwise-precedence
jax.jit(lambda x: x > 1e-5 & (x < 3))(x)

## EXPLANATIONS.python-branch
jax.jit(lambda rate: 1 if rate > 0 else 0)(0.5)

## EXPLANATIONS.concrete-value
jax.jit(lambda rate: [1, 2][int(rate)])(1.0)

## EXPLANATIONS.numpy-on-tracer
jax.jit(lambda x: np.log(x))(x)

## EXPLANATIONS.check-without-checkify
@jax.jit
def positive(x):
    checkify.check((x > 0).all(), "not positive")
    return x

positive(x)

## EXPLANATIONS.leaked-tracer
kept = []
jax.jit(lambda x: kept.append(x) or x)(x)
kept[0] + 1

## EXPLANATIONS.boolean-index
jax.jit(lambda x: x[x > 0])(x)

## EXPLANATIONS.shapes-only
jnp.asarray(jax.ShapeDtypeStruct((6,), jnp.float32))

## EXPLANATIONS.format-of-tracer
jax.jit(lambda x: f"{x[0]:.1f}")(x)

## EXPLANATIONS.branch-types
lax.cond(x[0] > 0, lambda: 1.0, lambda: 1)

## EXPLANATIONS.branch-not-callable
lax.cond(x[0] > 0, 1.0, 0.0)

## EXPLANATIONS.branch-test
lax.cond(x > 0, lambda: 1.0, lambda: 0.0)

## EXPLANATIONS.traced-key
jax.jit(lambda k: {0: 1.0}[k])(0)

## EXPLANATIONS.unhashable-array
{0: 1.0}[x]

## EXPLANATIONS.non-hashable-static
step = jax.jit(lambda x, n: x * n, static_argnums=1)
step(x, [1, 2])

## EXPLANATIONS.no-such-static
jax.jit(lambda x: x, static_argnames="y")(x)

## EXPLANATIONS.wrong-size
jax.jit(lambda x: x.reshape(7))(x)

## EXPLANATIONS.traced-shape
jax.jit(lambda x: jnp.zeros(x.sum().astype(int)))(x)

## EXPLANATIONS.tracer-into-numpy
@jax.jit
def fill(x):
    y = np.zeros(2)
    y[0] = x[0]
    return y

fill(x)

## EXPLANATIONS.arithmetic-with-key
jax.random.key(0) + 1

## EXPLANATIONS.numpy-random
jax.jit(lambda k: np.random.default_rng(k).normal())(0)

## EXPLANATIONS.returns-no-array
jax.jit(lambda x: "done")(x)

## EXPLANATIONS.scan-rows
lax.scan(lambda c, _: (c, None), 0.0, 3)

## EXPLANATIONS.not-a-jax-type
jax.jit(lambda mode: 0)("log")

## EXPLANATIONS.array-as-metadata
@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    M: jax.Array
    O: jax.Array = dataclasses.field(metadata={"static": True})

step = jax.jit(lambda state: state.M + state.O)
step(State(x, x))
step(State(x, x + 1))

## EXPLANATIONS.register-dataclass
@jax.tree_util.register_dataclass
class State:
    M: object

## EXPLANATIONS.carry-type
lax.scan(lambda c, _: (c + 0.5, None), jnp.int32(0), length=3)

## EXPLANATIONS.while-test
lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)

## EXPLANATIONS.scan-pair
lax.scan(lambda c, _: c, x, length=3)

## EXPLANATIONS.immutable-array
x[0] = 1.0

## EXPLANATIONS.donated-twice
jax.jit(lambda a, b: a + b, donate_argnums=(0, 1))(x, x)

## EXPLANATIONS.donated
jax.jit(lambda x: x + 1, donate_argnums=0)(x)
x + 1

## EXPLANATIONS.negative-power
jnp.arange(3) ** -1

## EXPLANATIONS.nothing-to-map
jax.vmap(jnp.sin)(1.0)

## EXPLANATIONS.no-such-method
jax.jit(lambda x: x.resize(5))(x)

## EXPLANATIONS.compiled-arguments
step = jax.jit(lambda x, n: x**n, static_argnums=1)
step.lower(x, 2).compile()(x, 2)

## EXPLANATIONS.compiled-types
jax.jit(jnp.sin).lower(x).compile()(x[:2])

## EXPLANATIONS.compiled-while-traced
compiled = jax.jit(jnp.sin).lower(x).compile()
jax.jit(compiled)(x)

## EXPLANATIONS.not-compiled
jax.jit(jnp.sin).lower(x)(x)

## EXPLANATIONS.waits-for-a-container
(x, x).block_until_ready()

## EXPLANATIONS.waits-while-tracing
jax.jit(lambda x: x.block_until_ready())(x)

## EXPLANATIONS.incompatible-shapes
x + jnp.ones(2)

## EXPLANATIONS.differs-between-devices
summed = jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("sites"), out_specs=P())
jax.eval_shape(summed, jnp.ones(8))

## EXPLANATIONS.indivisible
same = jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("sites"), out_specs=P("sites"))
jax.eval_shape(same, x)

## EXPLANATIONS.unknown-axis
same = jax.shard_map(lambda x: x, mesh=mesh, in_specs=P("site"), out_specs=P("site"))
jax.eval_shape(same, jnp.ones(8))

## EXPLANATIONS.immutable-container
class State(NamedTuple):
    M: jax.Array

State(x).M = x

## EXPLANATIONS.reverse-loop
def halved(x):
    return lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)

jax.grad(halved)(9.0)

## EXPLANATIONS.tracer-as-constant
@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def masked(x, mask):
    return x * mask

@masked.defjvp
def rule(mask, primals, tangents):
    return primals[0] * mask, tangents[0] * mask

loss = jax.jit(lambda x, mask: masked(x, mask).sum())
jax.grad(loss)(x, x)

## EXPLANATIONS.custom-rule
def halved(x):
    return lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)

jax.grad(jax.custom_vjp(halved))(9.0)

## CLOSER.number-of-axes
def rows(x):
    n, p = x.shape
    return n

jax.jit(rows)(x)

## CLOSER.branch-on-data
@jax.jit
def positive(x):
    return x if x.sum() > 0 else -x

positive(x)

## CLOSER.python-while
@jax.jit
def shrunk(v):
    while v > 1:
        v = v / 2
    return v

shrunk(9.0)

## CLOSER.number-from-data
@jax.jit
def total(x):
    return float(x.sum())

total(x)

## CLOSER.known-value
@functools.partial(jax.jit, static_argnames="t")
def steps(x, t):
    return x * int(jnp.ceil(t))

steps(x, 1.5)

## CLOSER.known-mask
@functools.partial(jax.jit, static_argnames="start")
def tail(x, start):
    return x[jnp.arange(x.size) >= start]

tail(x, 2)

## CLOSER.known-static
@functools.partial(jax.jit, static_argnames="n")
def tiled(x, n):
    return jnp.tile(x, n)

@functools.partial(jax.jit, static_argnames="n")
def repeated(x, n):
    return tiled(x, jnp.add(n, 1))

repeated(x, 2)

## CLOSER.needs-an-axis
jnp.ones((3, 2)) - jnp.ones(3)

## CLOSER.traced-static
@functools.partial(jax.jit, static_argnames="n")
def tiled(x, n):
    return jnp.tile(x, n)

@jax.jit
def repeated(x, n):
    return tiled(x, n)

repeated(x, 2)

## CLOSER.python-compares
jax.jit(lambda x: max(x[0], x[1]))(x)

## CLOSER.no-such-static
jax.jit(jnp.add, static_argnames=1)(x, 2)

## CLOSER.branch-arguments
lax.cond(x[0] > 1, lambda a: a, lambda: 0.0, x[0])

## CLOSER.cached-array
@functools.lru_cache
def shifted(x):
    return x + 1

shifted(x)

## SETTINGS.python-branch
@jax.jit
def signed(x, n):
    return x if n > 0 else -x

signed(x, 2)

## SETTINGS.concrete-value
@jax.jit
def scaled(x, n):
    return x * int(n)

scaled(x, 2)

## SETTINGS.traced-shape
@jax.jit
def empty(n):
    return jnp.zeros(n)

empty(2)

## FIELD
class Table(NamedTuple):
    Y: jax.Array
    p: int

@jax.jit
def coefficients(table):
    return jnp.zeros(table.p)

coefficients(Table(x, 2))

## STATIC_ARRAY
@functools.partial(jax.jit, static_argnames="x")
def scaled(x, n):
    return x * n

scaled(x, 2)

## PRODUCT
jnp.ones((2, 3)) @ jnp.ones((2, 3))

## PARTS
def shifted(x, y):
    return x + y

mapped = jax.shard_map(shifted, mesh=mesh, in_specs=(P("sites"), P()), out_specs=P("sites"))
jax.eval_shape(mapped, jnp.ones(8), jnp.ones(8))
"""

_pairs = (example.strip().partition("\n") for example in _ALL.split("## ")[1:])
EXAMPLES: dict[str, str] = {name: code for name, _, code in _pairs}
"""By the entry's name in `autograder.errors.jax_errors`."""
