"""The race against pyPLNmodels and PyTorch."""

from typing import TYPE_CHECKING, Any

from plnkit.plots.canvas import bars, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_race(result: dict[str, Any]) -> "Figure":
    """How many times as fast as pyPLNmodels a whole fit is on each data set, warm.

    Args:
        result: what `plnkit.race.race` returns.
    """
    figure, (axis,) = new_figure([7.5])
    bars(axis, {name: one["ratio"]["pyPLNmodels"] for name, one in result["races"].items()}, "x")
    axis.set(xlabel="times as fast as pyPLNmodels", title="a fit to convergence")
    return figure
