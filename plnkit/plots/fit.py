"""What `Fit.plot` shows."""

from typing import TYPE_CHECKING, Any

import numpy as np

from plnkit.plots.canvas import new_figure
from plnkit.plots.covariance import draw_correlations

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot_fit(fit: Any) -> "Figure":
    """Draw the ELBO's climb, expected against observed counts, and the correlations of taxa.

    Where the covariance is not full, their variances take the place of the correlations.

    Args:
        fit: a `plnkit.Fit`, whose module uses this one.
    """
    figure, (climb, counts, taxa) = new_figure((4.4, 4.4, 4.4))
    below = fit.trace.max() - fit.trace
    climb.plot(np.arange(1, fit.iterations + 1), np.where(below > 0, below, np.nan))
    spacing = float(np.spacing(np.abs(fit.trace[-1]).astype(fit.dtype)))
    climb.axhline(spacing, color="grey", linewidth=0.8, linestyle=":")
    climb.annotate(f"one step of {fit.dtype}", (1, spacing), va="bottom", color="grey", fontsize=8)
    climb.set(yscale="log", xlabel="iteration", ylabel="nats below the best", title="ELBO")

    observed, expected = fit.tables.Y.ravel(), np.asarray(fit.fitted).ravel()
    counts.scatter(observed + 1, expected + 1, s=4, alpha=0.3)
    top = max(observed.max(), expected.max()) + 1
    counts.plot([1, top], [1, top], color="black", linewidth=0.8)
    counts.set(xscale="log", yscale="log", title="counts + 1", xlabel="observed", ylabel="expected")

    Sigma = fit.parameters.Sigma
    if Sigma.ndim == 2:
        draw_correlations(taxa, Sigma, fit.tables.taxa)
        taxa.set(title="correlation of taxa")
    else:
        taxa.plot(np.arange(1, len(Sigma) + 1), np.sort(Sigma)[::-1], ".")
        taxa.set(yscale="log", title="variance of taxa", xlabel="rank")
    return figure
