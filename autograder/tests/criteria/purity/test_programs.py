"""Traced programs: where two differ, and what they do besides computing."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import pytest

from autograder.criteria.purity.programs import TracedProgram, difference, effects
from autograder.criteria.purity.student import StudentModule
from autograder.tests.helpers.student_modules import make_module

X = jnp.arange(3.0)


def traced(source: str, x=X) -> tuple[TracedProgram, StudentModule]:
    module = make_module("import jax, jax.numpy as jnp\n" + source)
    program = TracedProgram(jax.make_jaxpr(module.f)(x))
    return program, StudentModule.of(module, module.f)


def test_equal_programs_do_not_differ() -> None:
    source = "def f(x):\n    return jnp.sin(x) * 2\n"
    first, student = traced(source)
    assert difference(first, traced(source)[0], student) is None


def test_the_first_operation_that_differs_and_its_line() -> None:
    first, student = traced("def f(x):\n    y = jnp.sin(x)\n    return y * 2\n")
    second, _ = traced("def f(x):\n    y = jnp.sin(x)\n    return y * 3\n")
    found = difference(first, second, student)
    assert found is not None and found[1] == 4
    assert "became" in found[0] and "3.0" in found[0]


def test_constants_are_compared() -> None:
    source = "import numpy as np\nW = np.full(3, {})\ndef f(x):\n    return x * W\n"
    first, student = traced(source.format(1.0))
    found = difference(first, traced(source.format(2.0))[0], student)
    assert found is not None and "constant" in found[0]


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        ("jax.debug.print('{}', x)", "debug-print"),
        ("jax.pure_callback(lambda x: x, x, x)", "pure-callback"),
        ("jax.experimental.io_callback(lambda x: x, x, x)", "host-callback"),
        ("jnp.sin(x)", None),
        ("jax.new_ref(x)[...]", None),
    ],
)
def test_effects_of_a_program(call: str, rule: str | None) -> None:
    program, student = traced(f"import jax.experimental\ndef f(x):\n    {call}\n    return x\n")
    found = [(name, line) for name, _, line in effects(program.closed, student)]
    assert found == ([(rule, 4)] if rule else [])
