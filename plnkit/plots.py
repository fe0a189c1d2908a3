"""Figures. matplotlib is imported where a figure is drawn."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from plnkit.result import Fit


def _figure(n_axes: int) -> tuple["Figure", Any]:
    """A figure that belongs to no window and no pyplot state, and its axes in a row."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(4.4 * n_axes, 3.8), layout="constrained")
    return figure, figure.subplots(1, n_axes, squeeze=False)[0]


def plot_fit(fit: "Fit") -> "Figure":
    """The ELBO's climb, expected against observed counts, and the correlations of taxa."""
    figure, (climb, counts, correlation) = _figure(3)
    climb.plot(np.arange(1, fit.iterations + 1), fit.trace.max() - fit.trace + 0.01)
    climb.set(yscale="log", xlabel="iteration", ylabel="nats below the best, + 0.01", title="ELBO")

    observed, expected = fit.tables.Y.ravel(), np.asarray(fit.fitted).ravel()
    counts.scatter(observed + 1, expected + 1, s=4, alpha=0.3)
    top = max(observed.max(), expected.max()) + 1
    counts.plot([1, top], [1, top], color="black", linewidth=0.8)
    counts.set(xscale="log", yscale="log", title="counts + 1", xlabel="observed", ylabel="expected")

    Sigma = fit.parameters.Sigma
    deviation = np.sqrt(np.diag(Sigma))
    image = correlation.imshow(
        Sigma / np.outer(deviation, deviation), vmin=-1, vmax=1, cmap="RdBu_r"
    )
    correlation.set(title="correlation of taxa")
    if len(Sigma) <= 30:
        correlation.set_xticks(range(len(Sigma)), fit.tables.taxa, rotation=90)
        correlation.set_yticks(range(len(Sigma)), fit.tables.taxa)
    figure.colorbar(image, ax=correlation)
    return figure


def plot_ladder(result: dict[str, Any]) -> "Figure":
    """The tutorial's closing plot (every level's ELBO), and the time of an iteration."""
    figure, (climb, speed) = _figure(2)
    best = max(row["elbo"] for row in result["rows"].values())
    for name, row in result["rows"].items():
        if "trace" in row:
            gap = best - np.asarray(row["trace"]) + 1
            climb.plot(np.arange(1, len(gap) + 1), gap, label=name, alpha=0.8)
    climb.set(
        xscale="log", yscale="log", xlabel="iteration", ylabel="nats below the best ELBO, + 1"
    )
    climb.legend(fontsize="x-small")
    times = {name: row["ms_per_iteration"] for name, row in result["rows"].items()}
    _bars(speed, times, "ms")
    for which, milliseconds in result["floor_ms_per_iteration"].items():
        style = ":" if which == "solver" else "--"
        speed.axvline(milliseconds, color="black", linestyle=style, label=f"floor, {which}")
    device, data = result["environment"]["device"], result["data"]
    speed.set(xlabel="ms an iteration", title=f"n={data['n']}, p={data['p']}, {device}")
    speed.legend(fontsize="x-small")
    return figure


def plot_race(result: dict[str, Any]) -> "Figure":
    """Seconds to pyPLNmodels' final ELBO, warm, of each contestant on each data set."""
    names = list(result["races"])
    figure, axes = _figure(len(names))
    for axis, name in zip(axes, names, strict=True):
        warm = result["races"][name]["warm_seconds"]
        _bars(axis, warm, "s")
        axis.set(xlabel="seconds to pyPLNmodels' ELBO", title=name)
    return figure


def _bars(axis: Any, values: dict[str, float], unit: str) -> None:
    """Labelled bars from the first name down; the axis begins at 0, so that lengths compare."""
    bars = axis.barh(list(values)[::-1], list(values.values())[::-1])
    axis.bar_label(bars, labels=[f"{v:.3g} {unit}" for v in list(values.values())[::-1]], padding=3)
    axis.margins(x=0.25)
