"""Coefficients without a finite estimate: a taxon that is never seen where a covariate points.

A taxon with zeros in all samples of one tree, say: the smaller that tree's coefficient, the more
likely the zeros. The fit ends somewhere on the way to minus infinity, and no interval means
anything. In general, there is a direction b with X b = 0 where the taxon was counted, X b <= 0
where it was not, and < 0 somewhere.

References:
    Albert, Anderson (1984), On the existence of maximum likelihood estimates in logistic regression
    models, Biometrika 71(1).
    Correia, Guimarães, Zylkin (2019), Verifying the existence of maximum likelihood estimates for
    generalized linear models, preprint, section 2 (Poisson).
"""

import numpy as np
import scipy  # its parts are loaded when used: most fits ask for none
from numpy.typing import NDArray

from plnkit.design import Design, Float64

NONE = 1e-9
"""Less than this of a vector of length 1 is rounding."""


def find_infinite(Y: NDArray, design: Design) -> NDArray[np.bool_]:
    """Return which coefficients have no finite estimate, (d, p).

    Directions are looked for in the orthonormal basis, where units and shifts play no part.

    Args:
        Y: counts, (n, p).
        design: the covariates.
    """
    back = design.coefficients(np.eye(len(design.names)))  # from the basis to the coefficients
    lengths = np.linalg.norm(back, axis=1, keepdims=True)
    columns = np.asarray(Y).T
    return np.stack([_of_taxon(taxon > 0, design.Q, back / lengths) for taxon in columns], axis=1)


def _of_taxon(counted: NDArray[np.bool_], Q: Float64, back: Float64) -> NDArray[np.bool_]:
    """Return which of a taxon's coefficients, (d,), change along a direction that only gains."""
    d = Q.shape[1]
    infinite = np.zeros(d, bool)
    _, seen, vectors = np.linalg.svd(np.linalg.qr(Q[counted], mode="r"))
    rank = int((seen > NONE).sum())
    if rank == d:
        return infinite
    free = vectors[rank:].T  # (d, k), for most taxa k = 0
    slopes = np.sqrt(len(Q)) * Q[~counted] @ free  # (samples, k)
    for j, change in enumerate(back @ free):
        if (length := np.linalg.norm(change)) <= NONE:
            continue
        for sign in (-1, 1):  # the coefficient falls, or rises, as far as a box of size 1 lets it
            found = scipy.optimize.linprog(
                -sign * change / length, slopes, np.zeros(len(slopes)), bounds=(-1, 1)
            )
            infinite[j] |= found.fun < -1e-6
    return infinite
