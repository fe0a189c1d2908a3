"""Leaves out of a submission what only shows something: figures, tables, timings, prints, magics.

Such code often reaches further than the allow-list admits, and what is graded does not need it.
Without it, the rest of the submission is a program of its own, which can be admitted. Nothing is
taken for harmless here: the allow-list reads all of the rest, and what is left out never runs.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from autograder.core.magics import without_magics
from autograder.core.notebook import Cell
from autograder.grading.allow_list import refusals
from autograder.grading.allow_list.listed import read_list
from autograder.grading.allow_list.scopes import (
    COMPREHENSIONS,
    bound_by,
    bound_by_comprehension,
    bound_in,
    imports_in,
    outside,
)

_MAX_STATEMENTS = 1000  # lessons have some hundred
_MAX_REFUSED = 100
_MAX_ROUNDS = 5
_PRINTS = frozenset({"print", "display", "help"})


def leave_out_shown(
    cells: Sequence[Cell], entry_points: Collection[str]
) -> tuple[Cell, ...] | None:
    """Return the cells without what only shows something, if the allow-list admits them then.

    Lines keep their numbers. What binds a name that something else needs stays.

    Args:
        cells: all cells of the submission that may run.
        entry_points: the names that are graded.

    Returns:
        The cells that are left, all admitted, or None if there is no such part.
    """
    try:
        return _leave_out(cells, entry_points)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _leave_out(cells: Sequence[Cell], entry_points: Collection[str]) -> tuple[Cell, ...] | None:
    parts = [_Part.of(cell) for cell in cells if cell.role != "check"]
    needing = _find_needing(parts)
    shown = set(read_list().shown)
    todo = list(shown)
    for _ in range(_MAX_ROUNDS):
        while todo:
            for part, statement in needing[todo.pop()]:
                todo += part.leave_out(statement) - shown
                shown.update(todo)
        if not shown.isdisjoint(entry_points):
            return None
        rest = tuple(part.rest() for part in parts)
        refused = list(islice(refusals(rest), _MAX_REFUSED))
        if not refused:
            return rest
        for cell, line in refused:
            part = parts[rest.index(cell)]
            statement = part.find_shown(line)
            if statement is None or (_is_import(statement) and _is_needed(statement, needing)):
                return None
            todo += part.leave_out(statement) - shown
        shown.update(todo)
    return None


@dataclass
class _Part:
    """A cell, and which of its statements are left out."""

    cell: Cell
    source: str
    statements: list[ast.stmt]
    dropped: set[ast.stmt] = field(default_factory=set)

    @classmethod
    def of(cls, cell: Cell) -> _Part:
        source = without_magics(cell.source)
        return cls(cell, source, ast.parse(source).body)

    def units(self) -> Iterator[ast.stmt]:
        """The statements, each before those inside it. Functions and classes are left whole."""
        todo = self.statements[::-1]
        while todo:
            statement = todo.pop()
            yield statement
            if not isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                for name in ("finalbody", "orelse", "body"):
                    todo += getattr(statement, name, [])[::-1]

    def leave_out(self, statement: ast.stmt) -> set[str]:
        """Leave out a statement; return the names it binds."""
        self.dropped.add(statement)
        return _bound(statement)

    def find_shown(self, line: int) -> ast.stmt | None:
        """Return the outermost statement around a line that only shows something."""
        for statement in self.units():
            within = _first_line(statement) <= line <= (statement.end_lineno or 0)
            if within and statement not in self.dropped and _only_shows(statement):
                return statement
        return None

    def rest(self) -> Cell:
        """Return the cell with `pass` for each statement that is left out."""
        lines = [line.encode() for line in self.source.split("\n")]
        inside = {node for outer in self.dropped for node in ast.walk(outer) if node is not outer}
        # From the last to the first: those before them stay where they are.
        outermost = self.dropped - inside
        for statement in reversed([s for s in self.units() if s in outermost]):
            first, last = _first_line(statement) - 1, (statement.end_lineno or 1) - 1
            end = lines[last][statement.end_col_offset :]
            lines[first : last + 1] = [
                lines[first][: statement.col_offset] + b"pass" + end,
                *[b""] * (last - first),
            ]
        return replace(self.cell, source=b"\n".join(lines).decode())


_Needing = defaultdict[str, list[tuple[_Part, ast.stmt]]]
"""The statements that need a name, by name."""


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", ())
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _bound(statement: ast.stmt) -> set[str]:
    return bound_by([statement]) | {name for name, _ in imports_in(statement)}


def _only_shows(statement: ast.stmt) -> bool:
    """Whether a statement prints, or only binds names or ignores values."""
    match statement:
        case ast.Expr(ast.Call(function)):
            return isinstance(function, ast.Name) and function.id in _PRINTS
        case ast.For(body=body) | ast.If(body=body) | ast.With(body=body):
            return all(map(_only_shows, [*body, *getattr(statement, "orelse", ())]))
        case ast.Assign(targets=targets):
            return all(isinstance(target, (ast.Name, ast.Tuple)) for target in targets)
    return isinstance(statement, (ast.Expr, ast.FunctionDef, ast.ClassDef, ast.Pass)) or (
        _is_import(statement)
    )


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _is_needed(statement: ast.stmt, needing: _Needing) -> bool:
    """Whether a statement that is left needs what another one binds."""
    others = ((part, s) for name in _bound(statement) for part, s in needing[name])
    return any(other is not statement and other not in part.dropped for part, other in others)


def _find_needing(parts: Sequence[_Part]) -> _Needing:
    """Return the statements that need a name, by name."""
    units = [(part, statement) for part in parts for statement in part.units()]
    if len(units) > _MAX_STATEMENTS:
        raise ValueError("more statements than are looked at")
    imported = {name: dotted for _, unit in units for name, dotted in imports_in(unit)}
    needing: _Needing = defaultdict(list)
    for part, statement in units:
        for name in set(_needed(_head(statement), imported)):
            needing[name].append((part, statement))
    return needing


def _head(statement: ast.stmt) -> Iterable[ast.AST]:
    """Return a statement, or the parts of it that are not statements themselves."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) or not hasattr(statement, "body"):
        return [statement]
    return [part for part in ast.iter_child_nodes(statement) if not isinstance(part, ast.stmt)]


def _needed(
    nodes: Iterable[ast.AST], imported: Mapping[str, str], local: frozenset[str] = frozenset()
) -> Iterator[str]:
    """The global names that are read, changed or imported, and the dotted names of libraries."""
    for node in nodes:
        inner, parts = local, ast.iter_child_nodes(node)
        match node:
            case ast.FunctionDef() | ast.Lambda():
                yield from _needed(outside(node), imported, local)
                inner = local | bound_in(node)
                parts = iter(node.body if isinstance(node, ast.FunctionDef) else [node.body])
            case ast.Import() | ast.ImportFrom():
                for _, dotted in imports_in(node):
                    path = dotted.split(".")
                    yield from (".".join(path[: i + 1]) for i in range(len(path)))
            case ast.Attribute():
                root, _, names = ast.unparse(node).partition(".")
                if root not in local:
                    yield f"{imported.get(root, root)}.{names}"
            case (
                ast.AugAssign(target=ast.Name(id=name))
                | ast.Name(id=name, ctx=ast.Load() | ast.Del())
            ):
                yield from {name} - local
        if isinstance(node, COMPREHENSIONS):
            inner = local | bound_by_comprehension(node)
        yield from _needed(parts, imported, inner)
