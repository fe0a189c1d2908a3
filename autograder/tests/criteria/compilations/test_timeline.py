"""What each call of a student's function did, as the card shows it."""

from types import ModuleType

import numpy as np
import pytest

from autograder.criteria.compilations.count import CallRecord, Counted, count_with_repeats
from autograder.criteria.compilations.observe import timeline_of
from autograder.criteria.compilations.watch import Compilation
from autograder.model.exercise import Compilations
from autograder.model.figures import CallEffect, CallSeen, Timeline
from autograder.programs.jax_private import Defined

X = np.arange(6, dtype=np.float32)
PROGRAM = Compilation(source=Defined("entry"))

STATIC = """
import jax
from functools import partial

@partial(jax.jit, static_argnums=1)
def entry(x, power):
    return x ** power
"""
NEW_AT_EACH_CALL = """
import jax

def entry(x, power):
    return jax.jit(lambda x: x ** power)(x)
"""
NOT_JITTED = """
import jax.numpy as jnp

def entry(x, power):
    return jnp.cumsum(jnp.asarray(x)) * power
"""
RAISES = """
def entry(x, power):
    if power == 3:
        raise ValueError("no")
    return x
"""


def module_of(source: str) -> ModuleType:
    module = ModuleType("student")
    exec(compile(source, "<cell 1>", "exec"), vars(module))
    return module


def letters(source: str) -> str:
    module = module_of(source)
    counted = count_with_repeats(module.entry, [(X, 2), (X, 2), (X, 3)], module)
    return " ".join(seen.effect for seen in timeline_of(counted, Compilations()).calls)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        (STATIC, "compiled reused compiled reused reused"),
        (NEW_AT_EACH_CALL, "compiled again compiled again again"),
        (RAISES, "nothing nothing raised nothing raised"),
    ],
    ids=["static", "new at each call", "raises"],
)
def test_what_each_call_did(source: str, what: str) -> None:
    assert letters(source) == what


def test_single_operations_are_told_apart_from_programs() -> None:
    assert letters(NOT_JITTED).split()[0] == "operations"
    assert "compiled" not in letters(NOT_JITTED)


def test_calls_as_typed_and_the_programs_they_compiled() -> None:
    module = module_of(STATIC)
    counted = count_with_repeats(module.entry, [(X, 2)], module)
    assert timeline_of(counted, Compilations()) == Timeline(
        (
            CallSeen("(float32[6], 2)", CallEffect.COMPILED, 1),
            CallSeen("(float32[6], 2)", CallEffect.REUSED, 0),
        ),
        repeats=1,
    )


def test_more_programs_than_allowed_count_as_compiled_again() -> None:
    record = CallRecord([PROGRAM, PROGRAM])
    counted = Counted([(X,)], [("signature",)], [record], 0)
    assert timeline_of(counted, Compilations()).calls[0].effect is CallEffect.AGAIN
    assert timeline_of(counted, Compilations(programs=2)).calls[0].effect is CallEffect.COMPILED


def test_what_ran_a_program_ahead_reused_it() -> None:
    record = CallRecord(ahead=True)
    assert (
        timeline_of(Counted([(X,)], [("",)], [record], 0), Compilations()).calls[0].effect
        is CallEffect.REUSED
    )
