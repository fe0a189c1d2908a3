"""Programs are counted as jit compiles them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.criteria.compilations.proved import program_keys
from autograder.source import JittedFunction, prove_cells

HEAD = "import jax\nfrom functools import partial\n"
F32, F64 = np.zeros(3, np.float32), np.zeros(3)


def jitted(text: str) -> JittedFunction | None:
    return prove_cells([("a", HEAD + text)], ["f"]).jitted.get("f")


@pytest.mark.parametrize(
    ("text", "parameters", "static"),
    [
        ("@jax.jit\ndef f(x, n): return x", ("x", "n"), ()),
        ("@partial(jax.jit, static_argnames='n')\ndef f(x, n): return x", ("x", "n"), ("n",)),
        ("@jax.jit(static_argnums=(0, -1))\ndef f(a, x, n): return x", ("a", "x", "n"), ("a", "n")),
        ("f = jax.jit(lambda x, n: x, static_argnums=1)", ("x", "n"), ("n",)),
        ("def g(x, n): return x\nf = jax.jit(g, static_argnames=['n'])", ("x", "n"), ("n",)),
        ("def g(x): return x\nf = partial(jax.jit)(g)", ("x",), ()),
        ("g = jax.jit(lambda x: x)\nf = g", ("x",), ()),
        ("f = jax.jit(jax.vmap(lambda x: x))", (), ()),
    ],
)
def test_jitted_functions(text, parameters, static):
    assert jitted(text) == JittedFunction(parameters, static)


@pytest.mark.parametrize(
    "text",
    [
        "def f(x): return x",
        "@jax.jit\ndef g(x): return x\ndef f(x): return g(x)",
        "def f(x): return jax.jit(lambda v: v)(x)",
        "@jax.jit\ndef f(x): return jax.jit(lambda v: v)(x)",
        "f = jax.jit(jax.vmap(lambda x, n: x), static_argnums=1)",
        "@jax.jit\ndef f(*xs): return xs",
        "N = 'n'\n@partial(jax.jit, static_argnames=N)\ndef f(x, n): return x",
        "@jax.jit(donate_argnums=0)\ndef f(x): return x",
        "import time\nf = jax.jit(time.time)",
    ],
)
def test_functions_whose_programs_are_not_counted(text):
    assert jitted(text) is None


CALLS = [
    [(F32,), (F64,), (jnp.ones(3),)],
    [(1.0,), (2.0,), (1,), (jnp.float32(1),)],
    [(F32, 2), (F32, 2.0), (F32, 3), (F32, 2)],
    [((F32, F32),), ([F32, F32],), ((F32, 1.0),)],
    [({"a": F32, "b": 1.0},), ({"b": 2.0, "a": F32},)],
    [(np.zeros((2, 2)),), (np.zeros(4),), (None,)],
    [(True,), (jnp.asarray(True),), (np.True_,)],
    [(1,), (np.int64(1),), (jnp.asarray(1),)],
    [(1j,), (np.float64(1),), (1.0,)],
    [(jnp.asarray(1.0),), (jnp.full((), 1.0),), (1.0,)],
]


@pytest.mark.parametrize("calls", CALLS, ids=range(len(CALLS)))
def test_counts_are_those_of_jit(calls):
    traces = []

    def f(x, n=0):
        traces.append(n)
        return x

    function = jax.jit(f, static_argnames="n")
    for args in calls:
        function(*args)
    entry = JittedFunction(("x", "n"), ("n",))
    keys = program_keys(entry, calls)
    assert keys is not None and len(set(keys)) == len(traces)


@pytest.mark.parametrize("value", [float("nan"), [1], F32, (1, [2])], ids=repr)
def test_static_values_that_are_not_compared(value):
    assert program_keys(JittedFunction(("x", "n"), ("n",)), [(1.0, value)]) is None
