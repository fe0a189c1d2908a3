"""Covariates in a CSV file: which are numbers, which are factors, and how factors are coded."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from plnkit.cells import are_dates, describe, doubt_levels, find_doubt, is_missing, parse_numbers
from plnkit.csv_files import Sheet, TableError
from plnkit.problems import DataWarning, guess, listed, warn

if TYPE_CHECKING:
    import pandas as pd

INTERCEPT = "intercept"


def read_covariates(
    sheet: Sheet, factors: Sequence[str] = (), wanted: Mapping[str, bool] | None = None
) -> "pd.DataFrame":
    """Take a column as numbers where all cells are, as a factor where none looks like one.

    Args:
        sheet: the cells.
        factors: columns that are factors, whatever their cells look like.
        wanted: the columns to read, and whether they are factors; all when None.

    Returns:
        Samples by covariates: float64, and categories whose first level is the reference.

    Raises:
        TableError: a value is missing, or it is not certain what a column holds.
    """
    import pandas as pd

    for name in (*factors, *(wanted or ())):
        if name not in sheet.header:
            whose = " for --factor" if name in factors else ""
            raise TableError(
                f"{sheet.file}: there is no column {name!r:.60}{whose}.{guess(name, sheet.header)} "
                f"It has {listed(sheet.header)}."
            )
    kinds = dict.fromkeys(sheet.header, False) if wanted is None else wanted
    columns = {
        name: _factor(sheet, j) if name in factors or kinds[name] else _number_or_factor(sheet, j)
        for j, name in enumerate(sheet.header)
        if name in kinds
    }
    return pd.DataFrame(columns, sheet.names or range(len(sheet)))


def code_covariates(table: "pd.DataFrame", file: str) -> tuple["pd.DataFrame", list[str]]:
    """Code factors as indicators of each level but the first, and add an intercept.

    Args:
        table: as `read_covariates` returns it.
        file: its name, for messages.

    Returns:
        The design, (n, d) float64, and a sentence on each column that is not taken as it is.

    Raises:
        TableError: another covariate has the intercept's name.
    """
    import pandas as pd

    notes = []
    for name in table.select_dtypes("category"):
        doubt = doubt_levels(f"{file}: {name}", list(table[name]))
        if doubt:
            warn(doubt, DataWarning)
        first, *others = table[name].cat.categories
        notes.append(
            f"{file}: {name} is a factor of {len(others) + 1} levels: {first} (the reference), "
            f"{listed(others)}."
            if others
            else f"{file}: {name} is {first} in every row, and is left out."
        )
    design = pd.get_dummies(table, drop_first=True, dtype=float)
    ones = [name for name in table.select_dtypes("number") if set(table[name]) == {1}]
    if ones:
        notes.append(f"{file}: {ones[0]} is 1 in every row: it is the intercept, none is added.")
    elif INTERCEPT in design.columns:
        raise TableError(
            f"{file}: column {INTERCEPT} is not 1 in every row, and has the name of the intercept "
            "that is added. Rename the column."
        )
    else:
        design.insert(0, INTERCEPT, 1.0)
    return design, notes


def _number_or_factor(sheet: Sheet, column: int) -> "NDArray | pd.Categorical":
    """Return a column as what all of its cells are; refuse one of which that is not certain."""
    cells, name = sheet.columns[column], sheet.header[column]
    _refuse_missing(sheet, column)
    numbers = parse_numbers(cells, sheet.decimal_commas)
    if not any(map(math.isnan, numbers)) and not are_dates(cells):
        return np.array(numbers)
    doubt = find_doubt(cells, sheet.decimal_commas)
    if doubt is not None:
        row, problem = doubt
        raise TableError(
            f"{sheet.file}: {sheet.where(row, column)} {problem} If {name} is a factor, give "
            "--factor with its name; if it names the samples, --names."
        )
    return _factor(sheet, column)


def _refuse_missing(sheet: Sheet, column: int) -> None:
    cells = sheet.columns[column]
    missing = [i for i, cell in enumerate(cells) if is_missing(cell)]
    if missing:
        row = missing[0]
        more = f" ({len(missing)} such entries)" if len(missing) > 1 else ""
        raise TableError(
            f"{sheet.file}: {sheet.where(row, column)} is {describe(cells[row])}{more}. Fill it "
            "in, or leave the sample out of all files; a level of a factor needs another name."
        )


def _factor(sheet: Sheet, column: int) -> "pd.Categorical":
    """Return categories, sorted: by their numbers where all levels are."""
    import pandas as pd

    _refuse_missing(sheet, column)
    cells = sheet.columns[column]
    numbers = parse_numbers(cells, sheet.decimal_commas)
    if any(map(math.isnan, numbers)):
        return pd.Categorical(cells, sorted(set(cells)))
    level_of = {
        number: f"{number:.17g}" for number in sorted(set(numbers))
    }  # "1" and "1.0" are one
    return pd.Categorical([level_of[number] for number in numbers], list(level_of.values()))
