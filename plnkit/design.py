"""Covariates as the solver wants them: an orthonormal basis in float64, and the way back.

A northing of 5,092,000 + m metres keeps none of its metres in float32, and next to nothing of them
survives in the normal equations of float64. The fit depends on the covariates only through the
space that they span. So every computation takes an orthonormal basis Q of that space, and its
results are carried back to the user's columns once, by a triangular solve.

Where a constant is in that space, it is the first vector of the basis, and the other columns are
centred before anything else is done with them: shifts and units then change nothing but the last
digits.

References:
    Golub, Van Loan (2013), Matrix Computations, 4th edition, sections 3.1 (triangular systems are
    solved to high accuracy) and 5.3 (least squares by QR).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plnkit.problems import DataError, DataWarning, warn

Float64 = NDArray[np.float64]

ROUNDING = 64 * np.finfo(np.float64).eps
"""What rounding leaves of a sum that ought to be zero, relative to its largest term."""
NEARLY = 1e-6
"""A column of which no more than this is its own, relative to its spread, is worth a warning."""
NEGLIGIBLE = 1e-9
"""A term of a combination that is not shown, relative to the largest."""


@dataclass(frozen=True, eq=False)
class Design:
    """Covariates X = Q R, with an orthonormal Q. `make_design` makes it.

    With weights w of the samples, Q' diag(w) Q is the identity.

    Attributes:
        X: the covariates as they were given, (n, d) float64.
        Q: orthonormal basis of their space, (n, d) float64. Where a constant is in this space, the
            first column is 1 / sqrt(n), with weights 1 / sqrt(sum(w)).
        names: of the columns of X.
        change: X @ change has a constant first, where there is one, and then the other columns in
            their order, (d, d) float64.
        triangle: X @ change = Q @ triangle, upper triangular, (d, d) float64.
    """

    X: Float64
    Q: Float64
    names: tuple[str, ...]
    change: Float64
    triangle: Float64

    @property
    def R(self) -> Float64:
        """X = Q R, (d, d) float64; upper triangular where an intercept comes first."""
        return np.asarray(np.linalg.solve(self.change.T, self.triangle.T).T, np.float64)

    def coefficients(self, B_Q: ArrayLike) -> Float64:
        """Carry coefficients on Q back to X: R^-1 B_Q.

        Args:
            B_Q: coefficients on Q, or their variations, (d, ...).

        Returns:
            Coefficients on X, (d, ...) float64: X @ result is Q @ B_Q.
        """
        B_Q = np.asarray(B_Q, np.float64)
        flat = B_Q.reshape(len(B_Q), math.prod(B_Q.shape[1:]))
        # In an upper triangle, `solve` finds nothing to eliminate and no rows to exchange. What is
        # left is substitution, which is accurate for columns of any size.
        return (self.change @ np.linalg.solve(self.triangle, flat)).reshape(B_Q.shape)


def make_design(
    X: ArrayLike, names: Sequence[str], sample_weights: Float64 | None = None
) -> Design:
    """Find an orthonormal basis of the covariates.

    Args:
        X: covariates, finite, (n, d), with d <= n.
        names: of the columns, for messages.
        sample_weights: from 0 on, (n,); 1 when None. Samples of weight 0 are left out, but have
            their rows in Q.

    Raises:
        DataError: a column is a combination of others, to the last digits of float64. The message
            names the combination. Units and shifts of columns do not matter.

    Warns:
        DataWarning: a column is nearly a combination of others.

    >>> X = [[1, 5092000.5], [1, 5092001], [1, 5092004]]
    >>> design = make_design(X, ["intercept", "northing"])
    >>> design.coefficients(design.Q.T @ [0.5, 1.0, 4.0]).round(6).tolist()
    [-5092000.0, 1.0]
    """
    given: Float64 = np.asarray(X, np.float64, order="F")  # what follows goes down its columns
    names = tuple(names)
    n, d = given.shape
    w = np.ones(n) if sample_weights is None else sample_weights
    if not w.all():
        design = make_design(given[w > 0], names, w[w > 0])
        Q = np.linalg.solve(design.triangle.T, (given @ design.change).T).T
        Q[w > 0] = design.Q
        return replace(design, X=given, Q=Q)
    root = np.sqrt(w)[:, None]
    units = np.ldexp(1.0, np.frexp(np.abs(given).max(axis=0, initial=0))[1] - 1)
    if units.min(initial=1) < np.finfo(np.float64).tiny:
        column = names[int(units.argmin())]
        raise DataError("covariates", f"the numbers in {column} are too small; change their unit.")
    scaled = given / units  # so that no square overflows; powers of 2 leave the digits alone
    weights = _find_constant(scaled)
    if weights is None:
        change, means = np.eye(d), np.zeros(d)
        columns = scaled
    else:
        # The constant takes the place of the column that has most to do with it.
        out = int(np.argmax(np.abs(weights) * np.abs(scaled).max(axis=0)))
        kept = [j for j in range(d) if j != out]
        change = np.column_stack([weights, np.eye(d)[:, kept]])
        means = np.concatenate([[1.0], np.average(scaled[:, kept], axis=0, weights=w)])
        columns = np.column_stack([np.ones(n), scaled[:, kept] - means[1:]])
    columns = root * columns
    sizes = np.linalg.norm(columns, axis=0)
    # What rounding leaves of each column where nothing ought to be left.
    noise = ROUNDING * np.sqrt(w.sum()) * (np.abs(scaled).max(axis=0, initial=0) @ np.abs(change))
    shows = partial(_show, change, means, sizes, units, names)
    empty = np.flatnonzero(sizes <= noise)
    if len(empty):
        _refuse(shows(np.eye(d)[empty[0]]))
    Q, triangle = np.linalg.qr(columns / sizes)
    signs = np.where(np.diagonal(triangle) < 0, -1.0, 1.0)
    Q, triangle = Q * signs / root, triangle * signs[:, None]
    for j in range(1, d):
        others = np.linalg.solve(triangle[:j, :j], triangle[:j, j])
        combination = np.concatenate([-others, [1.0], np.zeros(d - j - 1)]) / sizes
        own = triangle[j, j]
        if own <= np.abs(combination) @ noise:
            _refuse(shows(combination))
        if own < NEARLY:
            warn(
                f"covariates: but for {own:.0e} of its spread, {shows(combination)} in every "
                "sample. Coefficients that rest on so little have huge standard errors. Leave one "
                "of these columns out, or give it another form.",
                DataWarning,
            )
    triangle = triangle * sizes
    if weights is not None:
        triangle[0, 1:] += np.sqrt(w.sum()) * means[1:]
    return Design(given, Q, names, change / units[:, None], triangle)


def _find_constant(X: Float64) -> Float64 | None:
    """The combination of columns that is 1 everywhere, (d,), if there is one.

    An intercept, as a rule, or the indicators of all levels of a factor.
    """
    n, d = X.shape
    largest = np.abs(X).max(axis=0, initial=0)
    flat = np.flatnonzero((np.ptp(X, axis=0) <= ROUNDING * largest) & (largest > 0)) if d else []
    if len(flat):
        return np.eye(d)[flat[0]] / X[:, flat[0]].mean()
    sizes = np.where(largest > 0, largest, 1)
    weights = np.linalg.lstsq(X / sizes, np.ones(n))[0] / sizes
    left = np.abs(X @ weights - 1).max()
    return weights if left <= ROUNDING * np.abs(weights) @ largest else None


def _refuse(equation: str) -> None:
    """Refuse covariates of which a combination is zero."""
    raise DataError(
        "covariates",
        f"{equation} in every sample: one column is a combination of the others, and no fit can "
        "tell their effects apart. Leave one of them out.",
    )


def _show(
    change: Float64,
    means: Float64,
    sizes: Float64,
    units: Float64,
    names: tuple[str, ...],
    combination: Float64,
) -> str:
    """An equation for the last column of a combination that is zero.

    Args:
        combination: of the columns of X @ change, centred but for a constant, (d,).
    """
    share = np.abs(combination) * sizes
    terms = np.where(share >= NEGLIGIBLE * share.max(), combination, 0.0)
    shift = means[1:] * terms[1:]
    constant = terms[0] - shift.sum()
    terms[0] = constant if abs(constant) > NEGLIGIBLE * np.abs(shift).sum() else 0.0
    weights = change @ terms
    weights[np.abs(weights) <= ROUNDING * (np.abs(change) @ np.abs(terms))] = 0.0
    weights /= units
    last = int(np.flatnonzero(weights)[-1])
    text = ""
    for weight, name in zip(-weights[:last] / weights[last], names, strict=False):
        if weight:
            sign = (" - " if weight < 0 else " + ") if text else ("-" if weight < 0 else "")
            text += f"{sign}{abs(weight):.7g} x {name}"
    return f"{names[last]} = {text or 0}"
