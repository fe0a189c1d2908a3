"""Calls against compilations: whether a function compiles once, now and then, or at every call."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from plnkit.plots.canvas import line_width, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_compilations(compilations: Mapping[str, Sequence[int]]) -> "Figure":
    """Compilations so far over calls: a line that stays flat is a function that only runs.

    Args:
        compilations: by the name of a variant, how often each of its calls compiled
            (`plnkit.compile_counts.compile_counts` around a call says it).
    """
    figure, (axis,) = new_figure((7.5,))
    for i, (name, per_call) in enumerate(compilations.items()):
        total = sum(per_call)
        axis.plot(
            np.arange(len(per_call) + 1),
            [0, *np.cumsum(per_call)],
            drawstyle="steps-pre",
            linewidth=line_width(i, len(compilations)),
            label=f"{name}: {total} compilation{'s' * (total != 1)}",
        )
    axis.set(xlabel="calls", ylabel="compilations so far", ylim=(0, None), xlim=(0, None))
    axis.locator_params(integer=True)
    axis.legend(loc="upper left")
    return figure
