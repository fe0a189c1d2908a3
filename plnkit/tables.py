"""A user's CSV files, read into pandas tables: what cannot be read is told by row and column."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plnkit.extras import from_extras

if TYPE_CHECKING:
    import pandas as pd


class TableError(ValueError):
    """A CSV file that cannot be used."""


def read_counts(path: Path) -> "pd.DataFrame":
    """Samples in rows, taxa in columns; a first column without any number names the samples."""
    table = _read(path)
    first = table.columns[0]
    if _numbers(table[first]).isna().all():
        table = table.set_index(table[first].map(str)).drop(columns=first)
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
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:  # pandas' own errors are ValueErrors
        raise TableError(f"{path.name}: not a CSV table ({error}).") from None
    if table.empty:
        raise TableError(f"{path.name}: the table has a header and no rows.")
    return table


def _same_samples(table: "pd.DataFrame", counts: "pd.DataFrame", path: Path) -> "pd.DataFrame":
    """The table without its column of sample names, if it has one, which must be the counts'."""
    if len(table) != len(counts):
        raise TableError(f"{path.name}: {len(table)} samples, but the counts have {len(counts)}.")
    first, names = table.columns[0], list(map(str, counts.index))
    found = list(map(str, table[first]))
    if set(found) != set(names):
        return table.set_index(counts.index)
    for line, (one, other) in enumerate(zip(found, names, strict=True), start=2):
        if one != other:
            raise TableError(
                f"{path.name}: line {line} is sample {one}, but the counts have {other} there."
            )
    return table.drop(columns=first).set_index(counts.index)


def _numeric(table: "pd.DataFrame", path: Path) -> "pd.DataFrame":
    import pandas as pd

    numbers = pd.DataFrame({name: _numbers(table[name]) for name in table.columns}, table.index)
    wrong = numbers.isna().to_numpy()
    if wrong.any():
        i, j = np.argwhere(wrong)[0]
        value = table.iat[i, j]
        shown = "empty" if pd.isna(value) else repr(value)
        raise TableError(
            f"{path.name}: line {i + 2}, column {table.columns[j]} is {shown}, not a number."
        )
    return numbers


def _numbers(column: Any) -> "pd.Series":
    """The column as numbers, NaN for what is none."""
    import pandas as pd

    return pd.Series(pd.to_numeric(column, errors="coerce"), column.index)
