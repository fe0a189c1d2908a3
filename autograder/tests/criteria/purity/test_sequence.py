"""Each public call is made alone and after others: a setting that jit keeps is found."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.criteria.purity import check_purity, remember_state
from autograder.criteria.purity.experiments import other_flags, other_numbers, other_shapes
from autograder.model.finding import Finding
from autograder.tests.helpers.student_modules import make_module

IMPORTS = """
import contextlib, functools, types
from contextvars import ContextVar
from dataclasses import dataclass
import jax, jax.numpy as jnp
"""
X = jnp.arange(1.0, 4.0)
CALLS = [(X, 2), (X + 1, 3), (X[:2], 3)]


def check(source: str, calls: list[tuple] = CALLS) -> list[Finding]:
    """What is found in a function `times` of the source, errors only."""
    module = make_module(IMPORTS + source)
    first, *others = (partial(tuple, args) for args in calls)
    found = check_purity(module.times, first, module, others=others)
    return [f for f in found if f.severity == "error"]


GLOBAL = """
FACTOR = [1]
@contextlib.contextmanager
def factor(by):
    before, FACTOR[0] = FACTOR[0], by
    try:
        yield
    finally:
        FACTOR[0] = before
@jax.jit
def run(x):
    return x * FACTOR[0]  # fault
def times(x, n):
    with factor(n):
        return run(x)
"""
STALE = {
    "global": (GLOBAL, "FACTOR", "run"),
    "jitted_entry": (
        """
FACTOR = [1]
@jax.jit
def run(x):
    return x * FACTOR[0]  # fault
@functools.partial(jax.jit, static_argnames="n")
def times(x, n):
    FACTOR[0] = n
    result = run(x)
    FACTOR[0] = 1
    return result
""",
        "FACTOR",
        "run",
    ),
    "context_variable": (
        """
FACTOR = ContextVar("factor", default=1)
@jax.jit
def run(x):
    return x * FACTOR.get()  # fault
def times(x, n):
    token = FACTOR.set(n)
    try:
        return run(x)
    finally:
        FACTOR.reset(token)
""",
        "",
        "run",
    ),
    "class_attribute": (
        """
class Settings:
    factor = 1
@jax.jit
def run(x):
    return x * Settings.factor  # fault
def times(x, n):
    Settings.factor = n
    result = run(x)
    Settings.factor = 1
    return result
""",
        "Settings",
        "run",
    ),
    "module_attribute": (
        """
settings = types.ModuleType("settings")
settings.factor = 1
@jax.jit
def run(x):
    return x * settings.factor  # fault
def times(x, n):
    settings.factor = n
    result = run(x)
    settings.factor = 1
    return result
""",
        "settings",
        "run",
    ),
    "closure": (
        """
def make():
    factor = 1
    @jax.jit
    def run(x):
        return x * factor  # fault
    def times(x, n):
        nonlocal factor
        factor = n
        result = run(x)
        factor = 1
        return result
    return times
times = make()
""",
        "factor",
        "run",
    ),
    "body_of_a_scan": (
        """
FACTOR = [1]
def body(carry, row):
    return carry, row * FACTOR[0]  # fault
def times(x, n):
    FACTOR[0] = n
    result = jax.lax.scan(body, 0.0, x)[1]
    FACTOR[0] = 1
    return result
""",
        "FACTOR",
        "body",
    ),
    "equal_objects": (
        """
class By:
    def __init__(self, n):
        self.n = n
    def __eq__(self, other):
        return True
    def __hash__(self):
        return 1
@functools.partial(jax.jit, static_argnames="by")
def run(x, by):
    return x * by.n  # fault
def times(x, n):
    return run(x, By(n))
""",
        "",
        "run",
    ),
    "object_that_changes": (
        """
class By:
    def __init__(self, n):
        self.n = n
BY = By(1)
@functools.partial(jax.jit, static_argnames="by")
def run(x, by):
    return x * by.n  # fault
def times(x, n):
    BY.n = n
    result = run(x, BY)
    BY.n = 1
    return result
""",
        "",
        "run",
    ),
    "program_kept_by_shape": (
        """
PROGRAMS = {}
def times(x, n):
    if x.shape not in PROGRAMS:
        PROGRAMS[x.shape] = jax.jit(lambda x: x * n)  # fault
    return PROGRAMS[x.shape](x)
""",
        "",
        "<lambda>",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", STALE)
def test_a_setting_that_jit_keeps(way: str) -> None:
    source, state, function = STALE[way]
    (found,) = check(source)
    assert found.rule == "stale-global" and "# fault" in found.code
    what = "after calls with other arguments, the function does something else than before them"
    if state:
        kept = f"each call sets `{state}`, and `{function}`, which reads it, is not traced again"
    else:
        kept = f"`{function}` is not traced again, so jit keeps what it read then"
    assert f"{what}: {kept}." in found.message
    assert "Repair: Pass it as an argument, so that jit sees every new value." in found.message


@pytest.mark.slow
def test_a_single_call_is_made_with_other_numbers() -> None:
    (found,) = check(GLOBAL, CALLS[:1])
    assert (found.rule, found.code) == ("stale-global", "return x * FACTOR[0]  # fault")


@pytest.mark.parametrize("numbers", [(), (2,)])
def test_data_that_a_jitted_function_takes_from_a_list(numbers: tuple) -> None:
    source = """
