"""A user's tables, checked before anything is computed: each fault gets one sentence.

Every table is checked as it was given, so that a message names the entry as its owner would. Then
tables are matched by their names (`plnkit.alignment`).
"""

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit.alignment import (
    Axis,
    as_pandas,
    go_by_name,
    is_pandas,
    recall,
    refuse_twins,
)
from plnkit.entries import INDEX, Table, read_table
from plnkit.layout import find_total, look_like_taxa, name_taxa_in_rows, number_rows
from plnkit.problems import DataError, DataWarning, LayoutWarning, warn

Float64 = NDArray[np.float64]

MOST = 1e9
"""The largest count: no sample has as many reads, and float32 holds no more of its digits."""
EXACT = 2**24
"""float32 holds every whole number up to this."""
LARGE_OFFSET = 20.0
"""More than the log of any number of reads (5e8), and than any two samples differ by."""
WHOLE_OFFSETS = 7.0
"""Offsets that are whole numbers and differ by more than this, a factor of 1100, are no logs."""
LEAST_WEIGHT = 1e-6
"""Of the mean weight: steps end when they gain too little in the sum of all samples."""
FAR = 20.0
"""Times the range of most values: a gap beside these is worth a warning."""
FEW = 5
"""Different values of which a range says something, and times as many as beside the gap."""


class Tables(NamedTuple):
    """Checked data, their rows and columns in the order of the counts.

    Attributes:
        Y: counts, (n, p), float32 where that holds them exactly, else as they were given.
        O: offsets, (n, p), float32 or float64.
        X: covariates, (n, d) float64.
        samples, taxa, covariates: the names of rows and columns.
        weights: of the samples, (n,) float64; None where none were given.
    """

    Y: NDArray
    O: NDArray
    X: Float64
    samples: tuple[str, ...]
    taxa: tuple[str, ...]
    covariates: tuple[str, ...]
    weights: Float64 | None = None


class NewTables(NamedTuple):
    """Checked data of m samples that were not in the fit, their columns in the fit's order.

    Attributes:
        Y: counts, (m, p) float64, NaN where one is not known; None where none were given.
        O: offsets, (m, p).
        X: covariates, (m, d) float64.
        index: the pandas index of the samples, None where all tables were arrays.
    """

    Y: Float64 | None
    O: NDArray
    X: Float64
    index: Any


def check(Y: Any, O: Any = None, X: Any = None, weights: Any = None) -> Tables:
    """Check arrays or pandas tables; match tables with names by them, arrays by position.

    Args:
        Y: counts, (n, p).
        O: offsets on the log scale, (n, p) or one a sample, (n,) or (n, 1); zero when None.
        X: covariates, (n, d), an intercept among them where one is wanted; an intercept alone
            when None.
        weights: of the samples, from 0 on, (n,).

    Raises:
        DataError: what is wrong, with the names of sample and taxon, or row and column from 0.

    Warns:
        DataWarning: offsets that are not logs, as it seems, or taxa in rows.
    """
    Y = as_pandas("counts", Y)
    counts = _read_counts(Y)
    n, p = counts.values.shape
    offsets = read_table("offsets", np.zeros((n, 1)) if O is None else O, "taxon")
    covariates = read_table("covariates", np.ones((n, 1)) if X is None else X, "covariate")
    if X is None:
        covariates = covariates._replace(columns=Axis("covariate", ("intercept",), "names"))
    refuse_twins("covariates", covariates.columns)
    for other in (offsets, covariates):
        _refuse_transposed(counts, other)
    _refuse_other_order(counts, offsets, covariates)
    offsets = offsets.take_rows(counts.rows, "the counts", "O.loc[Y.index]")
    covariates = covariates.take_rows(counts.rows, "the counts", "X.loc[Y.index]")
    w = None if weights is None else _check_weights(weights, counts, offsets, covariates)
    rows, d = covariates.values.shape
    if rows != n:
        turned = " If the taxa stand in rows, give Y.T." if rows == p else ""
        raise DataError("covariates", f"there are {rows} rows, but counts have {n}.{turned}")
    fitted = n if w is None else np.count_nonzero(w)
    if d > fitted:
        raise DataError(
            "covariates",
            f"there are {d} columns for {fitted} samples; a fit needs at least as many samples.",
        )
    offsets = _check_offsets(offsets, n, counts.columns, "the counts", "O[Y.columns]")
    if 2 * d > fitted > FEW:
        warn(
            f"covariates: there are {d} columns for {fitted} samples. A fit explains such samples "
            "nearly by themselves; coefficients and covariance rest on little.",
            DataWarning,
        )
    _warn_of_far_values(covariates)
    _warn_of_layout(Y, counts)
    named = (table.rows for table in (counts, covariates, offsets))
    samples = next((axis for axis in named if axis.kind != "positions"), counts.rows)
    O_dtype = np.float32 if offsets.values.dtype == np.float32 else np.float64
    return Tables(
        Y=counts.values,
        O=np.broadcast_to(_copy(offsets.values, O_dtype), (n, p)),
        X=_copy(covariates.values, np.float64),
        samples=samples.labels,
        taxa=counts.columns.labels,
        covariates=covariates.columns.labels,
        weights=w,
    )


