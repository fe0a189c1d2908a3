"""What a table of draws says: which draw covers which sentence of a lesson's task.

A lesson's table is `solutions/tests/draws/LESSON.py`; `solutions/tests/test_draws.py` holds it
against the rubric's draws and the lesson's notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import jax
import numpy as np

from plnkit import load_oaks

Row = tuple[str, Callable[..., Any]]
"""Words of the notebook, and a test of a call's arguments: one call at least must pass it."""

_OAKS = load_oaks().Y
LEAVES, TAXA = _OAKS.shape
MOST = float(_OAKS.max())
"""The largest count of the oaks."""

OAKS = "load_oaks()"
FINITE = "the arguments are counts, or numbers of a fit: finite"
NO_EMPTY_TABLE = "the task does not speak of tables without entries"
NO_LARGEST = "there is no largest of nothing"
NO_AXIS = "the argument is one number"
NO_OTHER_SHAPE = "the task is about one shape"


@dataclass(frozen=True, kw_only=True)
class Drawn:
    """What the draws of one exercise cover.

    Attributes:
        covered: rows for the sentences of the task. Together with `other`, they quote each.
        larger: rows for what the notebook shows, in code or text: sizes and numbers that some call
            exceeds. A repair that has room for these only is wrong. Or the reason why none must.
        other: words of the sentences that say nothing about arguments.
        declined: the kinds of `KINDS` that no call has, and why: the task does not allow them.
        calls: gives the calls where the rubric has no draws, such as those of its probe.
    """

    covered: Sequence[Row]
    larger: Sequence[Row] | str
    other: Sequence[str] = ()
    declined: Mapping[str, str] = field(default_factory=dict)
    calls: Callable[[], list[tuple]] | None = None


def exceeds_oaks(table: Any) -> bool:
    """Whether a table has more leaves, more taxa and a larger count than the oaks."""
    return table.shape[0] > LEAVES and table.shape[-1] > TAXA and table.max() > MOST


def record(probe: Callable[[Mapping[str, Any]], Any], name: str, function: Any) -> list[tuple]:
    """Return the calls that a probe makes; `function` answers them."""
    calls: list[tuple] = []

    def recorded(*arguments: Any) -> Any:
        calls.append(arguments)
        return function(*arguments)

    list(probe({name: recorded}))
    return calls


def _arrays(call: tuple) -> list[np.ndarray]:
    leaves = (x for x in jax.tree.leaves(call) if hasattr(x, "shape"))
    return [np.asarray(x) for x in leaves if not isinstance(x, jax.ShapeDtypeStruct)]


def _any_array(test: Callable[[np.ndarray], Any]) -> Callable[[list[tuple]], bool]:
    return lambda calls: any(bool(test(x)) for call in calls for x in _arrays(call))


def _is(test: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], bool]:
    return lambda x: x.dtype.kind == "f" and bool(np.any(test(x)))


def _is_one(argument: Any, other: Any) -> bool:
    """Whether two arguments are the same value in two objects, or may be."""
    x, y = _arrays((argument,)), _arrays((other,))
    if len(x) != len(y) or jax.tree.structure(argument) != jax.tree.structure(other):
        return False
    if not x:
        return type(argument) is type(other) and argument == other
    return argument is not other and all(map(np.array_equal, x, y))


def _are_alike(call: tuple, other: tuple) -> bool:
    """Whether the second call needs no other program than the first. Floats are data, too."""

    def kind(x: Any) -> Any:
        return (x.shape, x.dtype) if hasattr(x, "shape") else float if isinstance(x, float) else x

    return [*map(kind, jax.tree.leaves(call))] == [*map(kind, jax.tree.leaves(other))]


def _repeats_a_value(calls: list[tuple]) -> bool:
    """Whether a value comes again, in a call that has another value elsewhere."""
    return any(
        any(same) and (not all(same) or len(same) == 1)
        for call, other in combinations(calls, 2)
        if len(call) == len(other)
        for same in [[_is_one(x, y) for x, y in zip(call, other, strict=True)]]
    )


def _brings_new_values(calls: list[tuple]) -> bool:
    """Whether two calls of one signature differ in each array of several entries."""
    return any(
        _are_alike(call, other)
        and not any(
            x.size > 1 and np.array_equal(x, y, equal_nan=x.dtype.kind == "f")
            for x, y in zip(_arrays(call), _arrays(other), strict=True)
        )
        for call, other in combinations(calls, 2)
    )


KINDS: Mapping[str, Callable[[list[tuple]], bool]] = {
    "empty": _any_array(lambda x: x.size == 0),
    "one": _any_array(lambda x: 1 in x.shape),
    "equal": _any_array(lambda x: x.size > 1 and (x == x.flat[0]).all()),
    "infinite": _any_array(_is(np.isinf)),
    "nan": _any_array(_is(np.isnan)),
    "a value again": _repeats_a_value,
    "new values": _brings_new_values,
}
"""What some call of each exercise has, unless its table says why none may have it: an axis without
entries, or with a single one; several entries that are all equal; an infinite one or NaN; an
argument that is as in an earlier call, in an object of its own, where another argument is not; and
a call that needs no new program, with no array as before. (No object comes again with another
content: JAX arrays do not change, and each call is given containers of its own.)"""
