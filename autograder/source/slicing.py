"""The slice of a submission: the statements that its entry points need, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.source.cells_read import Place, SourceText, Statement
from autograder.source.freshness import imported


@dataclass(frozen=True)
class Unproved:
    """The first line that is not proved, and the reason, in a sentence."""

    place: Place
    reason: str


@dataclass(frozen=True)
class Slice:
    """The statements that entry points need.

    Attributes:
        entries: the names that an exercise grades, as bound where its check stands.
        positions: of the statements, in the order in which they run.
        source: what they were taken from.
        unclear: why it is not known what a name means in it; None where it is.
    """

    entries: tuple[str, ...]
    positions: tuple[int, ...]
    source: SourceText
    unclear: Unproved | None = None

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(self.source.statements[i] for i in self.positions)

    @property
    def free_names(self) -> frozenset[str]:
        """The names that it reads and does not bind: builtins, or nothing."""
        read = {n for s in self.statements for n in s.now | s.later}
        return frozenset(read - {n for s in self.statements for n in s.binds})


def make_slice(source: SourceText, entries: Iterable[str]) -> Slice:
    """Follow names back from the entry points to the statements that define them.

    What a statement reads as it runs is what was bound last above it. What a function reads is what
    is bound last before the check, since it is called there. If that name was bound both before the
    function and after it, the function means two things at two times, and the slice is unclear.
    """
    names = tuple(entries)
    where: dict[str, list[int]] = {}
    completing: dict[str, list[int]] = {}
    for i, statement in enumerate(source.statements):
        for name in statement.binds:
            where.setdefault(name, []).append(i)
        for name in statement.completes:
            completing.setdefault(name, []).append(i)
    unclear = _changed_meanings(source)
    todo: list[int] = []
    for name in names:
        if name in where:
            todo.append(where[name][-1])
        else:
            unclear = unclear or Unproved(
                source.unread[0] if source.unread else Place("", 0), f"`{name}` is not defined."
            )
    chosen: set[int] = set()
    while todo:
        i = todo.pop()
        if i in chosen:
            continue
        chosen.add(i)
        statement = source.statements[i]
        for name in statement.now:
            above = [j for j in where.get(name, ()) if j < i]
            todo += above[-1:]
        for name in statement.later:
            every = where.get(name, [])
            todo += every[-1:]
            if len({_origin(source.statements[j].node, name) or j for j in every}) < 2:
                continue  # imported again
            after = [j for j in every if j > i]
            if len(after) > 1 or (after and len(after) < len(every)):
                again = source.statements[after[-1]]
                unclear = unclear or Unproved(
                    Place(again.cell, again.node.lineno),
                    f"`{name}` gets another value after a function that reads it.",
                )
        for name in statement.binds:
            todo += [j for j in completing.get(name, ()) if j >= i]
    return Slice(names, tuple(sorted(chosen)), source, unclear)


def _origin(node: ast.stmt, name: str) -> str | None:
    """Return what a statement imports as a name; None where it does something else."""
    if isinstance(node, ast.Import):
        return next((imported(a, None) for a in node.names if _name(a) == name), None)
    if isinstance(node, ast.ImportFrom) and node.level == 0:
        module = node.module or ""
        return next((imported(a, module) for a in node.names if _name(a) == name), None)
    return None


def _name(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _changed_meanings(source: SourceText) -> Unproved | None:
    if source.patched is not None:
        place, name = source.patched
        return Unproved(place, f"The notebook changes `{name}`, which it imports.")
    for statement in source.statements:
        if "*" in statement.binds:
            place = Place(statement.cell, statement.node.lineno)
            return Unproved(place, "An import with `*` may give any name another meaning.")
    return None
