"""Which column of each file names its samples, and the rows of all files in one order.

A column names samples where the format says so (it has no name of its own, as R and pandas write
one), where nothing else is possible (a column of counts without a number), where its name says so
("SampleID") and all its values differ, or where its values are the names in another file. Any other
first column is data. The user decides otherwise; what was decided is reported.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from plnkit.cells import are_dates, is_missing, parse_numbers
from plnkit.csv_files import Sheet, TableError
from plnkit.layout import count_rows, number_rows
from plnkit.problems import guess, listed

_SAYS_NAMES = re.compile(r"(.*[^a-z])?(sample|id|name)s?", re.IGNORECASE)
_FEW = 5
"""So many cells can be the same in two files by chance."""


class Aligned(NamedTuple):
    """The files' sheets, by what they hold, their rows in the order of the counts.

    Attributes:
        sheets: without the columns of names; all have the same names, or all have none.
        decisions: one sentence a file on the names of its samples.
        doubts: what may have been meant otherwise, and how to say so.
    """

    sheets: dict[str, Sheet]
    decisions: list[str]
    doubts: list[str]


def align(
    sheets: dict[str, Sheet],
    names: Sequence[str] = (),
    no_names: bool = False,
    factors: Sequence[str] = (),
) -> Aligned:
    """Find the names of the samples, and put all rows in the order of the counts.

    Args:
        sheets: "counts" first, then others; one that was transposed has its names.
        names: columns that name samples in the files that have them; nothing is guessed then.
        no_names: whether rows go by their position, and columns with a name are data.
        factors: columns that are data for certain.

    Raises:
        TableError: a name is missing, is there twice or is in one file alone, or rows are.
    """
    columns: dict[str, int] = {}
    for role, sheet in sheets.items():
        if sheet.names is not None:
            continue
        found = [j for j, name in enumerate(sheet.header) if name in names]
        if len(found) > 1:
            raise TableError(f"{sheet.file}: it has several of the columns {', '.join(names)}.")
        if found or not sheet.header[0]:
            columns[role] = found[0] if found else _beside_numbers(sheet, names, no_names)
    doubts = []
    if not names and not no_names:
        columns |= (guessed := _guess(sheets, columns, factors))
        doubts = [*_doubt_names(sheets, guessed), *_doubt_data(sheets, columns)]
    headers = {role: sheets[role].header[j] for role, j in columns.items()}
    named = {r: _name_rows(s, columns[r]) if r in columns else s for r, s in sheets.items()}
    decisions = [_describe(role, sheet, headers, no_names) for role, sheet in named.items()]
    matched = _by_position(named) if no_names else _by_name(named, headers)
    lent = [sheet.file for role, sheet in named.items() if sheet.names is not None]
    if matched["counts"].names is not None and named["counts"].names is None:
        decisions.append(f"The rows of {named['counts'].file} have the names in {lent[0]}.")
    return Aligned(matched, decisions, doubts)


def _beside_numbers(sheet: Sheet, names: Sequence[str], no_names: bool) -> int:
    """Find the names in a sheet whose first column has no name.

    Where it only counts the rows, as pandas does unasked, a column that says so holds the names.
    """
    asked = bool(names) or no_names
    if asked or not count_rows(parse_numbers(sheet.columns[0], sheet.decimal_commas)):
        return 0
    found = _say_names(sheet)
    return found[0] if len(found) == 1 else 0


def _say_names(sheet: Sheet) -> list[int]:
    """Find columns but the first whose name says that they hold names, and whose cells differ."""
    columns = zip(sheet.header, sheet.columns, strict=True)
    return [
        j
        for j, (name, cells) in enumerate(columns)
        if j and says_names(name) and len(set(cells)) == len(cells)
    ]


def refuse_unknown(names: Sequence[str], sheets: dict[str, Sheet]) -> None:
    """Refuse `--names` with a column that no file has."""
    known = [name for sheet in sheets.values() for name in sheet.header if name]
    for name in names:
        if name not in known:
            raise TableError(
                f"--names: no file has a column {name!r:.60}.{guess(name, known)} There are "
                f"{listed(dict.fromkeys(known))}."
            )


def says_names(header: str) -> bool:
    """Whether the name of a column says that it holds names: "SampleID", "leaf_id", "name"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", header)
    return bool(_SAYS_NAMES.fullmatch(words))


