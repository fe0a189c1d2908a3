"""Two jaxprs side by side: what a change to a function made of the program."""

import difflib
import re
from typing import TYPE_CHECKING, Any

from plnkit.plots.canvas import new_figure

if TYPE_CHECKING:
    from jax.extend.core import ClosedJaxpr
    from matplotlib.figure import Figure

COLUMNS = 60
"""Characters of a line that are shown."""

_LINE = 0.19  # inches
_CHARACTER = 0.08  # inches, of the font below
_FONT = {"family": "monospace", "size": 9, "va": "center", "parse_math": False}
_COLORS = "tab:orange", "tab:blue"

_BOUND = re.compile(r"\b([a-z_]+):[\w<>]+\[")
_SHAPE = re.compile(r"(:[\w<>]+)\[[^\]]*\]")


def plot_jaxprs(
    left: "ClosedJaxpr",
    right: "ClosedJaxpr",
    titles: tuple[str, str] = ("before", "after"),
    n_lines: int = 30,
) -> "Figure":
    """Two jaxprs side by side, the lines that only one of them has highlighted.

    Lines are compared by what they do: an operation, its parameters, and the dtypes. Names of
    variables, which shift with every line put in, and shapes make no difference.

    Args:
        left, right: what `jax.make_jaxpr(f)(*arguments)` returns.
        titles: of the two.
        n_lines: shown of each; a last line says how many more there are.
    """
    texts = _lines(left), _lines(right)
    marks = _differences(*texts)
    shown = [_cut(*both, n_lines) for both in zip(texts, marks, strict=True)]
    widths = [_CHARACTER * max(24, *(len(line) + 3 for line, _ in rows)) for rows in shown]
    height = max(len(rows) for rows in shown)
    figure, axes = new_figure(widths, height=_LINE * (height + 3))
    for axis, rows, title, color in zip(axes, shown, titles, _COLORS, strict=True):
        _draw(axis, rows, color)
        axis.set(ylim=(height - 0.5, -0.5), xlim=(0, 1))
        axis.set_title(title, loc="left")
        axis.axis("off")
    return figure


def _lines(jaxpr: "ClosedJaxpr") -> list[str]:
    lines = jaxpr.pretty_print(use_color=False, width=COLUMNS).splitlines()
    if len(lines) > 1:
        return lines
    # A program that fits in one line is set in lines all the same: what differs is an operation.
    return jaxpr.pretty_print(use_color=False, width=len(lines[0]) - 1).splitlines()


def _differences(left: list[str], right: list[str]) -> tuple[list[bool], list[bool]]:
    """Of each line, whether the other side has no such line in its place."""
    same = difflib.SequenceMatcher(None, _meanings(left), _meanings(right), autojunk=False)
    marks = [True] * len(left), [True] * len(right)
    for i, j, n in same.get_matching_blocks():
        marks[0][i : i + n] = marks[1][j : j + n] = [False] * n
    return marks


def _meanings(lines: list[str]) -> list[str]:
    """The lines without names of variables and without shapes."""
    names = "|".join(sorted({name for line in lines for name in _BOUND.findall(line)}))
    # A primitive stands after "= " and may be called as a variable is: gt, or, in.
    variable = re.compile(rf"(?<!= )\b(?:{names})\b(?![=\[])")
    return [variable.sub("_", _SHAPE.sub(r"\1", line)).strip() for line in lines]


def _cut(lines: list[str], marks: list[bool], n_lines: int) -> list[tuple[str, bool]]:
    """At most n_lines of at most COLUMNS characters, and what was left out in a last one."""
    rows = [
        (line if len(line) <= COLUMNS else line[: COLUMNS - 1] + "…", mark)
        for line, mark in zip(lines, marks, strict=True)
    ]
    if len(rows) <= n_lines:
        return rows
    left_out = sum(marks[n_lines - 1 :])
    more = f"… {len(rows) - n_lines + 1} more lines, {left_out} of them different"
    return [*rows[: n_lines - 1], (more, left_out > 0)]


def _draw(axis: Any, rows: list[tuple[str, bool]], color: str) -> None:
    for i, (line, differs) in enumerate(rows):
        if differs:
            axis.axhspan(i - 0.5, i + 0.5, color=color, alpha=0.25, linewidth=0)
        axis.text(0.005, i, line, **_FONT, in_layout=False)
