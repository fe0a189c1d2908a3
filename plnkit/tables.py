"""A user's CSV files to the pandas tables that `plnkit.fit` takes, the same samples in each row."""

import math
import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plnkit.cells import describe, is_missing, parse_numbers
from plnkit.covariates import read_covariates
from plnkit.csv_files import Sheet, TableError, read_sheet
from plnkit.extras import from_extras
from plnkit.layout import look_like_taxa
from plnkit.orientation import OPTIONS, refuse_taxa_in_rows, transpose
from plnkit.problems import guess
from plnkit.sample_names import align, is_text, refuse_unknown, says_names

if TYPE_CHECKING:
    import pandas as pd


class Inputs(NamedTuple):
    """What the files hold.

    Attributes:
        counts: (n, p), samples by taxa, float64.
        offsets: on the log scale, (n, p), or (n,) for one a sample.
        covariates: (n, k), numbers as float64 and factors as categories, not yet coded.
        sheets: the cells, in the same order, to say where something stands.
        decisions: what was found out and not given by the user, a sentence each.
        doubts: what may have been meant otherwise, and how to say so.
    """

    counts: "pd.DataFrame"
    offsets: "pd.DataFrame | pd.Series | None"
    covariates: "pd.DataFrame | None"
    sheets: dict[str, Sheet]
    decisions: list[str]
    doubts: list[str]


def read_inputs(
    counts: Path,
    offsets: Path | None = None,
    covariates: Path | None = None,
    *,
    log_offsets: bool = False,
    names: Sequence[str] = (),
    no_names: bool = False,
    factors: Sequence[str] = (),
    taxa_in_rows: bool | None = None,
    wanted: Mapping[str, bool] | None = None,
) -> Inputs:
    """Read the files of a fit, all in the order of the counts.

    Args:
        counts: samples by taxa, or taxa by samples.
        offsets: one column, or one for each taxon.
        covariates: numbers, and text for factors.
        log_offsets: whether offsets are totals, to be logged.
        names: columns that name samples.
        no_names: whether rows go by their position alone.
        factors: covariates whose values are levels, whatever they look like.
        taxa_in_rows: whether the counts have taxa in rows; when None, what looks so is refused.
        wanted: the covariates to read, and whether they are factors; all when None.

    Raises:
        TableError: what is wrong, with file, line and column, and how to fix it.
        MissingExtraError: pandas is not installed.
    """
    with from_extras():
        import pandas  # noqa: F401
    if factors and not covariates:
        raise TableError("--factor: there are no covariates. Name their file: --covariates FILE.")
    files = {"counts": counts, "offsets": offsets, "covariates": covariates}
    sheets = {role: read_sheet(path) for role, path in files.items() if path}
    refuse_unknown(names, sheets)
    doubts = [doubt for sheet in sheets.values() for doubt in _check_header(sheet, names)]
    decisions = [
        f"{sheet.file}: found {', '.join(sheet.assumptions)}."
        for sheet in sheets.values()
        if sheet.assumptions
    ]
    if taxa_in_rows:
        sheets = transpose(sheets, names)
    elif taxa_in_rows is None:
        refuse_taxa_in_rows(sheets)
    sheets, named, more = align(sheets, names, no_names, factors)
    Y = _read_numbers(sheets["counts"])
    if taxa_in_rows is None and sheets["counts"].names is not None:
        rows, columns = map(list, Y.axes)
        why = look_like_taxa(rows, columns, Y.to_numpy())
        if why:
            more.append(f"{sheets['counts'].file}: {why}. {OPTIONS}")
    O = X = None
    if offsets:
        sheets["offsets"] = _by_taxon(sheets["offsets"], sheets["counts"])
        O = _read_offsets(sheets["offsets"], log_offsets)
    if covariates:
        X = read_covariates(sheets["covariates"], factors, wanted)
    return Inputs(Y, O, X, sheets, decisions + named, doubts + more)


