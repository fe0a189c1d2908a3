"""The line of a notebook's file on which a line of one of its cells stands.

GitHub annotates files, and a notebook is a file of JSON. There a cell's source is mostly a list
with one line of code on each line, but it may also be a single string.
"""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.model.printable import clean

_CODE = 300
"""Characters that a finding keeps of a line of code."""


def find_lines(asked: list[tuple[str, int | None, str]], raw: bytes) -> list[int]:
    """Return the line of a notebook's file for each line of code, from 1.

    Where the file is not a notebook, everything is on line 1.

    Args:
        asked: the exercise, whose solution cell is searched first; the line in the cell, from 1, or
            None for the cell as a whole; and the line's text, which says in which cell it is.
        raw: the file's bytes.
    """
    try:
        text = raw.decode(json.detect_encoding(raw))
        cells = json.loads(text)["cells"]
        read, at = [], 0
        for cell in cells:
            lines, at = _code_lines(text, at, cell["source"])
            if cell["cell_type"] == "code":
                read.append((_names(cell), lines))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        read = []
    return [_find(read, *one) for one in asked]


_Lines = list[tuple[str, int]]
"""Each line of a cell's code, with the line of the file."""


def _find(cells: list[tuple[set[str], _Lines]], exercise: str, line: int | None, code: str) -> int:
    ordered = sorted(cells, key=lambda cell: f"{exercise}-solution" not in cell[0])  # stays sorted
    for _, lines in ordered:
        if line and code and line <= len(lines):
            text, place = lines[line - 1]
            if clean(text.strip(), _CODE) == code.strip():
                return place
    if not ordered or not ordered[0][1]:
        return 1
    first = ordered[0][1]
    is_inside = line and not code and line <= len(first)
    return first[line - 1 if line and is_inside else 0][1]


def _names(cell: dict[str, Any]) -> set[str]:
    mark = cell.get("metadata", {}).get("nbgrader") or {}
    return {str(cell.get("id")), str(mark.get("grade_id"))}


def _code_lines(text: str, at: int, source: str | list[str]) -> tuple[_Lines, int]:
    """Return the lines of a cell's code, and where the cell's source ends in the file's text.

    A line of code has the line of the file where its string begins.
    """
    pieces = [source] if isinstance(source, str) else source
    found = None
    for is_ascii in (False, True):
        strings = [f"({re.escape(json.dumps(piece, ensure_ascii=is_ascii))})" for piece in pieces]
        pattern = r'"source"\s*:\s*\[?\s*' + r"\s*,\s*".join(strings)
        found = found or re.compile(pattern).search(text, at)
    lines: _Lines = []
    for i, piece in enumerate(pieces, 1):
        place = text.count("\n", 0, found.start(i)) + 1 if found else 1
        for part in piece.splitlines(keepends=True):
            if lines and not lines[-1][0].endswith("\n"):
                lines[-1] = (lines[-1][0] + part, lines[-1][1])
            else:
                lines.append((part, place))
    return lines, found.end() if found else at
