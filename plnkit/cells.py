"""What a cell of a CSV file holds: a number, a missing value, a date, or text."""

import datetime
import math
import re
from collections.abc import Iterable

_NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf(inity)?)", re.ASCII | re.IGNORECASE)
_STARTS_WITH_NUMBER = re.compile(r"[<>~+-]*\s*[.,]?\d", re.ASCII)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE = re.compile(
    r"(?:\d{4}[-/]\d{1,2}|\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4}"
    rf"|\d{{1,2}}\.?[- ]?{_MONTH}\.?[- ]?\d{{2,4}}|{_MONTH}\.? \d{{1,2}},? \d{{4}})"
    r"(?:[T ]\d{1,2}:\d{2}.*)?",
    re.ASCII | re.IGNORECASE,
)
_MISSING = frozenset(
    {"", "na", "n/a", "#n/a", "#n/a n/a", "#na", "<na>", "nan", "-nan", "none", "null"}
)
"""What R, pandas, Excel and databases write, in lower case."""


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
    return cell.casefold() in _MISSING


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


def start_with_numbers(cells: Iterable[str]) -> bool:
    """Whether each of many texts begins as a number does: "300 m", "2,6", "<5", "12%"."""
    return all(_STARTS_WITH_NUMBER.match(cell) for cell in set(cells))
