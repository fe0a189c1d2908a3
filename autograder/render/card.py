"""The card for notebooks, as HTML without JavaScript; `card.html` holds layout and colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.model.figures import (
    CallEffect,
    CallSeen,
    Curve,
    Figure,
    JaxprDiff,
    SpeedBars,
    Timeline,
)
from autograder.model.report import Report
from autograder.render import words
from autograder.render.markup import load_template

_UNMARKED = (CallEffect.REUSED, CallEffect.NOTHING)
_WIDTH, _HEIGHT, _EDGE = 320, 100, 4


def html_card(report: Report) -> str:
    """Return the report as an HTML fragment."""
    template = load_template("autograder.render", "card.html")
    return template.render(report=report, words=words, draw=_draw)


def _draw(figure: Figure | None) -> dict[str, Any] | None:
    if isinstance(figure, Timeline):
        return _draw_timeline(figure)
    if isinstance(figure, SpeedBars):
        return _draw_bars(figure)
    if isinstance(figure, JaxprDiff):
        return {"kind": "jaxpr", "lines": figure.lines, "words": words.jaxpr_words(figure)}
    return _draw_curve(figure) if isinstance(figure, Curve) else None


def _letter(what: CallEffect) -> str:
    return "" if what in _UNMARKED else words.MARKS[what][0]


def _draw_call(number: int, seen: CallSeen) -> dict[str, Any]:
    programs = f" {seen.programs}" if seen.programs else ""
    title = f"call {number} {seen.call}: {words.MARKS[seen.effect][1]}{programs}"
    return {"number": number, "what": seen.effect, "letter": _letter(seen.effect), "title": title}


def _draw_timeline(timeline: Timeline) -> dict[str, Any]:
    calls = [_draw_call(number, seen) for number, seen in enumerate(timeline.calls, 1)]
    first = len(calls) - timeline.repeats
    legend = words.effects_in(timeline)
    return {
        "kind": "timeline",
        "rows": [("calls", calls[:first]), ("the same with other numbers", calls[first:])],
        "words": "; ".join(call["title"] for call in calls),
        "legend": [(what, _letter(what), words.MARKS[what][1]) for what in legend],
    }


def _draw_bars(bars: SpeedBars) -> dict[str, Any]:
    longest = max(1.0, 1 / bars.low)  # the longer bar fills the width

    def share(ratio: float) -> float:
        return 100 / ratio / longest

    return {
        "kind": "speed",
        "bars": bars,
        "words": words.speed_words(bars),
        "is_enough": bars.low >= bars.threshold,
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


def _draw_curve(curve: Curve) -> dict[str, Any]:
    drawn: dict[str, Any] = {"kind": "curve", "name": curve.name, "yours": "", "reference": ""}
    known = [v for v in (*curve.values, *curve.reference) if v is not None]
    if not known:
        return {**drawn, "caption": f"{curve.name}: no finite value"}
    low, high = min(known), max(known)
    lost = sum(value is None for value in curve.values)
    drawn["yours"] = _path(curve.values, low, high)
    drawn["reference"] = _path(curve.reference, low, high)
    drawn["caption"] = (
        f"{curve.name} over {len(curve.values)} iterations, from {low:g} to {high:g}: "
        "yours is blue, the reference is dashed"
    ) + (f"; {lost} of your values are not finite" if lost else "")
    return drawn
