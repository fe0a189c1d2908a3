"""The entries of a user's table as numbers; what is no number is named by its place."""

import datetime
import decimal
import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit.alignment import Axis, as_pandas, columns_of, is_pandas, order_as, rows_of
from plnkit.cells import find_doubt, parse_numbers
from plnkit.problems import DataError

Float64 = NDArray[np.float64]

FINITE = "every entry must be a finite number"
FILL = "Fill it in, or leave the sample out of all tables"
INDEX = "If it names the samples, make it the index, as pd.read_csv(..., index_col=0) does."
INDICATORS = (
    "Give an indicator of each level but the first: pd.get_dummies(X, drop_first=True, "
    "dtype=float), or use a formula."
)


class Table(NamedTuple):
    """A table on its own.

    Attributes:
        which: "counts", "offsets" or "covariates".
        values: its entries, (rows, columns), numbers.
        rows, columns: their names.
        named: whether it is a pandas table, whose owner knows its names.
    """

    which: str
    values: NDArray
    rows: Axis
    columns: Axis
    named: bool

    def at(self, i: int, j: int) -> tuple[int, str, str]:
        """Row, name of the column, and where that is in words."""
        column = self.columns.labels[j]
        if self.named:
            return i, column, f"sample {self.rows.labels[i]}, column {column} "
        return i, column, f"row {i}, column {j} (from 0) "

    def refuse(self, wrong: NDArray[np.bool_], why: str) -> None:
        """Refuse the table if entries are wrong; name the first."""
        if wrong.any():
            i, j = map(int, np.argwhere(wrong)[0])
            more = f" ({wrong.sum()} such entries)" if wrong.sum() > 1 else ""
            problem = f"is {self.values[i, j]:g}{more}; {why}."
            raise DataError(self.which, problem, *self.at(i, j))

    def take_rows(self, wanted: Axis, whose: str, fix: str) -> "Table":
        """The table with its rows in the order that is wanted, where both have names."""
        order = order_as(wanted, self.rows, self.which, whose, fix)
        return self if order is None else self._replace(values=self.values[order], rows=wanted)

    def take_columns(self, wanted: Axis, whose: str, fix: str) -> "Table":
        """The table with its columns in the order that is wanted, where both have names."""
        order = order_as(wanted, self.columns, self.which, whose, fix)
        return (
            self if order is None else self._replace(values=self.values[:, order], columns=wanted)
        )


def read_table(which: str, table: Any, column: str, unknown: bool = False) -> Table:
    """A table as numbers, (rows, columns), all finite; with `unknown`, they need not be.

    Raises:
        DataError: it has not 2 dimensions, or an entry is no number.
    """
    table = as_pandas(which, table)
    if hasattr(table, "toarray"):  # SciPy's sparse matrices
        table = table.toarray()
    masked = np.ma.getmaskarray(table) if isinstance(table, np.ma.MaskedArray) else None
    values = _to_array(which, table)
    if values.ndim == 1:
        values = values[:, None]
        masked = None if masked is None else masked[:, None]
    if values.ndim != 2:
        raise DataError(
            which,
            f"a table has 2 dimensions, and this {type(table).__name__} has {values.ndim}. Give an "
            "array, a pandas table or a sparse matrix.",
        )
    n, p = values.shape
    read = Table(which, values, rows_of(table, n), columns_of(table, column, p), is_pandas(table))
    if masked is not None and masked.any():
        if not unknown:
            i, j = map(int, np.argwhere(masked)[0])
            raise DataError(
                which, f"is masked ({masked.sum()} in all); {FINITE}. {FILL}.", *read.at(i, j)
            )
        values = np.where(masked, np.nan, values)
        read = read._replace(values=values)
    if values.dtype.kind == "b":
        return read._replace(values=values.astype(np.uint8))
    if values.dtype.kind not in "iuf":
        read = read._replace(values=_to_numbers(read))
    elif values.dtype.kind == "f" and values.itemsize not in (4, 8):
        read = read._replace(values=values.astype(np.float64))
    if not unknown and read.values.dtype.kind == "f":
        finite = np.isfinite(read.values)
        if not finite.all():
            of_0 = which == "offsets" and np.isneginf(read.values).any()
            why = f"{FINITE}, and there is no log of a total of 0" if of_0 else FINITE
            read.refuse(~finite, f"{why}. {FILL}")
    return read


