"""The race against pyPLNmodels and PyTorch."""

from typing import TYPE_CHECKING, Any

from plnkit.plots.canvas import bars, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_race(result: dict[str, Any]) -> "Figure":
    """Seconds to pyPLNmodels' final ELBO, warm, of each contestant on each data set.

    Args:
        result: what `plnkit.race.race` returns.
    """
    names = list(result["races"])
    figure, axes = new_figure([4.4] * len(names))
    for axis, name in zip(axes, names, strict=True):
        bars(axis, result["races"][name]["warm_seconds"], "s")
        axis.set(xlabel="seconds to pyPLNmodels' ELBO", title=name)
    return figure
