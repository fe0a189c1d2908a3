"""The names that a cell makes, as Python itself sees them."""

from __future__ import annotations

import symtable

from autograder.core.magics import without_magics


def names_made(source: str, *, imports: bool = True) -> set[str]:
    """Return the names that a cell assigns, defines or imports; none if it is no Python.

    Args:
        source: of the cell.
        imports: whether imports count.
    """
    symbols = global_symbols(source) or ()
    made = {s.get_name() for s in symbols if s.is_assigned()}
    return made | {s.get_name() for s in symbols if imports and s.is_imported()}


def global_symbols(source: str) -> list[symtable.Symbol] | None:
    """Return the global names of a cell; None if Python cannot read it."""
    try:
        return symtable.symtable(without_magics(source), "<cell>", "exec").get_symbols()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
