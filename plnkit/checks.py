"""A user's tables, checked before anything is computed: each fault gets one sentence."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Float64 = NDArray[np.float64]


MOST = 1e9
"""The largest count: no sample has as many reads, and float32 holds no more of its digits."""


class DataError(ValueError):
    """The counts, offsets or covariates cannot be what a PLN model is fitted to.

    Attributes:
        table: "counts", "offsets" or "covariates".
        problem: what is wrong with it.
        row: of the entry that is wrong, from 0; None where it is not about one entry.
        column: the name of its column.
    """

    def __init__(
        self, table: str, problem: str, row: int | None = None, column: str = "", at: str = ""
    ) -> None:
        super().__init__(f"{table}: {at}{problem}")
        self.table, self.problem, self.row, self.column = table, problem, row, column


class DataWarning(UserWarning):
    """Data that can be fitted, and that look as if something else was meant."""


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
        DataError: what is wrong, with the names of sample and taxon, or row and column from 0.
    """
    samples, taxa = _names(Y, "sample", "taxon")
    named = hasattr(Y, "columns")
    Y = _numbers("counts", Y, samples, taxa, named)
    n, p = Y.shape
    if n == 0 or p == 0:
        raise DataError("counts", f"the table is empty ({n} samples, {p} taxa).")
    if n == 1:
        raise DataError("counts", "there is 1 sample; a covariance needs several. One is a row.")
    for names, what in ((samples, "samples"), (taxa, "taxa")):
        _refuse_twins("counts", names, what)
    no_count = np.abs(np.rint(Y)) != Y  # ten times as fast as `(Y < 0) | (Y % 1 != 0)`
    _refuse("counts", Y, no_count, samples, taxa, named, "counts are whole numbers from 0 on")
    _refuse(
        "counts",
        Y,
        Y > MOST,
        samples,
        taxa,
        named,
        f"no sample has more than {MOST:g} reads of one",
    )
    _refuse_empty(Y.sum(axis=1), samples)
    _refuse_empty(Y.sum(axis=0), taxa)

    O = np.zeros((n, 1)) if O is None else O
    O = _numbers("offsets", O, samples, taxa, named)
    if O.shape not in ((n, p), (n, 1)):
        raise DataError(
            "offsets",
            f"the shape is {O.shape}, but counts have {(n, p)}; give {(n, p)} or {(n, 1)}.",
        )

    X = np.ones((n, 1)) if X is None else X
    _, covariates = _names(X, "sample", "covariate")
    X = _numbers("covariates", X, samples, covariates, named)
    _refuse_twins("covariates", covariates, "covariates")
    d = X.shape[1]
    if len(X) != n:
        raise DataError("covariates", f"there are {len(X)} rows, but counts have {n}.")
    if d > n:
        raise DataError(
            "covariates",
            f"there are {d} columns for {n} samples; a fit needs at least as many samples.",
        )
    rank = np.linalg.matrix_rank(X) if d else 0
    if rank < d:
        raise DataError(
            "covariates",
            f"the {d} columns have rank {rank}: one is a combination of the others (an intercept "
            "beside an indicator of every level, say). Leave one out.",
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


def _numbers(
    what: str, table: Any, rows: tuple[str, ...], columns: tuple[str, ...], named: bool
) -> Float64:
    try:
        values = np.asarray(table, np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(what, f"not all entries are numbers ({str(error)[:200]}).") from None
    if values.ndim == 1:
        values = values[:, None]
    if values.ndim != 2:
        raise DataError(what, f"a table has 2 dimensions, this has {values.ndim}.")
    wrong = ~np.isfinite(values)
    _refuse(what, values, wrong, rows, columns, named, "every entry must be a finite number")
    return values


def _refuse(
    what: str,
    values: Float64,
    wrong: NDArray[np.bool_],
    rows: tuple[str, ...],
    columns: tuple[str, ...],
    named: bool,
    why: str,
) -> None:
    """Refuse a table where an entry is wrong; name the first, as the table's owner would."""
    if not wrong.any():
        return
    i, j = map(int, np.argwhere(wrong)[0])
    more = f" ({wrong.sum()} such entries)" if wrong.sum() > 1 else ""
    row, column = (names[k] if k < len(names) else str(k) for names, k in ((rows, i), (columns, j)))
    at = f"sample {row}, column {column} " if named else f"row {i}, column {j} (from 0) "
    raise DataError(what, f"is {values[i, j]:g}{more}; {why}.", i, column, at)


def _refuse_empty(totals: Float64, names: tuple[str, ...]) -> None:
    empty = np.flatnonzero(totals == 0)
    if len(empty):
        several = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        raise DataError(
            "counts",
            f"{names[empty[0]]}{several} has only zeros; nothing can be learned about it. Leave it "
            "out.",
        )


def _refuse_twins(table: str, names: tuple[str, ...], what: str) -> None:
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise DataError(table, f"two {what} have the name {twice}; names must differ.")