def check_new(
    covariates: tuple[str, ...], taxa: tuple[str, ...], O: Any, X: Any, Y: Any = None
) -> NewTables:
    """Check tables of samples that were not in the fit, as `check` does.

    Args:
        covariates, taxa: the names that the fit has.
        O: offsets, (m, p) or (m,) or (m, 1); zero when None.
        X: covariates, (m, d).
        Y: counts, (m, p), NaN where one is not known.

    Raises:
        DataError: shapes or names do not fit, or an entry is not what it should be.
    """
    Y, O, X = as_pandas("counts", Y), as_pandas("offsets", O), as_pandas("covariates", X)
    taxa_axis = recall("taxon", taxa)
    new = read_table("covariates", X, "covariate")
    first = new if Y is None else read_table("counts", Y, "taxon", unknown=True)
    m = len(first.values)
    offsets = read_table("offsets", np.zeros((m, 1)) if O is None else O, "taxon")
    refuse_twins(first.which, first.rows)
    _refuse_other_order(first, offsets, new)
    whose, code = ("the covariates", "X") if Y is None else ("the counts", "Y")
    new = new.take_rows(first.rows, whose, f"X.loc[{code}.index]")
    new = new.take_columns(
        recall("covariate", covariates), "the fit", "X[list(fit.tables.covariates)]"
    )
    if new.values.shape[1] != len(covariates):
        raise DataError(
            "covariates",
            f"the shape is {new.values.shape}, but the fit has {len(covariates)} columns: "
            f"{', '.join(covariates)}.",
        )
    if len(new.values) != m:
        raise DataError("covariates", f"there are {len(new.values)} rows, but counts have {m}.")
    offsets = offsets.take_rows(first.rows, whose, f"O.loc[{code}.index]")
    offsets = _check_offsets(offsets, m, taxa_axis, "the fit", "O[list(fit.tables.taxa)]")
    named: list[Any] = [table for table in (Y, X, O) if is_pandas(table)]
    return NewTables(
        Y=None if Y is None else _check_new_counts(first, taxa_axis),
        O=np.broadcast_to(offsets.values, (m, len(taxa))),
        X=np.asarray(new.values, np.float64),
        index=named[0].index if named else None,
    )


