"""What bytecode says about changes of outer variables, where there is no source to read."""

from __future__ import annotations

import dis
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType

from autograder.criteria.purity.syntax import MUTATORS

_OUTER = {"LOAD_GLOBAL": False, "LOAD_NAME": False, "LOAD_DEREF": True}
_REBIND = {"STORE_GLOBAL": False, "DELETE_GLOBAL": False, "STORE_DEREF": True}


@dataclass(frozen=True)
class Change:
    """A change of a global (or, with `free`, of an enclosing function's variable)."""

    code: CodeType
    line: int
    name: str
    free: bool
    how: str


def numbered(code: CodeType) -> Iterator[tuple[dis.Instruction, int]]:
    """Instructions with their lines, for every release of Python."""
    line = code.co_firstlineno
    for step in dis.get_instructions(code):
        position = step.positions
        if position is not None and position.lineno is not None:
            line = position.lineno
        yield step, line


def changes(codes: Iterable[CodeType]) -> list[Change]:
    """Rebindings, stores into items and attributes, calls of mutating methods.

    The container of a store is taken to be the last outer variable loaded before it on its line.
    """
    found: dict[Change, None] = {}
    for code in codes:
        loaded: tuple[str, bool, int] | None = None
        previous: str | None = None
        for step, line in numbered(code):
            free = step.argval in code.co_freevars
            if step.opname in _REBIND and (free or not _REBIND[step.opname]):
                found[Change(code, line, step.argval, free, "assigned")] = None
            elif step.opname in ("STORE_SUBSCR", "STORE_ATTR", "DELETE_SUBSCR"):
                if loaded is not None and loaded[2] == line:
                    found[Change(code, line, loaded[0], loaded[1], "stored")] = None
            elif step.argval in MUTATORS and previous in _OUTER and loaded is not None:
                found[Change(code, line, loaded[0], loaded[1], "called")] = None
            if step.opname in _OUTER and (free or not _OUTER[step.opname]):
                loaded = (step.argval, free, line)
            previous = step.opname
    return list(found)
