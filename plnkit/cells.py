"""What text holds, in a CSV file or in a table: a number, a missing value, a date, or a level."""

import datetime
import math
import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
_STARTS_WITH_NUMBER = re.compile(r"\W*\d")  # "300 m", "2,6", "<5", "12%", "$5"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    r"(?:\d{4}[-/]\d{1,2}|\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4}"
    rf"|\d{{1,2}}\.?[- ]?{_MONTH}\.?[- ]?\d{{2,4}}|{_MONTH}\.? (?:\d{{1,2}},? )?\d{{4}})"
    r"(?:[T ]\d{1,2}:\d{2}.*)?",
    re.ASCII | re.IGNORECASE,
)
_MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "#n/a n/a", "#na", "<na>", "nan", "-nan", "nat", "none", "null"}
)
"""What R, pandas, Excel and databases write, in lower case."""
_EXCEL_ERROR = re.compile(r"#[A-Z/0]+[!?]")  # "#DIV/0!", "#NAME?"


def parse_numbers(cells: Iterable[str], decimal_commas: bool = False) -> list[float]:
    """Return the numbers that cells hold, NaN for a cell that holds none.

    Args:
        cells: texts without spaces around them.
        decimal_commas: whether "2,6" is a number.
    """
    cells = list(cells)
    numbers = {cell: _parse(cell, decimal_commas) for cell in set(cells)}
    return [numbers[cell] for cell in cells]


def _parse(cell: str, decimal_commas: bool) -> float:
    if decimal_commas and cell.count(",") == 1 and "." not in cell:
        cell = cell.replace(",", ".")
    return float(cell) if _NUMBER.fullmatch(cell) else math.nan


def is_missing(cell: str) -> bool:
    """Whether a cell says that there is no value."""
    return cell.casefold() in _MISSING or bool(_EXCEL_ERROR.fullmatch(cell))


def describe(cell: str) -> str:
    """Return what a cell holds, as a message says it after "is"."""
    if not cell:
        return "empty"
    return f"{cell!r:.60}, which marks a missing value" if is_missing(cell) else f"{cell!r:.60}"


def are_dates(cells: Iterable[str]) -> bool:
    """Whether each of many texts is a date: 2026-05-01, 1.5.26, 1 May 2026 or 20260501."""
    return all(_DATE.fullmatch(cell) or _is_compact_date(cell) for cell in set(cells))


def _is_compact_date(cell: str) -> bool:
    if not (len(cell) == 8 and cell.isascii() and cell.isdigit() and cell[:2] in ("19", "20")):
        return False
    try:
        datetime.date(int(cell[:4]), int(cell[4:6]), int(cell[6:]))
    except ValueError:
        return False
    return True


def find_doubt(cells: Sequence[str], decimal_commas: bool = False) -> tuple[int, str] | None:
    """Say why texts that should be numbers, or the levels of a factor, may be neither.

    Args:
        cells: of a column, not all numbers, none missing.
        decimal_commas: whether "2,6" is a number.

    Returns:
        The row, from 0, and what is wrong with it and how to fix it; None for levels of a factor.
    """
    texts = [i for i, x in enumerate(parse_numbers(cells, decimal_commas)) if math.isnan(x)]
    if are_dates(cells):
        problem = "a date as in all rows. Write numbers, such as the days since the first date."
        return 0, f"is {describe(cells[0])}, {problem}"
    if len(texts) < len(cells):
        others = sorted(set(range(len(cells))) - set(texts))
        row = min(texts, others, key=len)[0]
        return row, (
            f"is {describe(cells[row])}, but of its {len(cells)} cells {len(others)} are numbers "
            f"and {len(texts)} are not. Write numbers alone, with a point for decimals."
        )
    if all(map(_STARTS_WITH_NUMBER.match, set(cells))):
        return 0, (
            f"is {describe(cells[0])}, and all cells begin as numbers do. Write numbers alone, "
            "with a point for decimals and the unit in the header."
        )
    if len(set(cells)) == len(cells) > 1:
        problem = "and each row has another text. A factor needs levels that samples share."
        return 0, f"is {describe(cells[0])}, {problem}"
    return None


def doubt_levels(name: str, cells: Sequence[str]) -> str:
    """Say why the levels of a factor may be meant otherwise, "" if nothing says so."""
    levels = sorted(set(cells))
    alike: dict[str, str] = {}
    for level in levels:
        other = alike.setdefault(" ".join(level.split()).casefold(), level)
        if other != level:
            return f"{name}: the levels {other!r} and {level!r} differ in spaces or case alone."
    odd = [x for x in levels if is_missing(x) or not any(map(str.isalnum, x))]
    if 0 < len(odd) < len(levels):
        return (
            f"{name}: {odd[0]!r} is taken for a level. If it marks a missing value, leave it out."
        )
    return ""