def _check_new_counts(counts: Table, taxa: Axis) -> Float64:
    """Counts of new samples, (m, p), NaN where they are not known."""
    counts = counts.take_columns(taxa, "the fit", "Y[list(fit.tables.taxa)]")
    values = np.asarray(counts.values, np.float64)
    if values.shape[1] != len(taxa.labels):
        wanted = (len(values), len(taxa.labels))
        raise DataError("counts", f"the shape is {values.shape}; give {wanted}.")
    known = ~np.isnan(values)
    wrong = known & ((values < 0) | (values > MOST) | (np.rint(values) != values))
    counts.refuse(wrong, f"counts are whole numbers from 0 to {MOST:g}, or NaN")
    return values


def _check_weights(weights: Any, counts: Table, *others: Table) -> Float64:
    """The weights of the samples, (n,), in the order of the counts."""
    table = read_table("weights", weights, "weight")
    n = len(counts.values)
    _refuse_other_order(counts, table, *others)
    table = table.take_rows(counts.rows, "the counts", "weights.loc[Y.index]")
    if table.values.shape != (n, 1):
        raise DataError("weights", f"the shape is {np.shape(weights)}; give ({n},).")
    table.refuse(table.values < 0, "a weight is 0 or more")
    values = _copy(table.values[:, 0], np.float64)
    kept = values > 0
    if kept.sum() < 2:
        raise DataError(
            "weights", f"only {kept.sum()} of them are above 0, and a fit needs several samples."
        )
    least = LEAST_WEIGHT * values[kept].mean()
    table.refuse(
        (table.values > 0) & (table.values < least),
        f"the mean weight is {values[kept].mean():g}, and the position of a sample that weighs so "
        "little cannot be found beside the others. Give 0, which leaves it out of the fit",
    )
    only = np.flatnonzero(~counts.values[kept].any(axis=0))
    if len(only):
        several = f" (and {len(only) - 1} more)" if len(only) > 1 else ""
        raise DataError(
            "counts",
            f"{counts.columns.labels[only[0]]}{several} has only zeros in the samples with a "
            "weight; nothing can be learned about it. Leave it out.",
        )
    return values


def _read_counts(Y: Any) -> Table:
    """The counts, checked in one pass over them, as an array that nobody else changes."""
    counts = read_table("counts", Y, "taxon")
    values = counts.values
    n, p = values.shape
    if n == 0 or p == 0:
        raise DataError("counts", f"the table is empty ({n} samples, {p} taxa).")
    if n == 1:
        raise DataError("counts", "there is 1 sample (a row), and a fit needs several.")
    for axis in (counts.rows, counts.columns):
        refuse_twins("counts", axis)
    highest = values.max(axis=0)
    whole = values.dtype.kind in "iu" or bool((np.rint(values) == values).all())
    if not (whole and values.min() >= 0 and highest.max() <= MOST):
        counts.refuse(
            (values < 0) | (np.rint(values) != values),
            "counts are whole numbers from 0 on. Give these, no shares or logs of them",
        )
        counts.refuse(values > MOST, f"no sample has more than {MOST:g} reads of one")
    empty = np.flatnonzero(highest == 0)
    if len(empty):
        several = f" (and {len(empty) - 1} more)" if len(empty) > 1 else ""
        raise DataError(
            "counts",
            f"{counts.columns.labels[empty[0]]}{several} has only zeros; nothing can be learned "
            "about it. Leave it out.",
        )
    exact = np.float32 if highest.max() <= EXACT else values.dtype
    return counts._replace(values=_copy(values, exact))


def _check_offsets(offsets: Table, n: int, taxa: Axis, whose: str, fix: str) -> Table:
    """The offsets, (n, p) with the columns in the order of the taxa, or (n, 1)."""
    p = len(taxa.labels)
    if offsets.values.shape[1] != 1:
        offsets = offsets.take_columns(taxa, whose, fix)
    values = offsets.values
    if values.shape not in ((n, p), (n, 1)):
        turned = " (this is O.T, it seems)" if values.shape == (p, n) else ""
        raise DataError(
            "offsets",
            f"the shape is {values.shape}; give {(n, p)} or {(n, 1)}{turned}.",
        )
    if not values.size:
        return offsets
    low, high = float(values.min()), float(values.max())
    whole = high - low > WHOLE_OFFSETS and bool((np.rint(values) == values).all())
    if whole or high - low > LARGE_OFFSET or values.mean(axis=0).max() > LARGE_OFFSET:
        are = "are whole numbers" if whole else "are"
        warn(
            f"offsets: they {are} from {low:g} to {high:g}, and offsets are logs: a sample at "
            f"{high:g} has exp({high - low:g}) times the effort of one at {low:g}. If these are "
            "totals, give np.log(O).",
            DataWarning,
        )
    return offsets


