"""Static floats count by value where they decide about the program; causes are told if seen."""

from __future__ import annotations

import jax
import numpy as np
import pytest

from autograder.criteria.compilations.count import count_compilations, count_with_repeats
from autograder.criteria.compilations.key import Key
from autograder.criteria.compilations.observe import check_compilations
from autograder.model.exercise import Compilations
from autograder.model.finding import Finding
from autograder.programs.exported import FLOATS, signature, without_values
from autograder.programs.jax_private import form_of
from autograder.tests.helpers.student_modules import make_module

X = np.arange(1, 7, dtype=np.float32)
STATIC = """
import functools, math
import jax, jax.numpy as jnp
@functools.partial(jax.jit, static_argnames="t")
def entry(x, t):
    return {result}
"""


def check(result: str, *floats: float) -> list[Finding]:
    module = make_module(STATIC.format(result=result))
    counted = count_with_repeats(module.entry, [(X, t) for t in floats], module)
    return check_compilations(module.entry, counted, module, Compilations())


@pytest.mark.parametrize(
    ("result", "floats"),
    [
        ("x[0] * jnp.arange(int(t))", (2.0, 3.0)),
        ("x[0] * jnp.arange(int(t))", (2.0, 2.5, 3.0)),
        ("x[0] * jnp.linspace(0, t, math.ceil(t / 0.25))", (2.0, 2.0, 1.5)),
        ("jax.lax.fori_loop(0, math.ceil(t), lambda i, x: x / t, x)", (2.0, 3.0)),
        ("jnp.log(x) if t == 0 else x**t", (0.0, 2.0, -0.0, 0.5)),
    ],
    ids=["shape", "one_size_twice", "grid", "loop", "branch"],
)
def test_a_float_that_decides_about_the_program(result, floats) -> None:
    assert check(result, *floats) == []


@pytest.mark.parametrize("result", ["x * t", "x**t + jnp.full(3, t)[0]"])
def test_a_float_that_could_be_traced(result) -> None:
    (finding,) = check(result, 2.0, 3.0)
    assert finding.rule == "compiled-again"
    assert finding.message.startswith(
        "call 2 compiled 1 program although only its plain Python numbers differ from those of a "
        "call before: one program is enough for all, where they are traced.\n`entry` (line 5) was "
        "compiled again because `t` was the static value 2.0 and is now the static value 3.0: "
    )


def test_the_same_float_again() -> None:
    module = make_module(STATIC.format(result="x * t"))
    counted = count_with_repeats(module.entry, [(X, 2.0), (X, 3.0), (X, 2.0)], module)
    assert counted.known() == ["", "numbers", "same", "same", "same"]
    assert [len(record.programs) for record in counted.records] == [1, 1, 0, 0, 0]


def test_values_count_as_in_jits_key() -> None:
    def key(value):
        return signature((X, value))

    def alike(key):
        return without_values(key, FLOATS)

    traced = []
    jitted = jax.jit(lambda x, t: traced.append(t) or x, static_argnums=1)
    nan = float("nan")
    for value in (1, 1.0, True, 0.0, -0.0, nan, nan, "a", (1, 2)):
        jitted(X, value)
    assert len(traced) == len({key(v) for v in (1, 1.0, True, 0.0, -0.0, nan, "a", (1, 2))}) == 7
    assert key(2.0) != key(3.0) and alike(key(2.0)) == alike(key(3.0))
    assert alike(key(2)) != alike(key(3)) != alike(key(2.0))
    assert key(nan) == key(nan) != key(float("nan"))


def test_the_form_of_a_program_has_no_numbers() -> None:
    def form(function):
        return form_of(jax.make_jaxpr(function)(X))

    assert form(lambda x: x * 2.5) == form(lambda x: x * -1e-9) == form(lambda x: x * np.inf)
    assert form(lambda x: x * 2.5) != form(lambda x: x + 2.5)
    assert form(lambda x: x[:2]) != form(lambda x: x[:3])


def test_no_line_of_the_check_cell_is_blamed() -> None:
    source = STATIC.format(result="x * t")
    module = make_module(source)
    calls = [(X, 2.0), (X, 3.0)]
    vars(module)["check"] = lambda f: check_compilations(
        f, count_with_repeats(f, calls, module), module, Compilations()
    )
    cell = "found = check(entry)  # the check cell\n"
    exec(compile(cell, "<check cell>", "exec", dont_inherit=True), vars(module))
    (finding,) = module.found
    assert finding.code == "def entry(x, t):"
    exec(
        compile("\n" * 9 + cell, module.entry.__wrapped__.__code__.co_filename, "exec"),
        vars(module),
    )
    (finding,) = module.found
    assert finding.code == "def entry(x, t):"


def test_a_cause_that_was_not_seen_is_not_reported(monkeypatch) -> None:
    source = "import jax\ndef entry(x):\n    return jax.jit(lambda x: x + 1)(x)\n"
    module = make_module(source)
    _, again = count_compilations(module.entry, [(X,), (X,)], module)
    assert "it is a new function object each time" in again.programs[0].cause
    monkeypatch.setattr("autograder.criteria.compilations.watch.read_key", lambda *_: Key())
    _, again = count_compilations(module.entry, [(X,), (X,)], module)
    assert [program.cause for program in again.programs] == [
        "`<lambda>` (line 3) was compiled again, and the cause is not known: nothing differs in "
        "all that the kit records of a call."
    ]


def test_other_options_of_jit_are_named() -> None:
    source = """
import jax
def double(x):
    return 2 * x
kept, donating = jax.jit(double), jax.jit(double, donate_argnums=0)
def entry(x, donate):
    return donating(x) if donate else kept(x)
"""
    module = make_module(source)
    _, again = count_compilations(module.entry, [(X, False), (X, True)], module)
    assert [program.cause for program in again.programs] == [
        "`double` (line 3) was compiled again because `donate_argnums` was () and is now (0,): "
        "options of JAX and of jax.jit are part of the key of jit's cache; set them once, before "
        "the first call, apply jax.jit once, outside, and keep the result."
    ]
