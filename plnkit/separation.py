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


def find_infinite(Y: NDArray, X: NDArray) -> NDArray[np.bool_]:
    """Return which coefficients have no finite estimate, (d, p).

    Args:
        Y: counts, (n, p).
        X: covariates, (n, d).
    """
    X = np.asarray(X, np.float64)  # the rank is a question of digits
    return np.stack([_of_taxon(column > 0, X) for column in np.asarray(Y).T], axis=1)


def _of_taxon(counted: NDArray[np.bool_], X: NDArray) -> NDArray[np.bool_]:
    """Return which of a taxon's coefficients, (d,), change along a direction that only gains."""
    d = X.shape[1]
    # (d, k), for most taxa k = 0
    free = scipy.linalg.null_space(X[counted]) if d else np.zeros((0, 0))
    infinite = np.zeros(d, bool)
    if not free.shape[1]:
        return infinite
    slopes = X[~counted] @ free  # (samples, k)
    for k in range(d):
        for sign in (-1, 1):  # the coefficient falls, or rises, as far as a box of size 1 lets it
            found = scipy.optimize.linprog(
                -sign * free[k], slopes, np.zeros(len(slopes)), bounds=(-1, 1)
            )
            infinite[k] |= found.fun < -1e-6
    return infinite
