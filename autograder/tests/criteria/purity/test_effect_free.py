"""Functions that the source proves to have no effects: running them shows nothing either."""

from __future__ import annotations

import contextvars
import linecache
from pathlib import Path
from unittest import mock

import jax.numpy as jnp
import pytest

from autograder.criteria.purity import process_state
from autograder.criteria.purity.effect_free import is_effect_free
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.observe import _check_by_running
from autograder.criteria.purity.student import StudentModule
from autograder.tests.corpus_table import arguments_of, expected, files, load, mostly_slow
from autograder.tests.criteria.purity.test_purity import module_of

_IMPORTS = """
import functools, math, operator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
import jax, jax.numpy as jnp, numpy as np, optax
from jax import lax
"""


def is_proven(source: str) -> bool:
    module = module_of(_IMPORTS + source)
    return is_effect_free(module.f, module)


@pytest.mark.parametrize("path", mostly_slow(files("purity", "attacks"), 20))
def test_running_shows_nothing_where_there_is_a_proof(path: Path) -> None:
    module = load(path)
    student = StudentModule.of(module, module.f)
    patched = Findings(student)
    process_state.report_patches(student, patched)
    if patched.found or not is_effect_free(module.f, module):
        return
    assert expected(path).kind == "pure"
    given = student, module.f, arguments_of(module), (), patched
    assert contextvars.copy_context().run(_check_by_running, *given).sorted() == []


PROVEN = {
    "an expression": "def f(x): return jnp.exp(x) + 2 * x.sum()",
    "jitted": "@jax.jit\ndef f(x): return x if x.ndim else -x",
    "static": '@partial(jax.jit, static_argnames="n")\ndef f(x, n=3): return x**n',
    "a loop": "def f(x):\n    y = 0.0\n    for i in range(3):\n        y += x[i]\n    return y",
    "a local list": (
        "def f(x):\n    y = []\n    y.append(x)\n    y[0] = 2 * x\n    return jnp.stack(y)"
    ),
    "a scan": (
        "def f(x):\n    def step(c, _):\n        return c * 2, c.sum()\n"
        "    return lax.scan(step, x, None, length=3)"
    ),
    "a helper": "SCALE = 2.0\ndef g(x): return x * SCALE\nf = jax.jit(g)",
    "a lambda": "f = lambda x: lax.fori_loop(0, 3,\n    lambda i, y: y * 2,\n    x)",
    "a gradient": (
        "def loss(x): return (x**2).sum()\n"
        "def f(x):\n    slope = jax.grad(loss)\n    return x - 0.1 * slope(x) + jax.grad(loss)(x)"
    ),
    "an optimizer": (
        "opt = optax.adam(0.1)\ndef f(x):\n    s = opt.init(x)\n"
        "    u, s = opt.update(x, s)\n    return optax.apply_updates(x, u)"
    ),
    "a named tuple": (
        "class P(NamedTuple):\n    w: jax.Array\n    n: int = 0\n"
        "def f(x):\n    p = P(x)\n    return p._replace(w=p.w * 2).w"
    ),
    "a dictionary": (
        "def f(x):\n    d = {'a': x}\n    t = 0\n    for k, v in d.items():\n"
        "        t += v\n    return t"
    ),
    "an update": "def f(x): return x.at[0].set(1.0).at[1].add(2.0)",
}


@pytest.mark.parametrize("source", PROVEN.values(), ids=PROVEN)
def test_proven(source: str) -> None:
    assert is_proven(source)


