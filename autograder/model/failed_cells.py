"""Cells that failed, and the names that are missing because of that.

What fails first is reported: a function that stops with a `NameError` is not to blame where the
cell that should have defined the name failed before.
"""

from __future__ import annotations

import re
import symtable
from dataclasses import dataclass, replace

from autograder.model.finding import Finding
from autograder.model.magics import without_magics
from autograder.model.messages import SO_MISSING
from autograder.model.templates import join_texts


def global_symbols(source: str) -> list[symtable.Symbol] | None:
    """Return the global names of a cell; None if Python cannot read it."""
    try:
        return symtable.symtable(without_magics(source), "<cell>", "exec").get_symbols()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_BINDS = r"(?m)^[ \t]*(?:(?:async[ \t]+)?def|class)[ \t]+{0}\b|^(?:[^#\n]*\W)?{0}\b[^#\n=]*=(?!=)"
"""How a name gets its value, roughly: for a cell that Python cannot read."""


@dataclass(frozen=True)
class FailedCell:
    """One cell that failed.

    Attributes:
        source: of the cell.
        finding: its error, and the line; of an earlier cell, if that one is the cause.
        misses: the name that it needed and did not find, if that was its error.
        role: of the cell, as in `Cell`.
    """

    source: str
    finding: Finding
    misses: str = ""
    role: str = ""

    def binds(self, name: str) -> bool:
        """Return whether the cell would have defined a name, had it run to its end."""
        symbols = global_symbols(self.source)
        if symbols is None:
            return re.search(_BINDS.format(re.escape(name)), self.source) is not None
        return any(s.get_name() == name and (s.is_assigned() or s.is_imported()) for s in symbols)


_failed: dict[str, FailedCell] = {}
"""By the cell's id, in the order in which they failed."""


def note_cell(cell: str, failed: FailedCell | None) -> None:
    """Note that a cell failed; None where it has run to its end."""
    _failed.pop(cell, None)
    if failed is not None:
        _failed[cell] = failed


def failed_cells() -> tuple[FailedCell, ...]:
    """Return the cells that have failed, in order."""
    return tuple(_failed.values())


def find_cause(name: str) -> Finding | None:
    """Return the error of the cell that failed first, if a name is missing because of it."""
    failed = next((failed for failed in _failed.values() if failed.binds(name)), None)
    if failed is None:
        return None
    text = join_texts("\n", (failed.finding.message, SO_MISSING.format(name=name)))
    return replace(failed.finding, message=text)