pending = []
@jax.jit
def flush(like):
    return pending[0] * 2 + 0 * like  # fault
def times(x, *n):
    pending.append(x)
    result = flush(x)
    pending.clear()
    return result
"""
    (found,) = check(source, [(X, *numbers)])
    assert (found.rule, found.code) == ("stale-global", "return pending[0] * 2 + 0 * like  # fault")
    assert "each call sets `pending`, and `flush`, which reads it, is not traced" in found.message


@pytest.mark.slow
def test_a_function_that_cannot_be_traced_is_compared_by_its_results() -> None:
    source = GLOBAL.replace("def times(x, n):", "def times(x, n):\n    n = n if float(x[0]) else 0")
    (found,) = check(source)
    assert found.rule == "stale-global" and "`FACTOR`" in found.message


RIGHT = {
    "factory_for_each_value": """
@functools.lru_cache
def by(n):
    return jax.jit(lambda x: x * n)
def times(x, n):
    return by(n)(x)
""",
    "dict_of_programs": """
PROGRAMS = {}
def times(x, n):
    if n not in PROGRAMS:
        PROGRAMS[n] = jax.jit(lambda x: x * n)
    return PROGRAMS[n](x)
""",
    "object_with_a_value": """
@dataclass(frozen=True)
class By:
    n: int
@functools.partial(jax.jit, static_argnames="by")
def run(x, by):
    return x * by.n
def times(x, n):
    return run(x, By(n))
""",
    "read_outside_of_jit": """
FACTOR = ContextVar("factor", default=1)
@jax.jit
def run(x, n):
    return x * n
def times(x, n):
    token = FACTOR.set(n)
    try:
        return run(x, FACTOR.get())
    finally:
        FACTOR.reset(token)
""",
    "all_in_one_trace": """
STACK = []
def apply(x):
    return x * STACK[-1]
@functools.partial(jax.jit, static_argnames="n")
def times(x, n):
    STACK.append(n)
    try:
        return apply(x)
    finally:
        STACK.pop()
""",
    "needs_its_numbers": """
@jax.jit
def run(x, n):
    return x * n
def times(x, n):
    if float(x[0]) < -1e9:
        raise ValueError
    return run(x, n)
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("way", RIGHT)
def test_right_ways_to_a_setting(way: str) -> None:
    assert check(RIGHT[way]) == []


def test_an_effect_of_a_later_call() -> None:
    source = """
seen = []
def note(n):
    seen.append(n)
def times(x, n):
    {3: note}.get(n, abs)(n)
    return x * n
"""
    (found,) = check(source)
    assert (found.rule, found.code) == ("global-mutated", "seen.append(n)")


def test_other_numbers() -> None:
    made = other_numbers(lambda: (2, 0.5, True, "a", X), whole=True)
    assert made is not None
    number, rate, flag, text, array = made()
    assert (number, rate, flag, text) == (3, 0.5 * (1 + 2**-8), True, "a")
    assert array is X
    nudged = other_numbers(lambda: (2, np.ones(2, np.float32)), whole=False)
    assert nudged is not None
    number, array = nudged()
    assert number == 2 and array.dtype == np.float32 and (array > 1).all()
    assert other_numbers(lambda: (X, "a"), whole=True) is None


def test_other_shapes_and_flags() -> None:
    made = other_shapes(lambda: (X, np.ones((2, 3)), 2, jax.random.key(0)))
    assert made is not None
    vector, matrix, number, key = made()
    assert (vector.shape, matrix.shape, number) == ((1000, 3), (1000, 2, 3), 2)
    assert vector.dtype == matrix.dtype == jnp.float32 and key.shape == ()
    assert other_shapes(lambda: (2, "a")) is None

    def f(x, fast, verbose=False, scale=2.0, *, debug=True): ...

    made = other_flags(f, lambda: (1.0, True))
    assert made is not None and made() == (1.0, False, True, 2.0)
    assert other_flags(jax.jit(f), lambda: (1.0, False, True, 1.0)) is not None
    assert other_flags(lambda x: x, lambda: (1.0,)) is None


def test_purity_begins_with_the_state_before_the_kits_calls() -> None:
    module = make_module(
        IMPORTS + "class Totals:\n    last = 0.0\n@jax.jit\ndef double(x):\n"
        "    Totals.last = 2 * x  # fault\n    return Totals.last\n"
        "@jax.jit\ndef times(x, n):\n    Totals.last = 0.0\n    return double(x)\n"
    )
    restore = remember_state(module.times, module)
    module.times(*CALLS[0])
    restore()
    assert module.Totals.last == 0.0
    found = check_purity(module.times, lambda: CALLS[0], module)
    assert ("leaked-tracer", "Totals.last = 2 * x  # fault") in [(f.rule, f.code) for f in found]
