"""What a card draws beside its words: small, plain data.

Some of it comes from the process that ran a student's code, and it is read back from files: reading
never fails, what is malformed is no figure, and what is long is cut.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from autograder.core.finding import clean

MAX_CALLS = 48
MAX_POINTS = 64
_MAX_LABEL = 100
_MAX_PROGRAMS = 10_000


class What(StrEnum):
    """What a call did.

    It compiled a program for something new; compiled ``AGAIN``, though nothing was new, or more
    programs than allowed; compiled single ``OPERATIONS`` of JAX; ``REUSED`` what was compiled
    before; did ``NOTHING`` of that; or ``RAISED`` an exception.
    """

    COMPILED = "compiled"
    AGAIN = "again"
    OPERATIONS = "operations"
    REUSED = "reused"
    NOTHING = "nothing"
    RAISED = "raised"


@dataclass(frozen=True)
class CallSeen:
    """One call of a student's function: as typed, what it did, how many programs it compiled."""

    call: str
    what: What
    programs: int = 0


@dataclass(frozen=True)
class Timeline:
    """Calls in order; the last `repeats` of them are earlier ones with slightly other numbers."""

    calls: tuple[CallSeen, ...]
    repeats: int = 0

    def to_json(self) -> dict[str, Any]:
        calls = [[seen.call, str(seen.what), seen.programs] for seen in self.calls]
        return {"kind": "timeline", "calls": calls, "repeats": self.repeats}


@dataclass(frozen=True)
class SpeedBars:
    """How many times faster than the baseline a program is, with an interval.

    `threshold` is what is asked for, `where` the kind of machine ("CPU", "GPU").
    """

    ratio: float
    low: float
    high: float
    threshold: float
    where: str

    def to_json(self) -> dict[str, Any]:
        return {"kind": "speed", **vars(self)}


@dataclass(frozen=True)
class Curve:
    """A value at each iteration, and the reference's; None where it is no finite number."""

    name: str
    values: tuple[float | None, ...]
    reference: tuple[float | None, ...]

    def to_json(self) -> dict[str, Any]:
        values, reference = list(self.values), list(self.reference)
        return {"kind": "curve", "name": self.name, "values": values, "reference": reference}


Figure = Timeline | SpeedBars | Curve


def points(values: Sequence[float]) -> tuple[float | None, ...]:
    """Numbers of a curve, to six digits, so that a report does not hang on the last one."""
    shown = [float(value) for value in values[:MAX_POINTS]]
    return tuple(float(f"{value:.6g}") if math.isfinite(value) else None for value in shown)


def timeline(calls: Sequence[CallSeen], repeats: int) -> Timeline:
    """The first calls, as many as a card shows."""
    cut = max(0, len(calls) - MAX_CALLS)
    return Timeline(tuple(calls[:MAX_CALLS]), max(0, min(repeats, len(calls)) - cut))


def read_figure(data: object) -> Figure | None:
    """Rebuild a figure from untrusted JSON; None where that cannot be done."""
    try:
        return _READERS[data["kind"]](data)  # type: ignore[index]
    except Exception:  # whatever strange parts lead to
        return None


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(f"{value!r} is no number")
    return number


def _count(value: Any) -> int:
    return max(0, min(int(_number(value)), _MAX_PROGRAMS))


def _timeline(data: Any) -> Timeline | None:
    seen = [
        CallSeen(clean(call, _MAX_LABEL), What(what), _count(programs))
        for call, what, programs in data["calls"][:MAX_CALLS]
    ]
    return timeline(seen, _count(data["repeats"])) if seen else None


def _speed(data: Any) -> SpeedBars | None:
    ratio, low, high, threshold = (
        _number(data[name]) for name in ("ratio", "low", "high", "threshold")
    )
    # The ends of the interval are of the median's own sample: they lie around it.
    if not 0 < low <= ratio <= high or not threshold > 0:
        return None
    return SpeedBars(ratio, low, high, threshold, clean(data["where"], 10))


def _curve(data: Any) -> Curve | None:
    values, reference = (
        tuple(None if value is None else _number(value) for value in data[name][:MAX_POINTS])
        for name in ("values", "reference")
    )
    return Curve(clean(data["name"], 40), values, reference) if values else None


_READERS = {"timeline": _timeline, "speed": _speed, "curve": _curve}
