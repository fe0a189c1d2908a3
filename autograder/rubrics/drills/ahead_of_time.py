"""Drills of the lesson `ahead_of_time`: what is lowered, what is compiled, and what is called."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import BehaviourExercise, Exercise
from autograder.rubrics.drills._drill import make_drill, make_rubric

TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)


def _use_compiled(compiled: Any, *arguments: Any) -> Iterable[Any]:
    yield "compiled" if hasattr(compiled, "runtime_executable") else "other"
    yield np.asarray(compiled(*arguments))


def probe_totals(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield what kind of object is returned for a table, and what it gives for another one."""
    yield from _use_compiled(namespace["compile_totals"](TABLE), TABLE + 1)


def probe_shape(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield what kind of object is returned for a shape, and what it gives for a table."""
    yield from _use_compiled(namespace["compile_for_shape"](4, 3), TABLE + 1)


def probe_call(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield whether the compiled program is called, and what is returned."""
    multiply = jax.jit(lambda table, factor: table * factor, static_argnums=1)
    compiled, calls = multiply.lower(TABLE, 7).compile(), []

    def counted(*arguments: Any, **keywords: Any) -> Any:
        result = compiled(*arguments, **keywords)
        calls.append(result)  # only what it accepts
        return result

    result = np.asarray(namespace["call_compiled"](counted, TABLE))
    yield "compiled" if calls else "other"
    yield result


NOT_COMPILED = "`{name}` must return a compiled program: what `.lower(...).compile()` gives."


def make_compile_drill(
    name: str, probe: Any, right: Callable[[np.ndarray], np.ndarray], other: str = NOT_COMPILED
) -> Exercise:
    """Return a drill that compares with `right`; `other` is for what was not compiled."""

    def decide(seen: Sequence[Any]) -> dict[str, str]:
        if seen and seen[0] == "other":
            return {"outputs": other.format(name=name)}
        if len(seen) < 2:
            return {}  # the call failed, which the card says
        result, expected = np.asarray(seen[1]), right(TABLE)
        if result.shape != expected.shape or not np.allclose(result, expected, rtol=1e-5):
            return {"outputs": f"The compiled program returned {result}, expected {expected}."}
        return {}

    return make_drill(
        name,
        kind=BehaviourExercise,
        criteria=("outputs",),
        probe=probe,
        decide=decide,
    )


rubric = make_rubric(
    "ahead_of_time",
    make_compile_drill("compile_totals", probe_totals, lambda table: (table + 1).sum(axis=0)),
    make_compile_drill(
        "call_compiled",
        probe_call,
        lambda table: 7 * table,
        "`call_compiled` must call `compiled`, with the table alone.",
    ),
    make_compile_drill("compile_for_shape", probe_shape, lambda table: np.log1p(table + 1)),
)