def _check_header(sheet: Sheet, names: Sequence[str]) -> list[str]:
    """Refuse a header of numbers, which is a row of data, unless it counts columns."""
    first, *others = sheet.header
    numbers = parse_numbers(sheet.header, sheet.decimal_commas)
    if any(map(math.isnan, numbers[1:] or numbers)):
        return []
    counting = numbers[0] in (0, 1) and all(b - a == 1 for a, b in pairwise(numbers))
    if not (counting and others) and not math.isnan(numbers[0]):
        raise TableError(
            f"{sheet.file}: line 1 holds numbers alone, and should be a header. Add one; or, if "
            "these are the names of taxa, put a letter before each."
        )
    if says_names(first) or first in ("", *names):
        return []
    return [
        f"{sheet.file}: line 1 is taken for the header: the columns are called "
        f"{', '.join(sheet.header[:3])} ... If it is a row of data, add a header above it."
    ]


def _by_taxon(offsets: Sheet, counts: Sheet) -> Sheet:
    """Put the columns of a full table of offsets in the order of the counts' taxa."""
    taxa, columns = counts.header, offsets.header
    if len(columns) == 1 and columns[0] not in taxa:
        return offsets
    for names, others, file, other in (
        (columns, taxa, offsets.file, counts.file),
        (taxa, columns, counts.file, offsets.file),
    ):
        lone = [name for name in names if name not in set(others)]
        if lone:
            raise TableError(
                f"{offsets.file}: taxon {lone[0]!r:.60}"
                + (f" (and {len(lone) - 1} more)" if len(lone) > 1 else "")
                + f" is in {file}, but not in {other}."
                + guess(lone[0], set(others) - set(names))
                + " Offsets are one column, or one for each taxon under its name."
            )
    position = {name: j for j, name in enumerate(columns)}
    return offsets.arrange([position[name] for name in taxa])


def _read_offsets(sheet: Sheet, log: bool) -> "pd.DataFrame | pd.Series":
    numbers = _read_numbers(sheet)
    if log:
        none = np.argwhere(numbers.to_numpy() <= 0)
        if len(none):
            i, j = _first(sheet, none)
            raise TableError(
                f"{sheet.file}: {sheet.where(i, j)} is {sheet.columns[j][i]}; a total must be "
                "positive to have a log. Leave the sample out of all files, or give its true total."
            )
        numbers = numbers.transform(np.log)
    return numbers if len(sheet.header) > 1 else numbers.iloc[:, 0]


def _read_numbers(sheet: Sheet) -> "pd.DataFrame":
    import pandas as pd

    values = [parse_numbers(column, sheet.decimal_commas) for column in sheet.columns]
    numbers = pd.DataFrame(np.array(values).T, sheet.names, sheet.header)
    wrong = np.argwhere(np.isnan(numbers.to_numpy()))
    if len(wrong):
        raise TableError(_explain_no_number(sheet, *_first(sheet, wrong), len(wrong)))
    return numbers


def _first(sheet: Sheet, entries: NDArray[np.intp]) -> tuple[int, int]:
    """Return the row and column of the entry that stands first in the file."""
    i, j = min(entries.tolist(), key=lambda entry: sheet.place(*entry)[0])
    return i, j


def _explain_no_number(sheet: Sheet, row: int, column: int, count: int) -> str:
    """Say what a cell is that should be a number, and how to fix it."""
    cell, name = sheet.columns[column][row], sheet.header[column]
    if is_missing(cell):
        fix = "Fill it in, or leave the sample out of all files."
    elif re.match(r"[+-]?\d+,\d", cell):
        fix = "Write decimal points, and nothing between thousands."
    elif len(sheet.header) == 1 and sheet.names is None:
        fix = "Write a number; columns are separated by commas, semicolons or tabs."
    elif is_text(sheet.columns[column]) or (column == 0 and sheet.names is None):
        fix = f"Leave the column out; or, if {name} names the samples, give --names with its name."
    else:
        fix = "Write a number."
    more = f" ({count} such entries)" if count > 1 else ""
    return (
        f"{sheet.file}: {sheet.where(row, column)} is {describe(cell)}, not a number{more}. {fix}"
    )
