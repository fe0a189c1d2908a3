"""The line of a notebook's file on which a line of one of its cells stands.

GitHub annotates files, and a notebook is a file of JSON. There a cell's source is mostly a list
with one line of code on each line, but it may also be a single string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from autograder.model.printable import clean

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+', re.DOTALL)
_CODE = 300
"""Characters that a finding keeps of a line of code."""


def find_lines(asked: list[tuple[str, int | None, str]], raw: bytes) -> list[int]:
    """Return the line of a notebook's file for each line of code; see `NotebookLines.find`."""
    lines = NotebookLines(raw)
    return [lines.find(*one) for one in asked]


class NotebookLines:
    """Finds lines of code in a notebook's file.

    Args:
        raw: the file's bytes. Where they are not a notebook, everything is on line 1.
    """

    def __init__(self, raw: bytes) -> None:
        self._cells: list[_Cell] = []
        try:
            text = raw.decode(json.detect_encoding(raw))
            cells = json.loads(text)["cells"]
            places = dict(_sources(text))
            for i, cell in enumerate(cells):
                if cell["cell_type"] == "code":
                    self._cells.append(_Cell(_names(cell), _code_lines(cell["source"], places, i)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self._cells = []

    def find(self, exercise: str, line: int | None, code: str = "") -> int:
        """Return the line of the file, from 1.

        Args:
            exercise: whose solution cell is searched first.
            line: in the cell, from 1; None for the cell as a whole.
            code: the line's text, which tells in which of the cells it is.
        """
        own = {f"{exercise}-solution"}
        cells = sorted(self._cells, key=lambda cell: not own & cell.names)  # keeps their order
        for cell in cells:
            if line and line <= len(cell.lines):
                text, place = cell.lines[line - 1]
                if code and clean(text.strip(), _CODE) == code.strip():
                    return place
        if not cells or not cells[0].lines:
            return 1
        first = cells[0]
        is_inside = line and not code and line <= len(first.lines)
        return first.lines[line - 1 if line and is_inside else 0][1]


class _Cell:
    """A code cell: its names, and each line of code with the file's line."""

    def __init__(self, names: set[str], lines: list[tuple[str, int]]) -> None:
        self.names = names
        self.lines = lines


def _names(cell: dict[str, Any]) -> set[str]:
    mark = cell.get("metadata", {}).get("nbgrader") or {}
    return {str(cell.get("id")), str(mark.get("grade_id"))}


def _code_lines(
    source: str | list[str], places: dict[tuple[int, int], int], cell: int
) -> list[tuple[str, int]]:
    """Return the lines of a cell's code, each with the line of the string where it begins."""
    parts = [source] if isinstance(source, str) else source
    lines: list[tuple[str, int]] = []
    open_line = False
    for j, part in enumerate(parts):
        for piece in part.splitlines(keepends=True):
            if open_line:
                lines[-1] = (lines[-1][0] + piece, lines[-1][1])
            else:
                lines.append((piece, places.get((cell, j), 1)))
            open_line = not piece.endswith("\n")
    return lines


def _sources(text: str) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield cell, number in the cell's source, and line of the file, for each string of a source.

    `text` is valid JSON. Where a key is repeated, the last one counts, as for `json`.
    """
    path: list[Any] = []  # keys of objects, and numbers in lists
    expects_key = False
    line, seen = 1, 0
    for match in _TOKEN.finditer(text):
        token = match[0]
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if token in ("{", "["):
            path.append(0 if token == "[" else None)
            expects_key = token == "{"
        elif token in ("}", "]"):
            path.pop()
            expects_key = False
        elif token == ",":
            if isinstance(path[-1], int):
                path[-1] += 1
            else:
                expects_key = True
        elif token == ":":
            expects_key = False
        elif token[0] == '"' and expects_key:
            path[-1] = json.loads(token, strict=False)
        elif token[0] == '"':
            match path:
                case ["cells", int(cell), "source"]:
                    yield (cell, 0), line
                case ["cells", int(cell), "source", int(part)]:
                    yield (cell, part), line