UNPROVEN = {
    "a global": "n = 0\ndef f(x):\n    global n\n    n += 1\n    return x",
    "a nonlocal": (
        "def m():\n    n = 0\n    def f(x):\n        nonlocal n\n        n += 1\n"
        "        return x\n    return f\nf = m()"
    ),
    "an attribute of a function": "def f(x):\n    f.calls = 1\n    return x",
    "an attribute of a function, read": "def g(x): return x\ng.n = 1\ndef f(x): return g.n * x",
    "a parameter in place": "def f(x):\n    x += 1\n    return x",
    "an alias in place": "def f(x):\n    y = x\n    y += 1\n    return y",
    "an array of NumPy's": "W = np.ones(3)\ndef f(x):\n    return x * W",
    "an alias of an array": "def f(x):\n    y = np.asarray(x)\n    y += 1\n    return y",
    "an item of a parameter": "def f(x):\n    x[0] = 1\n    return x",
    "a mutable default": "def f(x, seen=[]):\n    return x * len(seen)",
    "a list outside": "log = []\ndef f(x):\n    log.append(1)\n    return x",
    "a list of the function around": (
        "def f(x):\n    kept = []\n    def step(c, _):\n        kept.append(c)\n"
        "        return c, c\n"
        "    return lax.scan(step, x, None, length=2)[0]"
    ),
    "a method of a parameter": "def f(x): return x.append(1)",
    "the output of NumPy": "def f(x): return np.add(1.0, 2.0, out=x)",
    "a clock": "import time\ndef f(x): return x * time.time()",
    "print": "def f(x):\n    print(x)\n    return x",
    "print by another name": "show = print\ndef f(x):\n    show(x)\n    return x",
    "print mapped": "def f(x):\n    list(map(print, x))\n    return x",
    "debug.print": 'def f(x):\n    jax.debug.print("x")\n    return x',
    "a random number": "def f(x): return x * np.random.rand()",
    "a callback": "def f(x): return jax.pure_callback(abs, x, x)",
    "a counting decorator": (
        "n = [0]\ndef counted(g):\n    @functools.wraps(g)\n    def h(x):\n        n[0] += 1\n"
        "        return g(x)\n    return h\n@counted\ndef f(x): return x"
    ),
    "an iterator": "it = iter([1.0, 2.0])\ndef f(x): return x * next(it)",
    "a name bound again": "a = 1.0\ndef f(x): return x * a\na = 2.0",
    "a name bound in a loop": "for a in (1.0, 2.0):\n    def f(x): return x * a",
    "a donated argument": "f = jax.jit(lambda x: x, donate_argnums=0)",
    "a donated argument by options": 'o = {"donate_argnums": 0}\nf = jax.jit(lambda x: x, **o)',
    "a tracer told by its attributes": "def f(x): return x * len(dir(x.aval))",
    "a tracer told by its type": "def f(x): return x if isinstance(x, jax.core.Tracer) else -x",
    "a tracer told by its text": 'def f(x): return x * len("%s" % x)',
    "a tracer told by an error": (
        "def f(x):\n    try:\n        return x * float(x[0])\n"
        "    except Exception:\n        return x"
    ),
    "identity": "def f(x):\n    y = x + 0\n    return x if x is y else y",
    "an order of keys": (
        "def f(x):\n    for k in {'a': 1}.keys() - {'b': 1}.keys():\n"
        "        x = x + len(k)\n    return x"
    ),
    "an order of keys, by a name": (
        "def f(x):\n    d = {'a': 1}\n    k = d.keys()\n    return x * sum(1 for _ in k - k)"
    ),
    "a set": "def f(x): return x * sum({1.0, 2.0})",
    "a function that is given": "def g(h, x): return h(x)\ndef f(x): return g(abs, x)",
    "a class with behaviour": (
        "class A:\n    n = 0\n    @property\n    def w(self):\n        A.n += 1\n"
        "        return 1.0\n"
        "a = A()\ndef f(x): return x * a.w"
    ),
    "a class that is decorated": (
        "def own(c):\n    c.n = property(lambda self: 1)\n    return c\n"
        "@own\nclass P(NamedTuple):\n    w: float\ndef f(x): return x * P(1.0).n"
    ),
    "a class that is decorated, by a library's name": (
        "def dataclass(c):\n    c.n = property(lambda self: 1)\n    return c\n"
        "@dataclass\nclass P(NamedTuple):\n    w: float\ndef f(x): return x * P(1.0).n"
    ),
    "a class that is decorated, by an attribute": (
        "class N(NamedTuple):\n    dataclass: object\nown = N(lambda c: c)\n"
        "@own.dataclass\nclass P(NamedTuple):\n    w: float\ndef f(x): return x * P(1.0).w"
    ),
    "a schedule of one's own": (
        "seen = []\ndef rate(i):\n    seen.append(i)\n    return 0.1\nopt = optax.sgd(rate)\n"
        "def f(x): return opt.update(x, opt.init(x))[0]"
    ),
    "an optimizer of one's own": (
        "def g(u, s, p=None):\n    print(u)\n    return u, s\n"
        "opt = optax.GradientTransformation(lambda p: (), g)\n"
        "def f(x): return opt.update(x, opt.init(x))[0]"
    ),
    "a patched function": "jnp.exp = lambda x: print(x)\ndef f(x): return jnp.exp(x)",
    "a replaced original": (
        "def g(x):\n    print(x)\n    return x\nf = jax.jit(g)\nf.__wrapped__ = lambda x: x"
    ),
    "a replaced original, by name": (
        "def g(x):\n    print(x)\n    return x\nf = jax.jit(g)\nsetattr(f, '__wrap' + 'ped__', abs)"
    ),
    "a cache": "@functools.lru_cache\ndef g(n): return n\ndef f(x): return x * g(2)",
    "a generator": "def g(x):\n    yield x\ndef f(x): return sum(g(x))",
}


@pytest.mark.parametrize("source", UNPROVEN.values(), ids=UNPROVEN)
def test_unproven(source: str) -> None:
    before = jnp.exp
    try:
        assert not is_proven(source)
    finally:
        jnp.exp = before


def test_a_function_without_source_is_unproven() -> None:
    module = module_of(_IMPORTS + "def f(x): return x", linecached=False)
    assert not is_effect_free(module.f, module)


def test_another_source_proves_nothing() -> None:
    """The source that is known must be the one that runs."""
    module = module_of(_IMPORTS + "def f(x):\n    return x + 1.0\n")
    assert is_effect_free(module.f, module)
    name = module.f.__code__.co_filename
    source = _IMPORTS + "def f(x):\n    return x + 2.0\n"
    entry = (len(source), None, source.splitlines(True), name)
    with mock.patch.dict(linecache.cache, {name: entry}):
        assert not is_effect_free(module.f, module)
