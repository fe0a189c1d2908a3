"""The slice of a submission: the statements that its entry points need, and nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.source import grammar
from autograder.source.cells_read import RETURNED, Place, SourceText, Statement, registers
from autograder.source.known_values import imported
from autograder.source.scopes import root_of


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
        """The statements of the slice, in order."""
        return tuple(self.source.statements[i] for i in self.positions)


def make_slice(source: SourceText, entries: Iterable[str]) -> Slice:
    """Follow names back from the entry points to the statements that define them.

    What a statement reads as it runs is what was bound last above it. What a function reads is what
    is bound last before the check, since it is called there. If that name was bound both before the
    function and after it, the function means two things at two times, and the slice is unclear.
    A statement that may change what another one binds belongs to it.
    """
    names = tuple(entries)
    where: dict[str, list[int]] = {}
    for i, statement in enumerate(source.statements):
        for name in statement.binds:
            where.setdefault(name, []).append(i)
    unclear = _changed_meanings(source)
    missing = [name for name in names if name not in where]
    if missing and unclear is None:
        unclear = Unproved(source.unread or Place("", 0), f"`{missing[0]}` is not defined.")
    todo = [where[name][-1] for name in names if name in where]
    chosen: set[int] = set()
    while todo or (todo := _completing(source, chosen, where)):
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
            if _is_one_thing(name, [source.statements[j].node for j in every]):
                continue
            after = [j for j in every if j > i]
            if len(after) > 1 or (after and len(after) < len(every)):
                again = source.statements[after[-1]]
                place = Place(again.cell, again.node.lineno)
                reason = f"`{name}` gets another value after a function that reads it."
                unclear = unclear or Unproved(place, reason)
    return Slice(names, tuple(sorted(chosen)), source, unclear)


def _completing(source: SourceText, chosen: set[int], where: dict[str, list[int]]) -> list[int]:
    """Return the statements that give what chosen ones bind to what may change it."""
    bound = {name: i for i in sorted(chosen) for name in source.statements[i].binds}
    last = {name: source.statements[places[-1]].node for name, places in where.items()}
    changing = {n for n, i in bound.items() if _can_change(source.statements[i].node, last)}
    returning = _returning([source.statements[i] for i in chosen], changing)
    found: set[int] = set()
    for j, statement in enumerate(source.statements):
        for name, taker, is_later in statement.gives if j not in chosen else ():
            dotted = _dotted(taker, last)
            if dotted == "jax.config.update":
                found.add(j)
            is_result = name.removesuffix("()") in returning
            if not is_result and (name not in bound or (bound[name] >= j and not is_later)):
                continue
            if is_later and name in last and _origin(last[name], name):
                continue  # a library, whose names a function uses
            root, _, word = taker.partition(".")
            is_of_slice = root in bound and root != name and _origin(last[root], root) is None
            only_reads = is_of_slice or (root == name and word in grammar.METHODS)
            only_reads |= dotted in grammar.SHOWING or grammar.is_known(dotted)
            can_change = is_result or name in changing
            if registers(ast.Name(taker)) or (can_change and not only_reads):
                found.add(j)
    return list(found)


def _returning(statements: Iterable[Statement], changing: set[str]) -> set[str]:
    """Return the functions that return, or yield, what others may change."""
    found, before = set[str](), None
    while found != before:
        before = set(found)
        known = changing | {f"{function}()" for function in found}
        for statement in statements:
            if any(taker == RETURNED and name in known for name, taker, _ in statement.gives):
                found |= statement.binds
    return found


def may_matter(source: SourceText, left_out: Iterable[Statement], bound: frozenset[str]) -> bool:
    """Whether statements that proved slices leave out could still give them another meaning.

    What they change by name belongs to a slice, or the slice is not proved. But they may bind one
    of its names below the check, other than by importing it again. The rest takes reflection, the
    environment, a library that is not known, or a cell that cannot be read.
    """
    binding: dict[str, list[ast.stmt]] = {}
    for s in source.statements:
        for name in s.binds:
            binding.setdefault(name, []).append(s.node)
    last = {name: nodes[-1] for name, nodes in binding.items()}
    changing = {name for name in bound if not _is_one_thing(name, binding[name])}
    is_within = (s.binds.isdisjoint(changing) and _is_within(s, last) for s in left_out)
    return source.unread is not None or not all(is_within)


def _is_within(statement: Statement, last: dict[str, ast.stmt]) -> bool:
    nodes = list(ast.walk(statement.node))
    attributes = [x for x in nodes if isinstance(x, ast.Attribute)]
    imports = [x for x in nodes if isinstance(x, (ast.Import, ast.ImportFrom))]
    read = statement.now | statement.later
    of_libraries = {name for name in read & last.keys() if _origin(last[name], name)}
    words = {imported(a, x) for x in imports for a in x.names}
    inner = {x.value for x in attributes}
    for x in nodes:
        is_whole = isinstance(x, (ast.Name, ast.Attribute)) and x not in inner
        if is_whole and root_of(x) in of_libraries:  # not that of a result
            words.add(_dotted(ast.unparse(x), last))
    hidden = (x.attr for x in attributes if x.attr.startswith("__"))
    return (
        statement.is_read
        and all(map(_is_harmless, words))
        and grammar.REFLECTIVE.isdisjoint(read - last.keys())
        and grammar.TELLING.issuperset(hidden)
    )


def _is_harmless(word: str) -> bool:
    parts = word.split(".")
    is_beside = not grammar.BESIDE.isdisjoint((parts[0], ".".join(parts[:2])))
    return (
        is_beside
        or parts[-1] in grammar.TELLING
        or word in grammar.SHOWING
        or grammar.is_known(word)
    )


def _can_change(node: ast.stmt, last: dict[str, ast.stmt]) -> bool:
    """Whether a statement binds a class, or an object that others may change."""
    match node:
        case ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Subscript()))):
            return False  # `x.at[...].set(...)`
        case ast.Assign(value=ast.Call(func=func)):
            return not _dotted(ast.unparse(func), last).startswith(grammar.NEW_ARRAYS)
        case ast.Assign(value=ast.Constant() | ast.Lambda()):
            return False
        case _:
            return isinstance(node, (ast.ClassDef, ast.Assign, ast.AnnAssign))


def _dotted(text: str, last: dict[str, ast.stmt]) -> str:
    """Return the dotted name of what is called, given what binds each name last."""
    root, dot, rest = text.partition(".")
    origin = _origin(last[root], root) if root in last else f"builtins.{root}"
    return f"{origin or ''}{dot}{rest}"


def _origin(node: ast.stmt, name: str) -> str | None:
    """Return what a statement imports as a name; None where it does something else."""
    if not isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "level", 0):
        return None
    names = {a.asname or a.name.split(".")[0]: a for a in node.names}
    return imported(names[name], node) if name in names else None


def _is_one_thing(name: str, binding: Iterable[ast.stmt]) -> bool:
    """Whether the statements that bind a name are one, or import the same again."""
    return len({_origin(node, name) or node for node in binding}) < 2


def _changed_meanings(source: SourceText) -> Unproved | None:
    if source.patched is not None:
        place, name = source.patched
        return Unproved(place, f"The notebook changes `{name}`, which it imports.")
    for statement in source.statements:
        if "*" in statement.binds:
            place = Place(statement.cell, statement.node.lineno)
            return Unproved(place, "An import with `*` may give any name another meaning.")
    return None
