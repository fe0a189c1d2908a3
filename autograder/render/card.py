"""The card for notebooks, as HTML without JavaScript; `card.html` holds layout and colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.model.figures import CallEffect, Curve, SpeedBars, Timeline
from autograder.model.report import Report
from autograder.render import words
from autograder.render.markup import load_template

_UNMARKED = (CallEffect.REUSED, CallEffect.NOTHING)
_WIDTH, _HEIGHT, _EDGE = 320, 100, 4


def html_card(report: Report) -> str:
    """Return the report as an HTML fragment."""
    template = load_template("autograder.render", "card.html")
    drawn = {"letter": _letter, "calls_of": _calls_of, "bars_of": _bars_of, "line_of": _line_of}
    return template.render(report=report, words=words, **drawn)


def _letter(what: CallEffect) -> str:
    return "" if what in _UNMARKED else words.MARKS[what][0]


def _calls_of(timeline: Timeline) -> list[dict[str, Any]]:
    """Return number, effect and description of each call."""
    calls = []
    for number, (call, what, count) in enumerate(timeline.calls, 1):
        title = f"call {number} {call}: {words.MARKS[what][1]}{f' {count}' if count else ''}"
        calls.append({"number": number, "what": what, "title": title})
    return calls


def _bars_of(bars: SpeedBars) -> dict[str, str]:
    """Return the widths and places of what a card shows of a speed."""
    longest = max(1.0, 1 / bars.low)  # the longer bar fills the width

    def share(ratio: float) -> float:
        return 100 / ratio / longest

    return {
        "baseline": f"{share(1):.2f}%",
        "own": f"{share(bars.own):.2f}%" if bars.own else "",
        "yours": f"{share(bars.ratio):.2f}%",
        "low": f"{share(bars.high):.2f}%",
        "interval": f"{share(bars.low) - share(bars.high):.2f}%",
        "limit": f"{min(share(bars.threshold), 100.0):.2f}%",
    }


def _path(values: Sequence[float | None], low: float, high: float) -> str:
    """A line through the values, broken where one is missing."""
    across = (_WIDTH - 2 * _EDGE) / max(1, len(values) - 1)
    down = (_HEIGHT - 2 * _EDGE) / (high - low or 1.0)
    path, pen = [], "M"
    for i, value in enumerate(values):
        if value is None:
            pen = "M"
            continue
        path.append(f"{pen}{_EDGE + i * across:.1f} {_HEIGHT - _EDGE - (value - low) * down:.1f}")
        pen = "L"
    return " ".join(path)


def _line_of(curve: Curve) -> dict[str, str]:
    """Return the paths of both lines, and the words below them."""
    known = [v for v in (*curve.values, *curve.reference) if v is not None]
    if not known:
        return {"yours": "", "caption": f"{curve.name}: no finite value"}
    low, high = min(known), max(known)
    lost = sum(value is None for value in curve.values)
    caption = (
        f"{curve.name} over {len(curve.values)} iterations, from {low:g} to {high:g}: "
        "yours is blue, the reference is dashed"
    ) + (f"; {lost} of your values are not finite" if lost else "")
    yours, reference = (_path(values, low, high) for values in (curve.values, curve.reference))
    return {"yours": yours, "reference": reference, "caption": caption}
