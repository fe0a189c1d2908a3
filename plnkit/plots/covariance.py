"""The covariance that a fit finds: which taxa go together, and which avoid each other."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plnkit.plots.canvas import new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

READABLE = 30
"""Names that fit beside a heat map; of more taxa only some are named."""

NOT_FINITE = (
    "Sigma holds values that are not finite: the fit has failed on its way (look at its ELBO, "
    "iteration by iteration), and there are no correlations to draw."
)


def plot_covariance(Sigma: ArrayLike, taxa: Sequence[str], named: Collection[str] = ()) -> "Figure":
    """Heat map of the latent covariance, scaled to correlations, similar taxa side by side.

    The scaling, Sigma_ij / sqrt(Sigma_ii Sigma_jj), keeps a few taxa of large variance from
    outshining all others. The order comes from average-linkage clustering on 1 - correlation with
    optimally ordered leaves.

    Args:
        Sigma: covariance of the latent positions, (p, p), natural-log scale.
        taxa: p names.
        named: the taxa to name at the left where p > 30.

    Raises:
        ValueError: Sigma is not finite, as after a fit that failed.

    References: Bar-Joseph, Gifford and Jaakkola 2001, Bioinformatics 17 (the order).
    """
    figure, (axis,) = new_figure((6.6,), height=4.7)
    draw_correlations(axis, Sigma, taxa, named)
    axis.set(title=f"Correlations of {len(taxa)} taxa, similar ones side by side")
    return figure


def draw_correlations(
    axis: Any, Sigma: ArrayLike, taxa: Sequence[str], named: Collection[str] = ()
) -> None:
    """Draw the heat map and its colour bar; arguments as of `plot_covariance`."""
    covariance = np.asarray(Sigma, np.float64)
    if not np.isfinite(covariance).all():
        raise ValueError(NOT_FINITE)
    deviation = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(deviation, deviation)
    order = _similar_together(correlation)
    image = axis.imshow(correlation[np.ix_(order, order)], vmin=-1, vmax=1, cmap="RdBu_r")
    axis.figure.colorbar(image, ax=axis, label="correlation")
    few = len(order) <= READABLE
    places = [place for place, i in enumerate(order) if few or taxa[i] in named]
    names = [taxa[order[place]] for place in places]
    axis.set_yticks(places, names)
    axis.set_xticks(*(places, names) if few else ([], []), rotation=90)


def _similar_together(correlation: NDArray) -> NDArray:
    """The order of p taxa, (p,), that puts similar ones side by side."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    if len(correlation) < 2:
        return np.arange(len(correlation))
    # Rounding puts a correlation a hair over 1, and no distance is negative.
    distance = squareform(np.maximum(1 - correlation, 0), checks=False)
    return leaves_list(linkage(distance, "average", optimal_ordering=True))