def is_text(cells: list[str]) -> bool:
    """Whether no cell is a number, or missing, and not all are dates."""
    numbers = parse_numbers(cells)
    return (
        all(map(math.isnan, numbers)) and not any(map(is_missing, cells)) and not are_dates(cells)
    )


def _guess(
    sheets: dict[str, Sheet], certain: dict[str, int], factors: Sequence[str]
) -> dict[str, int]:
    """Return the files whose first column, of several, names samples although it has a name."""
    first = {
        role: sheet.columns[0]
        for role, sheet in sheets.items()
        if sheet.names is None and len(sheet.header) > 1 and sheet.header[0] not in factors
    }
    different = {role for role, cells in first.items() if len(set(cells)) == len(cells)}
    open_ = [role for role in first if role not in certain]
    found = set()
    if "counts" in open_ and (says_names(sheets["counts"].header[0]) or is_text(first["counts"])):
        found.add("counts")
    for role in open_:  # the same column in two files, under one name unless that is no accident
        header, many = sheets[role].header[0], len(first[role]) > _FEW
        twins = [r for r in open_ if r != role and (many or sheets[r].header[0] == header)]
        if role in different and any(set(first[r]) == set(first[role]) for r in twins):
            found.add(role)
    known = [set(sheets[role].columns[0]) for role in (*certain, *found)]
    known += [set(sheet.names) for sheet in sheets.values() if sheet.names is not None]
    for role in open_:
        text, cells = is_text(first[role]), set(first[role])
        if role in different:
            if text or says_names(sheets[role].header[0]) or cells in known:
                found.add(role)
        elif text and any(2 * len(names & cells) > len(cells) for names in known):
            found.add(role)  # a name is there twice
    return dict.fromkeys(found, 0)


def _doubt_names(sheets: dict[str, Sheet], guessed: dict[str, int]) -> list[str]:
    """Numbers that are taken for names for no reason but those of another file."""
    headers = Counter(sheets[role].header[0] for role in guessed)
    return [
        f"{sheet.file}: column {sheet.header[0]!r:.60} holds the names of the samples, so it is "
        "not used as data. If it is data, say which column names the samples: --names COLUMN, or "
        "--no-names where none does."
        for role, sheet in sheets.items()
        if role in guessed
        and headers[sheet.header[0]] == 1
        and not says_names(sheet.header[0])
        and not any(map(math.isnan, parse_numbers(sheet.columns[0])))
    ]


def _doubt_data(sheets: dict[str, Sheet], columns: dict[str, int]) -> list[str]:
    """Columns that are data although they number the rows, or have the name of such a column."""
    doubts = []
    for role, sheet in sheets.items():
        if sheet.names is not None or len(sheet.header) == 1:
            continue
        numbers = parse_numbers(sheet.columns[0], sheet.decimal_commas)
        found = [sheet.header[j] for j in _say_names(sheet) if columns.get(role) != j]
        if role not in columns and (number_rows if role == "counts" else count_rows)(numbers):
            found.insert(0, sheet.header[0])
        if found:
            doubts.append(
                f"{sheet.file}: column {found[0]!r:.60} is used as data, though it seems to "
                "number the rows. If it names the samples, give --names with its name; if not, "
                "--no-names."
            )
    return doubts


def _name_rows(sheet: Sheet, column: int) -> Sheet:
    named = sheet.named_by(column, _if_data(sheet.header[column]))
    if column and not sheet.header[0]:
        named = named.without(0)  # numbers of rows, beside the names
    return named


def _if_data(header: str) -> str:
    """Return what to do where a column does not name the samples after all."""
    if not header:
        return "If the rows of all files are in the same order: --no-names."
    return f"If column {header} is data: --names COLUMN for the one with names, or --no-names."


def _describe(role: str, sheet: Sheet, headers: dict[str, str], by_position: bool) -> str:
    header = headers.get(role)
    source = "the header" if sheet.transposed else f"column {header or '1 (without a name)'}"
    if by_position or (sheet.names is None and role != "counts"):
        return f"{sheet.file}: {len(sheet)} samples, row by row as in the other files."
    if sheet.names is None:
        return (
            f"{sheet.file}: {len(sheet)} samples without names; column {sheet.header[0]} is data."
        )
    return f"{sheet.file}: {len(sheet)} samples, named by {source}."


