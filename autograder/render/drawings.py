"""A report's figures as HTML and SVG: text in the page's own colour, mid-tones for the rest.

Notebooks style tables, figures and lists their own way, so that only plain boxes are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.figures import CallEffect, CallSeen, Curve, Figure, SpeedBars, Timeline
from autograder.core.printable import escaped
from autograder.render.words import MARKS, speed_words

GREEN, RED, AMBER, BLUE, GREY = "#2e9e5b", "#d9534f", "#c98a1b", "#5b8dd9", "#8a8a8a"
"""Mid-tones that read on white and on JupyterLab's dark grey alike."""

_BOX = {
    CallEffect.COMPILED: AMBER,
    CallEffect.AGAIN: RED,
    CallEffect.OPERATIONS: BLUE,
    CallEffect.REUSED: GREEN,
    CallEffect.NOTHING: GREY,
    CallEffect.RAISED: RED,
}
_SMALL = "font-size:12px;opacity:.8"
_WIDTH, _HEIGHT, _EDGE = 320, 100, 4


def figure_html(figure: Figure | None) -> str:
    """A figure as an HTML fragment; empty for None."""
    if isinstance(figure, Timeline):
        return _frame(_timeline(figure))
    if isinstance(figure, SpeedBars):
        return _frame(_bars(figure))
    return _frame(_curve(figure)) if isinstance(figure, Curve) else ""


def _frame(inside: str) -> str:
    return f"<div style='margin:4px 0 8px 0'>{inside}</div>"


# --- calls --------------------------------------------------------------------------------------


def _box(what: CallEffect, content: str, title: str = "") -> str:
    colour = _BOX[what]
    filled = "55" if what in (CallEffect.COMPILED, CallEffect.AGAIN) else "00"
    hover = f" title='{escaped(title)}'" if title else ""
    return (
        f"<span{hover} style='display:inline-block;min-width:20px;padding:0 3px;margin:0 3px 3px 0;"
        f"text-align:center;font-size:12px;line-height:18px;border:1px solid {colour};"
        f"border-radius:3px;background:{colour}{filled}'>{content}</span>"
    )


def _call(number: int, seen: CallSeen) -> str:
    letter, words = MARKS[seen.effect]
    count = f" {seen.programs}" if seen.programs else ""
    mark = (
        "" if seen.effect in (CallEffect.REUSED, CallEffect.NOTHING) else f"&nbsp;<b>{letter}</b>"
    )
    return _box(seen.effect, f"{number}{mark}", f"call {number} {seen.call}: {words}{count}")


def _timeline(timeline: Timeline) -> str:
    boxes = [_call(number, seen) for number, seen in enumerate(timeline.calls, 1)]
    drawn = len(boxes) - timeline.repeats
    label = f"<span style='{_SMALL};margin-right:6px'>{{}}</span>"
    rows = [(label.format("calls"), boxes[:drawn])]
    if timeline.repeats:
        rows.append((label.format("the same, other numbers"), boxes[drawn:]))
    used = [what for what in MARKS if any(seen.effect == what for seen in timeline.calls)]
    legend = " ".join(
        _box(what, "&nbsp;" if letter in "·-" else f"<b>{letter}</b>") + f"{words}&ensp;"
        for what in used
        for letter, words in [MARKS[what]]
    )
    lines = "".join(f"<div>{head}{''.join(row)}</div>" for head, row in rows if row)
    return f"{lines}<div style='{_SMALL}'>{legend}</div>"


# --- speed --------------------------------------------------------------------------------------


def _bar(name: str, share: float, colour: str, extra: str = "") -> str:
    return (
        "<div style='display:flex;align-items:center;margin:2px 0'>"
        f"<span style='{_SMALL};width:80px;flex:none'>{name}</span>"
        "<span style='position:relative;flex:1;height:12px'>"
        "<span style='position:absolute;left:0;top:0;height:12px;min-width:2px;border-radius:2px;"
        f"background:{colour};width:{share:.2f}%'></span>{extra}</span></div>"
    )


def _bars(bars: SpeedBars) -> str:
    """Time an iteration, shorter is better: the longer of the two fills the width."""
    longest = max(1.0, 1 / bars.low)

    def share(ratio: float) -> float:
        return 100 / ratio / longest

    low, high, asked = share(bars.high), share(bars.low), share(bars.threshold)
    colour = GREEN if bars.low >= bars.threshold else AMBER
    interval = (
        f"<span style='position:absolute;left:{low:.2f}%;width:{high - low:.2f}%;min-width:1px;"
        "top:4px;height:4px;background:currentColor;opacity:.6'></span>"
    )
    limit = (
        f"<span style='position:absolute;left:{min(asked, 100.0):.2f}%;top:-2px;height:16px;"
        "border-left:2px dashed currentColor;opacity:.6'></span>"
    )
    return (
        f"<div role='img' aria-label='{escaped(speed_words(bars))}' style='max-width:420px'>"
        f"{_bar('baseline', share(1), GREY)}"
        f"{_bar('yours', share(bars.ratio), colour, interval + limit)}"
        f"<div style='{_SMALL}'>time an iteration on a {escaped(bars.where)}; "
        f"the dashed line: {bars.threshold:g} times as fast</div></div>"
    )


# --- curves -------------------------------------------------------------------------------------


def _line(values: Sequence[float | None], low: float, high: float, style: str) -> str:
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
    return f"<path d='{' '.join(path)}' fill='none' {style}/>" if path else ""


def _curve(curve: Curve) -> str:
    known = [v for v in (*curve.values, *curve.reference) if v is not None]
    if not known:
        return f"<div style='{_SMALL}'>{escaped(curve.name)}: no finite number</div>"
    low, high = min(known), max(known)
    name = escaped(curve.name)
    yours = _line(curve.values, low, high, f"stroke='{BLUE}' stroke-width='5' opacity='.6'")
    right = _line(
        curve.reference,
        low,
        high,
        "stroke='currentColor' stroke-width='1.5' stroke-dasharray='5 3'",
    )
    lost = sum(value is None for value in curve.values)
    gaps = f"; {lost} of yours are no finite number" if lost else ""
    return (
        f"<svg role='img' aria-label='{name} by iteration' viewBox='0 0 {_WIDTH} {_HEIGHT}' "
        f"width='{_WIDTH}' height='{_HEIGHT}' style='max-width:100%;border-left:1px solid #8888;"
        f"border-bottom:1px solid #8888;overflow:visible'>{yours}{right}</svg>"
        f"<div style='{_SMALL}'>{name} over {len(curve.values)} iterations, from {low:g} to "
        f"{high:g}: yours in blue, the reference's dashed{gaps}</div>"
    )
