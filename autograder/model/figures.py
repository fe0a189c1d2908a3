"""Figures that a card draws beside its words, as small, plain data.

Some figures come from the process that ran a student's code, and all are read back from files. So
reading never fails: malformed data gives no figure, and long data is cut.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple

from autograder.model.printable import clean

MAX_CALLS = 48
MAX_POINTS = 64
MAX_LINES = 60
_CONTEXT = 3
_MAX_LABEL = 100
_MAX_COUNT = 10_000


class CallEffect(StrEnum):
    """What a call did.

    `AGAIN`: it compiled, though nothing was new, or more programs than allowed. `OPERATIONS`: it
    compiled single operations of JAX. `REUSED`: it ran what was compiled before. `NOTHING`: it ran
    no program.
    """

    COMPILED = "compiled"
    AGAIN = "again"
    OPERATIONS = "operations"
    REUSED = "reused"
    NOTHING = "nothing"
    RAISED = "raised"


class CallSeen(NamedTuple):
    """One call of a student's function as typed, its effect, and how many programs it compiled."""

    call: str
    effect: CallEffect
    programs: int = 0


class _Figure:
    kind: ClassVar[str]

    def to_json(self) -> dict[str, Any]:
        return {"kind": self.kind, **vars(self)}


@dataclass(frozen=True)
class Timeline(_Figure):
    """Calls in order; the last `repeats` repeat earlier ones with slightly different numbers."""

    kind = "timeline"
    calls: tuple[CallSeen, ...]
    repeats: int = 0


@dataclass(frozen=True)
class SpeedBars(_Figure):
    """How many times faster than the baseline a program is, with an interval.

    `threshold` is the required ratio, `where` the kind of machine ("CPU", "GPU"), `own` the ratio
    of the lesson's own solution, 0 where it was not timed.
    """

    kind = "speed"
    ratio: float
    low: float
    high: float
    threshold: float
    where: str
    own: float = 0.0


@dataclass(frozen=True)
class Curve(_Figure):
    """A value at each iteration, and the reference's; None where it is not finite."""

    kind = "curve"
    name: str
    values: tuple[float | None, ...]
    reference: tuple[float | None, ...]


class JaxprLine(NamedTuple):
    """A line of two jaxprs: of "both", of "yours", of the "lesson"; or "left out"."""

    of: str
    text: str


@dataclass(frozen=True)
class JaxprDiff(_Figure):
    """How a jaxpr differs from that of the lesson's own solution; no lines where it does not."""

    kind = "jaxpr"
    lines: tuple[JaxprLine, ...]


Figure = Timeline | SpeedBars | Curve | JaxprDiff


def compare_jaxprs(yours: Sequence[str], lesson: Sequence[str]) -> JaxprDiff:
    """Compare the lines of two jaxprs; of what is equal, show what is next to a difference."""
    lines: list[JaxprLine] = []
    matcher = difflib.SequenceMatcher(None, lesson, yours, autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        lines += [JaxprLine("left out", "")] if lines else []
        for tag, i, j, k, m in group:
            if tag == "equal":
                lines += [JaxprLine("both", text) for text in yours[k:m]]
                continue
            lines += [JaxprLine("lesson", text) for text in lesson[i:j]]
            lines += [JaxprLine("yours", text) for text in yours[k:m]]
    cut = [JaxprLine("left out", "")] if len(lines) > MAX_LINES else []
    return JaxprDiff((*lines[:MAX_LINES], *cut))


def curve_points(values: Sequence[float]) -> tuple[float | None, ...]:
    """Round the values of a curve to six digits, so that a report is the same on all machines."""
    shown = [float(value) for value in values[:MAX_POINTS]]
    return tuple(float(f"{value:.6g}") if math.isfinite(value) else None for value in shown)


def cut_timeline(calls: Sequence[CallSeen], repeats: int) -> Timeline:
    """Keep the first calls, as many as a card shows."""
    cut = max(0, len(calls) - MAX_CALLS)
    return Timeline(tuple(calls[:MAX_CALLS]), max(0, min(repeats, len(calls)) - cut))


def read_figure(data: object) -> Figure | None:
    """Rebuild a figure from untrusted JSON; None if that is not possible."""
    try:
        return _READERS[data["kind"]](data)  # type: ignore[index]
    except Exception:  # untrusted data can raise anything
        return None


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(f"{value!r} is not a number")
    return number


def _count(value: Any) -> int:
    return max(0, min(int(_number(value)), _MAX_COUNT))


def _read_timeline(data: Any) -> Timeline | None:
    calls = [
        CallSeen(clean(call, _MAX_LABEL), CallEffect(effect), _count(programs))
        for call, effect, programs in data["calls"][:MAX_CALLS]
    ]
    return cut_timeline(calls, _count(data["repeats"])) if calls else None


def _read_speed(data: Any) -> SpeedBars | None:
    names = ("ratio", "low", "high", "threshold")
    ratio, low, high, threshold = (_number(data[name]) for name in names)
    # The interval is of the median's own sample, so it contains the median.
    if not 0 < low <= ratio <= high or not threshold > 0:
        return None
    own = max(0.0, _number(data.get("own", 0.0)))
    return SpeedBars(ratio, low, high, threshold, clean(data["where"], 10), own)


def _read_curve(data: Any) -> Curve | None:
    values, reference = (
        tuple(None if value is None else _number(value) for value in data[name][:MAX_POINTS])
        for name in ("values", "reference")
    )
    return Curve(clean(data["name"], 40), values, reference) if values else None


def _read_jaxpr(data: Any) -> JaxprDiff:
    known = "both", "yours", "lesson", "left out"
    lines = ((known[known.index(of)], text) for of, text in data["lines"][: MAX_LINES + 1])
    return JaxprDiff(tuple(JaxprLine(of, clean_line(text)) for of, text in lines))


def clean_line(text: Any) -> str:
    """Return a line of a jaxpr as it is shown, with its indentation."""
    indent = len(text) - len(text.lstrip(" "))
    return " " * min(indent, 20) + clean(text.strip(), _MAX_LABEL)


_READERS = {
    "timeline": _read_timeline,
    "speed": _read_speed,
    "curve": _read_curve,
    "jaxpr": _read_jaxpr,
}