def _by_position(sheets: dict[str, Sheet]) -> dict[str, Sheet]:
    """Give all sheets the names of the counts; row by row they are the same samples."""
    counts = sheets["counts"]
    for sheet in sheets.values():
        _check_length(sheet, counts)
    return {role: replace(sheet, names=counts.names) for role, sheet in sheets.items()}


def _by_name(sheets: dict[str, Sheet], headers: dict[str, str]) -> dict[str, Sheet]:
    """Put the rows of all sheets in the order of the counts, where both have names."""
    counts = sheets["counts"]
    lent = next((r for r, s in sheets.items() if s.names is not None), None)
    if counts.names is None and lent is not None:
        counts = replace(counts, names=_names_for(counts, sheets[lent], headers.get(lent, "")))
    names = counts.names
    matched = {"counts": counts}
    for role, sheet in sheets.items():
        if role == "counts":
            continue
        if names is None or sheet.names is None:
            _check_length(sheet, counts)
            matched[role] = replace(sheet, names=names)
            continue
        rows = _find_rows(sheet, counts, headers.get(role, ""))
        if lent != "counts" and rows != sorted(rows) and not _are_numbers(sheet.names):
            assert lent is not None
            raise TableError(
                f"{sheet.file}: its samples are in another order than those of "
                f"{sheets[lent].file}, and {counts.file} has no names that say which is right. "
                "Add a column of names to it."
            )
        matched[role] = sheet.take(rows)
    return matched


def _check_length(sheet: Sheet, counts: Sheet) -> None:
    if len(sheet) != len(counts):
        raise TableError(
            f"{sheet.file}: there are {len(sheet)} samples, but {counts.file} has {len(counts)}. "
            "Each sample needs one row in both, below a header."
            + " If the counts have taxa in rows: --taxa-in-rows."
            * (len(sheet) == len(counts.header) and not counts.transposed)
        )


def _are_numbers(names: list[str]) -> bool:
    return all(name.isascii() and name.isdigit() for name in names)


def _names_for(counts: Sheet, other: Sheet, header: str) -> list[str]:
    """Return the names of counts that have none: another file's, or the numbers of the rows."""
    assert other.names is not None
    _check_length(other, counts)
    if not _are_numbers(other.names):
        return other.names
    for start in (0, 1):  # pandas' numbers, and R's
        numbers = [str(i) for i in range(start, start + len(counts))]
        if set(numbers) == set(other.names):
            return numbers
    raise TableError(
        f"{other.file}: column {header or 1} names the samples, the first {other.names[0]}, but "
        f"{counts.file} has no names. Add the column to it; or delete it here, if the rows of both "
        "are in the same order."
    )


def _find_rows(sheet: Sheet, counts: Sheet, header: str) -> list[int]:
    """Return the row of each of the counts' samples."""
    assert sheet.names is not None and counts.names is not None
    rows = {name: i for i, name in enumerate(sheet.names)}
    known = set(counts.names)
    missing = [i for i, name in enumerate(counts.names) if name not in rows]
    extra = [i for i, name in enumerate(sheet.names) if name not in known]
    if extra:
        name = sheet.names[extra[0]]
        near = guess(name, [counts.names[i] for i in missing])
        raise TableError(
            f"{sheet.file}: {_line_of(sheet, extra[0])} has sample {name!r:.60}{_more(extra)}, "
            f"which {counts.file} does not have.{near} "
            f"Correct the name, or delete the sample. {_if_data(header)}"
        )
    if missing:
        name, line = counts.names[missing[0]], _line_of(counts, missing[0])
        raise TableError(
            f"{sheet.file}: sample {name!r:.60} ({counts.file}, {line}){_more(missing)} is "
            f"missing. Add it, or leave the sample out of the counts. {_if_data(header)}"
        )
    return [rows[name] for name in counts.names]


def _line_of(sheet: Sheet, row: int) -> str:
    return "the header" if sheet.transposed else f"line {sheet.lines[row]}"


def _more(rows: list[int]) -> str:
    return f" (and {len(rows) - 1} more)" if len(rows) > 1 else ""