def _to_array(which: str, table: Any) -> NDArray:
    """The entries of a table, of whatever kind they are."""
    try:
        if not is_pandas(table):
            return np.asarray(table)
        if getattr(table, "ndim", 2) == 1:
            table = table.to_frame()
        for name, kind in zip(table.columns, table.dtypes, strict=True):
            if kind.name == "category":
                fix = INDICATORS if which == "covariates" else INDEX
                raise DataError(which, f"column {name} is a factor. {fix}")
        kinds = set(table.dtypes)
        if len(kinds) == 1 and isinstance(next(iter(kinds)), np.dtype):
            return table.to_numpy()
        if all(getattr(kind, "kind", "O") in "biuf" for kind in kinds):
            return table.to_numpy(np.float64, na_value=np.nan)  # pd.NA, too
        return table.to_numpy(object)
    except DataError:
        raise
    except (TypeError, ValueError) as error:
        raise DataError(which, f"this is no table of numbers ({str(error)[:200]}).") from None


def _to_numbers(table: Table) -> Float64:
    """Entries of any kind as numbers, NaN for those that are missing."""
    rows, columns = table.values.shape
    values = np.empty((rows, columns))
    for j in range(columns):
        column = table.values[:, j]
        other = [i for i, entry in enumerate(column) if not is_number(entry)]
        if other:
            raise _explain(table, other, j)
        for i, entry in enumerate(column):
            try:
                values[i, j] = np.nan if _is_missing(entry) else float(entry)
            except OverflowError:
                raise DataError(table.which, "is too large a number.", *table.at(i, j)) from None
    return values


def _is_missing(entry: Any) -> bool:
    """None, NaN, or pandas' NA and NaT: only these are not equal to themselves for sure."""
    return entry is None or type(entry).__name__ in ("NAType", "NaTType")


def is_number(entry: Any) -> bool:
    """Whether an entry of an object array is a number, or missing."""
    real = isinstance(entry, (numbers.Real, decimal.Decimal, np.bool_))
    # NumPy's durations are integers of some unit.
    return (real and not isinstance(entry, np.timedelta64)) or _is_missing(entry)


def _explain(table: Table, other: list[int], j: int) -> DataError:
    """The error for a column with entries that are no numbers: a stray one, or all of them."""
    column = table.values[:, j]
    first = column[other[0]]
    row, name, place = table.at(other[0], j)
    if isinstance(first, (np.timedelta64, datetime.timedelta)):
        problem = "is a duration. Give a number of days: column.dt.days."
    elif isinstance(first, np.datetime64) or hasattr(first, "isoformat"):
        problem = (
            f"is a date, {str(first)[:40]}. Give a number, such as days since the first: "
            "(date - date.min()).dt.days."
        )
    elif all(isinstance(entry, str) for entry in column):
        cells = [entry.strip() for entry in column]
        if not np.isnan(parse_numbers(cells)).any():
            problem = f"is text, {first[:40]!r}. Make the column numbers: pd.to_numeric(column)."
        elif table.which == "covariates":
            row, problem = find_doubt(cells) or (0, f"is text, {first[:40]!r}. {INDICATORS}")
            if len(set(cells)) == len(cells):
                problem = f"{problem} {INDEX}"
            row, name, place = table.at(row, j)
        else:
            fix = "Give numbers." if table.which == "weights" else INDEX
            problem = f"is text, {first[:40]!r}. {fix}"
    else:
        more = f" ({len(other)} such entries)" if len(other) > 1 else ""
        problem = f"is {str(first)[:40]!r}{more}; every entry must be a number."
    return DataError(table.which, problem, row, name, place)