def _refuse_transposed(counts: Table, other: Table) -> None:
    """Refuse counts whose columns are the samples of another table."""
    if not go_by_name(counts.columns, other.rows):
        return
    taxa, samples = set(counts.columns.labels), set(other.rows.labels)
    if taxa <= samples and not samples & set(counts.rows.labels):
        raise DataError(
            "counts",
            f"the columns are the samples of the {other.which}: give Y.T, samples in rows.",
        )


def _refuse_other_order(first: Table, *others: Table) -> None:
    """Refuse tables that name the same samples in another order, where the first has no names."""
    nameless = [table for table in others if not go_by_name(first.rows, table.rows)]
    for one, other in combinations(nameless, 2):
        if go_by_name(one.rows, other.rows) and one.rows.labels != other.rows.labels:
            raise DataError(
                one.which,
                f"the samples are not those of the {other.which} in their order, and the "
                f"{first.which} have no names to go by. Give the {first.which} as a table with the "
                "samples' names.",
            )


def _warn_of_layout(table: Any, counts: Table) -> None:
    """Warn where rows look like taxa, a column like names of samples, or one like totals."""
    Y, rows, columns = counts.values, counts.rows, counts.columns
    if {rows.kind, columns.kind} == {"names"}:
        header = str(getattr(getattr(table, "index", None), "name", None) or "")
        why = name_taxa_in_rows(rows.labels, columns.labels, header) or look_like_taxa(
            rows.labels, columns.labels, Y
        )
        if why:
            warn(
                f"counts: {why}. Samples belong in rows: if they are not, give Y.T.", LayoutWarning
            )
    elif columns.kind == "names" and len(columns.labels) > 1 and number_rows(Y[:, 0]):
        warn(
            f"counts: column {columns.labels[0]} is used as counts, though it seems to number the "
            f"rows. {INDEX}",
            LayoutWarning,
        )
    for axis, values in ((columns, Y), (rows, Y.T)):
        total = find_total(values)
        if total is not None:
            warn(
                f"counts: {axis.what} {axis.labels[total]} is the sum of all others. Leave it out, "
                "if it is a total.",
                DataWarning,
            )


def _warn_of_far_values(covariates: Table) -> None:
    """Warn of values that are so far from all others that they may mark what is missing."""
    for j, values in enumerate(covariates.values.T):
        ordered = np.sort(values)
        with np.errstate(over="ignore"):
            gaps = np.diff(ordered)
        k = int(gaps.argmax())
        low, high = ordered[: k + 1], ordered[k + 1 :]
        few, near = sorted((low, high), key=len)
        if len(near) < FEW * len(few):
            continue
        if gaps[k] > FAR * (near[-1] - near[0]) and len(np.unique(near)) >= FEW:
            far = (values < near[0]) | (values > near[-1])
            i = int(far.argmax())
            _, _, place = covariates.at(i, j)
            warn(
                f"covariates: {place}is {values[i]:g}, and most values are from {near[0]:g} to "
                f"{near[-1]:g}. If it marks a missing value, leave the sample out.",
                DataWarning,
            )


def _copy(values: NDArray, dtype: Any) -> NDArray:
    """A copy that neither its owner changes later nor anybody else."""
    copied = np.array(values, dtype, order="C")
    copied.flags.writeable = False
    return copied
