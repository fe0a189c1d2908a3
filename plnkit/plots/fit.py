"""What `Fit.plot` shows."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plnkit.plots.canvas import new_figure
from plnkit.plots.covariance import draw_correlations

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_fit(
    trace: NDArray,
    Y: NDArray,
    fitted: ArrayLike,
    Sigma: NDArray,
    taxa_names: Sequence[str],
    dtype: str,
) -> "Figure":
    """Draw the ELBO's climb, expected against observed counts, and the correlations of taxa.

    Their variances, where the covariance is not full.

    Args:
        trace: the ELBO after each iteration.
        Y, fitted: observed and expected counts, samples by taxa.
        Sigma: the covariance of taxa, or its diagonal.
        taxa_names: of the taxa.
        dtype: of the fit.
    """
    figure, (climb, counts, taxa) = new_figure((4.4, 4.4, 4.4))
    below = trace.max() - trace
    climb.plot(np.arange(1, len(trace) + 1), np.where(below > 0, below, np.nan))
    spacing = float(np.spacing(np.abs(trace[-1]).astype(dtype)))
    climb.axhline(spacing, color="grey", linewidth=0.8, linestyle=":")
    climb.annotate(f"one step of {dtype}", (1, spacing), va="bottom", color="grey", fontsize=8)
    climb.set(yscale="log", xlabel="iteration", ylabel="nats below the best", title="ELBO")

    observed, expected = Y.ravel(), np.asarray(fitted).ravel()
    counts.scatter(observed + 1, expected + 1, s=4, alpha=0.3)
    top = max(observed.max(), expected.max()) + 1
    counts.plot([1, top], [1, top], color="black", linewidth=0.8)
    counts.set(xscale="log", yscale="log", title="counts + 1", xlabel="observed", ylabel="expected")

    if Sigma.ndim == 2:
        draw_correlations(taxa, Sigma, taxa_names)
        taxa.set(title="correlation of taxa")
    else:
        taxa.plot(np.arange(1, len(Sigma) + 1), np.sort(Sigma)[::-1], ".")
        taxa.set(yscale="log", title="variance of taxa", xlabel="rank")
    return figure
