"""A user's CSV files, read into pandas tables: what cannot be read is told by row and column."""

import csv
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plnkit.extras import from_extras

if TYPE_CHECKING:
    import pandas as pd


_MANY = 6


class TableError(ValueError):
    """A CSV file that cannot be used."""


def read_counts(path: Path) -> "pd.DataFrame":
    """Samples in rows, taxa in columns; a first column without a name or a number names samples."""
    table = _read(path)
    first = table.columns[0]
    if _is_unnamed(first) or _numbers(table[first]).isna().all():
        table = table.set_index(table[first].map(str)).drop(columns=first)
        twice = table.index[table.index.duplicated()]
        if len(twice):
            lines = [i + 2 for i, name in enumerate(table.index) if name == twice[0]]
            raise TableError(
                f"{path.name}: lines {lines[0]} and {lines[1]} are both sample {twice[0]}; the "
                "names of samples must differ."
            )
        if table.columns.empty:
            raise TableError(f"{path.name}: there is one column, and it holds no counts.")
    return _numeric(table, path)


def read_offsets(path: Path, counts: "pd.DataFrame", log: bool) -> "pd.DataFrame":
    """Offsets of every sample and taxon, or one column for all; with `log`, totals to be logged."""
    import pandas as pd

    table = _numeric(_same_samples(_read(path), counts, path), path)
    values = table.to_numpy()
    if not log:
        return table
    if (values <= 0).any():
        i, j = np.argwhere(values <= 0)[0]
        raise TableError(
            f"{path.name}: line {i + 2}, column {table.columns[j]} is {values[i, j]:g}; "
            "a total must be positive to have a log."
        )
    return pd.DataFrame(np.log(values), table.index, table.columns)


def read_covariates(path: Path, counts: "pd.DataFrame") -> "pd.DataFrame":
    """Numbers as they are, text as an indicator of each level but the first, and an intercept."""
    import pandas as pd

    table = _same_samples(_read(path), counts, path)
    empty = table.isna().to_numpy()
    if empty.any():
        i, j = np.argwhere(empty)[0]
        raise TableError(f"{path.name}: line {i + 2}, column {table.columns[j]} is empty.")
    design = pd.get_dummies(table, drop_first=True, dtype=float)
    design.insert(0, "intercept", 1.0)
    return design


def _read(path: Path) -> "pd.DataFrame":
    with from_extras():
        import pandas as pd

    try:
        header, row = _first_lines(path)
        table = pd.read_csv(path)
    except (OSError, ValueError, csv.Error) as error:  # pandas' own errors are ValueErrors
        raise TableError(f"{path.name}: not a CSV table ({error}).") from None
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and separator in header[0]:
            raise TableError(
                f"{path.name}: the columns are separated by {name}. Save the table with commas "
                "between columns, and points in decimal numbers."
            )
    twice = next((name for name, count in Counter(header).items() if count > 1), None)
    if twice is not None:
        columns = [j for j, name in enumerate(header, start=1) if name == twice]
        shown = f"columns {columns[0]} and {columns[1]}"
        raise TableError(f"{path.name}: {shown} have the same name, {twice!r}; names must differ.")
    if not len(table):
        raise TableError(f"{path.name}: the table has a header and no rows.")
    if len(row) == len(header) + 1:  # as R writes them: pandas takes the first column for an index
        table = table.reset_index(names="Unnamed: 0")
    return table


def _first_lines(path: Path) -> tuple[list[str], list[str]]:
    """Return the fields of the header and of the first row."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file)
        return next(lines, []), next(lines, [])


def _is_unnamed(column: str) -> bool:
    """Whether a column has no name in the file, as pandas writes an index."""
    return column.startswith("Unnamed: ")


def _same_samples(table: "pd.DataFrame", counts: "pd.DataFrame", path: Path) -> "pd.DataFrame":
    """The table without its column of sample names, if it has one, which must be the counts'."""
    first, names = table.columns[0], list(map(str, counts.index))
    found = list(map(str, table[first]))
    same = len(table) == len(counts)
    if _is_unnamed(first) or set(found) & set(names) or (same and _look_like_names(table[first])):
        _refuse_other_names(found, names, path)
        table = table.drop(columns=first)
    if len(table) != len(counts):
        raise TableError(f"{path.name}: {len(table)} samples, but the counts have {len(counts)}.")
    if table.columns.empty:
        raise TableError(f"{path.name}: there is no column beside the names of the samples.")
    return table.set_index(counts.index)


def _look_like_names(column: Any) -> bool:
    """Whether a column holds a text for each of many rows, all different, as no covariate does."""
    return len(column) >= _MANY and column.is_unique and bool(_numbers(column).isna().all())


def _refuse_other_names(found: list[str], names: list[str], path: Path) -> None:
    """Refuse samples that are not those of the counts, in their order."""
    for line, name in enumerate(found, start=2):
        if name not in names:
            raise TableError(
                f"{path.name}: line {line} is sample {name}, which the counts do not have (their "
                f"first is {names[0]})."
            )
        if name in found[: line - 2]:
            raise TableError(f"{path.name}: line {line} is sample {name} once more.")
    missing = [name for name in names if name not in found]
    if missing:
        more = f" (and {len(missing) - 1} more)" if len(missing) > 1 else ""
        raise TableError(f"{path.name}: sample {missing[0]}{more} of the counts is missing.")
    for line, (one, other) in enumerate(zip(found, names, strict=True), start=2):
        if one != other:
            raise TableError(
                f"{path.name}: line {line} is sample {one}, but the counts have {other} there."
            )


def _numeric(table: "pd.DataFrame", path: Path) -> "pd.DataFrame":
    import pandas as pd

    numbers = pd.DataFrame({name: _numbers(table[name]) for name in table.columns}, table.index)
    wrong = numbers.isna().to_numpy()
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        value = table.iat[i, j]
        shown = "empty" if pd.isna(value) else repr(value)[:60]
        raise TableError(
            f"{path.name}: line {i + 2}, column {table.columns[j]} is {shown}, not a number."
        )
    return numbers


def _numbers(column: Any) -> "pd.Series":
    """The column as numbers, NaN for what is none."""
    import pandas as pd

    try:
        numbers = pd.to_numeric(column, errors="coerce")
        return pd.Series(numbers, column.index).astype(float)
    except OverflowError:  # whole numbers of hundreds of digits
        return column.map(_number).astype(float)


def _number(value: Any) -> float:
    try:
        return float(str(value))
    except ValueError:
        return np.nan
