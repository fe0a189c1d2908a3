"""What several figures share: an empty figure, bars, lines that stay visible under others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from plnkit.extras import from_extras

if TYPE_CHECKING:
    from plnkit.plots.notebook_figure import NotebookFigure


def new_figure(widths: Sequence[float], height: float = 3.8) -> tuple["NotebookFigure", Any]:
    """Make a figure and its axes in a row.

    Args:
        widths: of the axes, in inches.
        height: of the figure, in inches.
    """
    with from_extras():
        from plnkit.plots.notebook_figure import NotebookFigure

    figure = NotebookFigure(figsize=(sum(widths), height), layout="constrained")
    return figure, figure.subplots(1, len(widths), squeeze=False, width_ratios=widths)[0]


def bars(axis: Any, values: dict[str, float], unit: str, colors: Any = None) -> None:
    """Labelled bars from the first name down; the axis begins at 0, so that lengths compare."""
    drawn = axis.barh(list(values), list(values.values()), color=colors)
    axis.bar_label(drawn, labels=[f"{v:.3g} {unit}" for v in values.values()], padding=3)
    axis.margins(x=0.25)
    axis.invert_yaxis()


def line_width(i: int, n: int) -> float:
    """Of the i-th of n lines, in points: the first is the widest, so that equal lines all show."""
    return 0.5 + n - i
