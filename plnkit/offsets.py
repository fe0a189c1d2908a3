"""Offsets computed from the counts themselves, where nothing else tells a sample's sampling effort.

    total   the log of the sum of a sample's counts; PLNmodels calls it TSS, total sum scaling, and
            pyPLNmodels logsum
    RLE     relative log expression: the median over taxa of log y_ij - g_j, with g_j the mean of
            log y_ij over the samples of the fit, of the taxa that were counted in all of these

A total is shared by all taxa: if one taxon blooms, all others seem to fall. RLE is not moved by a
few such taxa, but needs taxa that are in every sample. Where the effort is known (the depth of a
sequencing run that includes what is not in the table, hours of trapping, litres of water), it is
the better offset.

References:
    Dillies et al. (2013), A comprehensive evaluation of normalization methods for Illumina
    high-throughput RNA sequencing data analysis, Briefings in Bioinformatics 14(6) (both).
    Anders, Huber (2010), Differential expression analysis for sequence count data, Genome Biology
    11:R106, equation 5 (RLE).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plnkit.problems import DataError, DataWarning, warn

Float64 = NDArray[np.float64]

SCHEMES = ("total", "TSS", "RLE")
FEW = 5
"""With fewer taxa than this behind it, a median is the count of one or two of them."""


class Scheme(NamedTuple):
    """How offsets are computed, and what of the fit's counts that takes.

    Attributes:
        name: one of SCHEMES.
        reference: g of RLE, the mean log count of each taxon that is in all samples, NaN for the
            others, (p,) float64; None for totals.
    """

    name: str
    reference: Float64 | None


def make_scheme(name: str, Y: ArrayLike, weights: ArrayLike | None = None) -> Scheme:
    """Take from the counts of a fit what a scheme needs.

    Args:
        name: "total", "TSS" or "RLE".
        Y: counts of the fit, (n, p).
        weights: of the samples, (n,), 1 when None.

    Raises:
        DataError: there is no such scheme, or no taxon is in all samples.

    Warns:
        DataWarning: very few taxa are in all samples.
    """
    if name not in SCHEMES:
        raise DataError(
            "offsets", f"{name!r} is no scheme; give numbers, or one of {', '.join(SCHEMES)}."
        )
    if name != "RLE":
        return Scheme(name, None)
    Y = np.asarray(Y, np.float64)
    w = np.ones(len(Y)) if weights is None else np.asarray(weights, np.float64)
    shared = (Y[w > 0] > 0).all(axis=0)
    if not shared.any():
        raise DataError(
            "offsets",
            "no taxon is in all samples, and RLE needs some. Give O='total', or offsets of your "
            "own.",
        )
    if shared.sum() < FEW <= Y.shape[1]:
        warn(
            f"offsets: RLE rests on the {shared.sum()} of {Y.shape[1]} taxa that are in all "
            "samples. Their own changes are taken for those of the effort.",
            DataWarning,
        )
    reference = np.full(Y.shape[1], np.nan)
    reference[shared] = np.average(np.log(Y[w > 0][:, shared]), axis=0, weights=w[w > 0])
    return Scheme(name, reference)


def compute_offsets(Y: ArrayLike, scheme: Scheme, samples: tuple[str, ...]) -> Float64:
    """Compute offsets from counts, of the fit's samples or of others with the same taxa.

    Args:
        Y: counts, (n, p), all known.
        samples: their names, for messages.

    Returns:
        Offsets on the log scale, (n, 1) float64.

    Raises:
        DataError: a count is not known, or a sample has no count to compute an offset from.

    >>> scheme = make_scheme("total", [[1, 2], [3, 4]])
    >>> np.exp(compute_offsets([[1, 2], [3, 4]], scheme, ("a", "b"))).round(6).tolist()
    [[3.0], [7.0]]
    """
    Y = np.asarray(Y, np.float64)
    unknown = np.isnan(Y).any(axis=1)
    if unknown.any():
        row = int(unknown.argmax())
        raise DataError(
            "offsets",
            f"sample {samples[row]} has counts that are not known, and the fit's offsets were "
            f"computed from counts ({scheme.name}). Give O.",
            row,
        )
    if scheme.reference is None:
        efforts = Y.sum(axis=1)
        none, why = efforts == 0, "has only zeros"
    else:
        taxa = np.isfinite(scheme.reference)
        efforts = np.median(Y[:, taxa] / np.exp(scheme.reference[taxa]), axis=1)
        none = efforts == 0
        why = "has none of the half of the taxa that RLE takes"
    if none.any():
        row = int(none.argmax())
        more = f" (and {none.sum() - 1} more)" if none.sum() > 1 else ""
        raise DataError(
            "offsets",
            f"sample {samples[row]}{more} {why}, from which no effort can be computed. Give its "
            "effort in O; without one it tells nothing, and can be left out.",
            row,
        )
    return np.log(efforts)[:, None]
