"""The tutorial's closing plot: the ELBO of every level of the ladder, and what each level costs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from plnkit.plots.canvas import bars, line_width, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_ladder(result: dict[str, Any]) -> "Figure":
    """The ELBO's climb by iteration and by time, and the time of an iteration, level by level.

    By iteration the levels lie on one line: JIT changes no result. By time they come apart. A level
    has one colour in all three, and the bars name it.

    Args:
        result: what `plnkit.benchmark.ladder` returns; ELBO in nats, times in milliseconds.

    References: the closing plot of the tutorial (finistR 2023, `jit-example-pln-jax.qmd`).
    """
    rows = result["rows"]
    figure, (climb, clock, cost) = new_figure((4.2, 4.2, 5.2))
    colors = dict(zip(rows, (f"C{i}" for i in range(len(rows))), strict=True))
    best = max(row["elbo"] for row in rows.values())
    climbs = {name: row for name, row in rows.items() if "trace" in row}
    for i, (name, row) in enumerate(climbs.items()):
        gap = best - np.asarray(row["trace"]) + 1
        iterations = np.arange(1, len(gap) + 1)
        width = line_width(i, len(climbs))
        climb.plot(iterations, gap, label=name, color=colors[name], linewidth=width)
        seconds = iterations * row["ms_per_iteration"] / 1e3
        clock.plot(seconds, gap, label=name, color=colors[name])
    gap_label = "nats below the best ELBO, + 1"
    climb.set(xscale="log", yscale="log", xlabel="iteration", ylabel=gap_label)
    clock.set(xscale="log", yscale="log", xlabel="seconds, compilation left out")
    climb.set(title="every level climbs alike ...")
    clock.set(title="... but not as fast")

    times = {name: row["ms_per_iteration"] for name, row in rows.items()}
    bars(cost, times, "ms", list(colors.values()))
    for which, milliseconds in result["floor_ms_per_iteration"].items():
        style = ":" if which == "solver" else "--"
        cost.axvline(milliseconds, color="black", linestyle=style, label=f"floor, {which}")
    device, data = result["environment"]["device"], result["data"]
    cost.set(xlabel="ms an iteration", title=f"n={data['n']}, p={data['p']}, {device}")
    cost.legend(fontsize="x-small", loc="lower right")
    return figure
