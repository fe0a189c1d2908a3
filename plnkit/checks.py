"""A user's tables, checked before anything is computed: each fault gets one sentence."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


class DataError(ValueError):
    """The counts, offsets or covariates cannot be what a PLN model is fitted to."""


class Tables(NamedTuple):
    """Checked data: Y (n, p), O (n, p), X (n, d) in float64, and the names of rows and columns."""

    Y: Float64
    O: Float64
    X: Float64
    samples: tuple[str, ...]
    taxa: tuple[str, ...]
    covariates: tuple[str, ...]


def check(Y: Any, O: Any = None, X: Any = None) -> Tables:
    """Arrays or pandas tables to checked float64 arrays; names come from the tables.

    Args:
        Y: counts, (n, p).
        O: offsets on the log scale, (n, p) or one a sample, (n,) or (n, 1); zero when None.
        X: covariates, (n, d), an intercept among them where one is wanted; an intercept alone
            when None.

    Raises:
        DataError: what is wrong, with row and column.
    """
    samples, taxa = _names(Y, "sample", "taxon")
    Y = _numbers("counts", Y, samples, taxa)
    n, p = Y.shape
    if n == 0 or p == 0:
        raise DataError(f"counts: the table is empty ({n} samples, {p} taxa).")
    no_count = np.abs(np.rint(Y)) != Y  # ten times as fast as `(Y < 0) | (Y % 1 != 0)`
    _refuse("counts", Y, no_count, samples, taxa, "counts are whole numbers from 0 on")
    _refuse_empty(Y.sum(axis=1), samples, "sample", "row")
    _refuse_empty(Y.sum(axis=0), taxa, "taxon", "column")

    O = np.zeros((n, 1)) if O is None else O
    O = _numbers("offsets", O, samples, taxa)
    if O.shape not in ((n, p), (n, 1)):
        raise DataError(
            f"offsets: the shape is {O.shape}, but counts have {(n, p)}; give {(n, p)} or {(n, 1)}."
        )

    X = np.ones((n, 1)) if X is None else X
    _, covariates = _names(X, "sample", "covariate")
    X = _numbers("covariates", X, samples, covariates)
    if len(X) != n:
        raise DataError(f"covariates: there are {len(X)} rows, but counts have {n}.")
    rank = np.linalg.matrix_rank(X) if X.shape[1] else 0
    if rank < X.shape[1]:
        raise DataError(
            f"covariates: the {X.shape[1]} columns have rank {rank}: one is a combination of the "
            "others (an intercept beside an indicator of every level, say). Leave one out."
        )
    return Tables(Y, np.broadcast_to(O, (n, p)), X, samples, taxa, covariates)


def _names(table: Any, row: str, column: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of rows and columns: pandas' own, else made up, counted from 0 as arrays are."""
    shape = np.shape(table)
    rows = tuple(map(str, getattr(table, "index", ()))) if hasattr(table, "columns") else ()
    columns = tuple(map(str, getattr(table, "columns", ())))
    width = shape[1] if len(shape) > 1 else 1
    return (
        rows or tuple(f"{row} {i}" for i in range(shape[0] if shape else 0)),
        columns or tuple(f"{column} {j}" for j in range(width)),
    )


def _numbers(what: str, table: Any, rows: tuple[str, ...], columns: tuple[str, ...]) -> Float64:
    try:
        values = np.asarray(table, np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{what}: not all entries are numbers ({error}).") from None
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2:
        raise DataError(f"{what}: a table has 2 dimensions, this has {values.ndim}.")
    _refuse(
        what, values, ~np.isfinite(values), rows, columns, "every entry must be a finite number"
    )
    return values


def _refuse(what, values, wrong, rows, columns, why) -> None:
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        more = f" ({wrong.sum()} such entries)" if wrong.sum() > 1 else ""
        row = rows[i] if i < len(rows) else i
        column = columns[j] if j < len(columns) else j
        raise DataError(
            f"{what}: row {i} ({row}), column {j} ({column}) is {values[i, j]:g}{more}; {why}."
        )


def _refuse_empty(totals: Float64, names: tuple[str, ...], what: str, axis: str) -> None:
    empty = np.flatnonzero(totals == 0)
    if len(empty):
        several = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        raise DataError(
            f"counts: {axis} {empty[0]} ({names[empty[0]]}){several} holds only zeros; nothing can "
            f"be learned about that {what}. Leave it out."
        )
