"""Programs are counted as jit compiles them."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.source import prove_cells
from autograder.source.jit_options import JittedFunction
from autograder.source.program_counts import CallOfEntry, find_jitted, program_keys

HEAD = "import jax\nfrom functools import partial\n"
F32, F64 = np.zeros(3, np.float32), np.zeros(3)


def jitted(text: str) -> JittedFunction | str:
    found = find_jitted(prove_cells([("a", HEAD + text)], ["f"]), "f")
    return found if isinstance(found, JittedFunction) else found.reason


@pytest.mark.parametrize(
    ("text", "parameters", "static"),
    [
        ("@jax.jit\ndef f(x, n): return x", ("x", "n"), set()),
        ("@partial(jax.jit, static_argnames='n')\ndef f(x, n): return x", ("x", "n"), {"n"}),
        ("@jax.jit(static_argnums=(0, -1))\ndef f(a, x, n): return x", ("a", "x", "n"), {"a", "n"}),
        ("f = jax.jit(lambda x, n: x, static_argnums=1)", ("x", "n"), {"n"}),
        ("def g(x, n): return x\nf = jax.jit(g, static_argnames=['n'])", ("x", "n"), {"n"}),
        ("def g(x): return x\nf = partial(jax.jit)(g)", ("x",), set()),
        ("g = jax.jit(lambda x: x)\nf = g", ("x",), set()),
        ("f = jax.jit(jax.vmap(lambda x: x))", (), set()),
    ],
)
def test_jitted_functions(text, parameters, static):
    assert jitted(text) == JittedFunction(parameters, frozenset(static))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(x): return x", "not a jitted function bound at the top"),
        ("@jax.jit\ndef g(x): return x\ndef f(x): return g(x)", "not a jitted function"),
        ("def f(x): return jax.jit(lambda v: v)(x)", "makes a jitted function"),
        ("f = jax.jit(jax.vmap(lambda x, n: x), static_argnums=1)", "static is not known"),
        ("@jax.jit\ndef f(*xs): return xs", "static is not known"),
        ("N = 'n'\n@partial(jax.jit, static_argnames=N)\ndef f(x, n): return x", "not known"),
        ("import time\nf = jax.jit(time.time)", "`time` is not known to compute only"),
    ],
)
def test_functions_whose_programs_are_not_counted(text, says):
    assert says in jitted(text)


CALLS = [
    [CallOfEntry((F32,)), CallOfEntry((F64,)), CallOfEntry((jnp.ones(3),))],
    [CallOfEntry((1.0,)), CallOfEntry((2.0,)), CallOfEntry((1,)), CallOfEntry((jnp.float32(1),))],
    [CallOfEntry((F32, 2)), CallOfEntry((F32, 2.0)), CallOfEntry((F32, 3)), CallOfEntry((F32, 2))],
    [CallOfEntry((F32, 2)), CallOfEntry((F32,), {"n": 2}), CallOfEntry((), {"x": F32, "n": 2})],
    [CallOfEntry(((F32, F32),)), CallOfEntry(([F32, F32],)), CallOfEntry(((F32, 1.0),))],
    [CallOfEntry(({"a": F32, "b": 1.0},)), CallOfEntry(({"b": 2.0, "a": F32},))],
    [CallOfEntry((np.zeros((2, 2)),)), CallOfEntry((np.zeros(4),)), CallOfEntry((None,))],
    [CallOfEntry((True,)), CallOfEntry((jnp.asarray(True),)), CallOfEntry((np.True_,))],
    [CallOfEntry((1,)), CallOfEntry((np.int64(1),)), CallOfEntry((jnp.asarray(1),))],
    [CallOfEntry((1j,)), CallOfEntry((np.float64(1),)), CallOfEntry((1.0,))],
    [CallOfEntry((jnp.asarray(1.0),)), CallOfEntry((jnp.full((), 1.0),)), CallOfEntry((1.0,))],
]


@pytest.mark.parametrize("calls", CALLS, ids=range(len(CALLS)))
def test_counts_are_those_of_jit(calls):
    traces = []

    def f(x, n=0):
        traces.append(n)
        return x

    function = jax.jit(f, static_argnames="n")
    for args, kwargs in calls:
        function(*args, **kwargs)
    entry = JittedFunction(("x", "n"), frozenset({"n"}))
    assert len(set(program_keys(entry, calls))) == len(traces)


@pytest.mark.parametrize(
    ("value", "says"),
    [(float("nan"), "NaN"), ([1], "list"), (F32, "ndarray"), ((1, [2]), "list")],
)
def test_static_values_that_are_not_compared(value, says):
    entry = JittedFunction(("x", "n"), frozenset({"n"}))
    assert says in str(program_keys(entry, [CallOfEntry((1.0, value))]))
