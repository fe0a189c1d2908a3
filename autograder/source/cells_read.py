"""Reads the cells of a submission once: their statements, the names that each binds and reads."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from autograder.core.magics import without_magics
from autograder.source.symbol_tables import (
    FUNCTIONS,
    SCOPES,
    AmbiguousScope,
    SymbolTables,
    bound_names,
    inside_of,
    outside_of,
)

MOST_CHARACTERS, MOST_STATEMENTS = 400_000, 5_000
"""Of all cells together; what is further down is not read."""
DEEPEST = 80
"""Levels of nesting in one statement; a deeper one is not read."""

CHANGING = frozenset(
    (
        *("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update"),
        *("setdefault", "add", "discard", "popitem", "fill", "put", "itemset", "resize"),
        *("partition", "setflags", "setfield", "byteswap", "appendleft", "popleft", "rotate"),
        *("move_to_end", "__setattr__", "__setitem__", "__iadd__", "difference_update"),
        *("intersection_update", "symmetric_difference_update"),
    )
)
"""Methods that change the list, dictionary, set or NumPy array that they are called on."""
DEFINING = frozenset(("defvjp", "defjvp", "defjvps", "def_vmap", "def_partition"))
"""Methods that complete a function which is bound already."""


@dataclass(frozen=True)
class Place:
    """A line of a cell."""

    cell: str
    line: int


@dataclass(frozen=True, eq=False)
class Statement:
    """One statement at the top of a cell.

    Attributes:
        node: the parsed statement.
        cell: the id of its cell.
        tables: the symbol tables of its cell; None where Python has none for it, or where it nests
            too deeply: then nothing is proved of it.
        binds: the names that it binds.
        now: global names that it reads while it runs.
        later: global names that its functions read when they are called.
        completes: names of functions and classes that it registers or gives further rules.
    """

    node: ast.stmt
    cell: str
    tables: SymbolTables | None
    binds: frozenset[str] = frozenset()
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    completes: frozenset[str] = frozenset()


@dataclass(frozen=True)
class SourceText:
    """The statements of a submission, in the order in which a notebook runs them.

    Attributes:
        statements: those at the top of the cells.
        changed: where the text changes the object of a global name: `NAME[...] = `, `NAME.x = `,
            `NAME.append(...)`, or `global NAME` in a function.
        patched: the first line that assigns an attribute of something imported, and its name.
        unread: the first line that cannot be read, and why; None where all can.
    """

    statements: tuple[Statement, ...]
    changed: dict[str, Place] = field(default_factory=dict)
    patched: tuple[Place, str] | None = None
    unread: tuple[Place, str] | None = None

    def bindings(self, name: str) -> list[int]:
        """Return the positions of the statements that bind a name."""
        return [i for i, s in enumerate(self.statements) if name in s.binds]


def read_source(cells: Iterable[tuple[str, str]]) -> SourceText:
    """Read cells, each an id and its text; never raises, and runs nothing.

    A file is one cell. A cell that is no Python has no statements; `unread` tells of the first.

    >>> read_source([("a", "x = 1"), ("b", "def f(): return x")]).statements[1].later
    frozenset({'x'})
    """
    statements: list[Statement] = []
    changed, called, patched = dict[str, Place](), dict[str, Place](), dict[str, Place]()
    unread: tuple[Place, str] | None = None
    left = MOST_CHARACTERS
    for cell, text in cells:
        left -= len(text)
        if left < 0 or len(statements) > MOST_STATEMENTS:
            unread = unread or (Place(cell, 1), "The notebook is too long to be read.")
            break
        try:
            read, problem = _read_cell(cell, text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            unread = unread or (Place(cell, line), "Python cannot read this line.")
            continue
        unread = unread or problem
        statements += read
        for statement in read:
            if statement.tables is not None:
                for name, x, line in _changes(statement.node, statement.tables):
                    found = patched if _is_patch(x) else called if _is_call(x) else changed
                    found.setdefault(name, Place(cell, line))
    imported = {n for s in statements if _is_import(s.node) for n in s.binds}
    # `jnp.append(...)` changes nothing, and `jnp.x = ...` changes what everything else means.
    changed |= patched | {n: place for n, place in called.items() if n not in imported}
    first = next(((place, name) for name, place in patched.items() if name in imported), None)
    return SourceText(tuple(statements), changed, first, unread)


def _read_cell(cell: str, text: str) -> tuple[list[Statement], tuple[Place, str] | None]:
    plain = without_magics(text)
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(plain, "<cell>", "exec", flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    deep = next((node for node in tree.body if _is_deep(node)), None)
    problem: tuple[Place, str] | None = None
    tables = None
    if deep is not None:
        problem = Place(cell, deep.lineno), "This statement nests too deeply to be read."
    else:
        try:
            tables = SymbolTables(plain, tree)
        except (SyntaxError, RecursionError, MemoryError) as error:
            problem = Place(cell, getattr(error, "lineno", None) or 1), "Python cannot read this."
    return [_statement(node, cell, tables) for node in tree.body], problem


def _is_deep(node: ast.AST) -> bool:
    level, depth = [node], 0
    while level:
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        depth += 1
        if depth > DEEPEST:
            return True
    return False


def _statement(node: ast.stmt, cell: str, tables: SymbolTables | None) -> Statement:
    if tables is None:
        stored = (n for n in ast.walk(node) if isinstance(n, ast.Name))
        names = {n.id for n in stored if not isinstance(n.ctx, ast.Load)}
        names |= {n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        return Statement(node, cell, None, frozenset(names))
    binds, now, later = bound_names(node), set[str](), set[str]()
    for name, is_later in _global_reads(node, tables):
        (later if is_later else now).add(name)
    sets = frozenset(binds), frozenset(now), frozenset(later), frozenset(_completes(node))
    return Statement(node, cell, tables, *sets)


def _global_reads(node: ast.AST, tables: SymbolTables) -> Iterator[tuple[str, bool]]:
    """Yield the global names in a statement, and whether only a function reads them."""
    todo: list[tuple[ast.AST, ast.AST | None, bool]] = [(node, None, False)]
    while todo:
        x, scope, is_later = todo.pop()
        if isinstance(x, ast.Name):
            if _is_global(x.id, scope, tables):
                yield x.id, is_later
            continue
        if isinstance(x, SCOPES):
            runs_later = is_later or isinstance(x, (*FUNCTIONS, ast.GeneratorExp))
            todo += [(part, scope, is_later) for part in outside_of(x)]
            todo += [(part, x, runs_later) for part in inside_of(x)]
        else:
            todo += [(child, scope, is_later) for child in ast.iter_child_nodes(x)]


def _is_global(name: str, scope: ast.AST | None, tables: SymbolTables) -> bool:
    """Whether a name may be a global's; a class reads those that it has not bound yet."""
    if scope is None or isinstance(scope, ast.ClassDef):
        return True
    try:
        return tables.where(name, scope) == "global"
    except AmbiguousScope:
        return True


def _root(node: ast.AST) -> str | None:
    """Return the name that a chain of attributes and items starts at."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call)


def _is_patch(node: ast.AST) -> bool:
    """Whether an assignment is to an attribute of a name, or of its attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _changes(node: ast.AST, tables: SymbolTables) -> Iterator[tuple[str, ast.AST, int]]:
    """Yield the global names whose objects the text changes, by what, and the line."""
    todo: list[tuple[ast.AST, ast.AST | None]] = [(node, None)]
    while todo:
        x, scope = todo.pop()
        name = None
        match x:
            case ast.Global(names=names):
                yield from ((n, x, x.lineno) for n in names)
            case (
                ast.Attribute(ctx=ast.Store() | ast.Del())
                | ast.Subscript(ctx=ast.Store() | ast.Del())
            ):
                name = _root(x)
            case ast.Call(func=ast.Attribute(attr=attr) as func) if attr in CHANGING:
                is_at = isinstance(func.value, ast.Subscript) and (
                    isinstance(func.value.value, ast.Attribute) and func.value.value.attr == "at"
                )
                # `tx.update(gradients, state)` is optax's: a dictionary's takes one
                is_optax = attr == "update" and len(x.args) > 1
                name = None if is_at or is_optax else _root(func)
            case ast.AugAssign(target=ast.Name(id=target)) if scope is not None:
                name = target
        if name is not None and _is_global(name, scope, tables):
            yield name, x, getattr(x, "lineno", 1)
        if isinstance(x, SCOPES):
            todo += [(part, scope) for part in outside_of(x)]
            todo += [(part, x) for part in inside_of(x)]
        else:
            todo += [(child, scope) for child in ast.iter_child_nodes(x)]


def _completes(node: ast.stmt) -> set[str]:
    """Return the names that a statement completes: `f.defvjp(...)`, `register_...(C, ...)`."""
    found: set[str] = set()
    match node:
        case ast.Assign(targets=targets):
            stored = [t for t in targets if isinstance(t, (ast.Attribute, ast.Subscript))]
            found = {name for t in stored if (name := _root(t))}
        case ast.AugAssign(target=ast.Attribute() | ast.Subscript() as target):
            found = {name} if (name := _root(target)) else found
        case ast.Expr(value=ast.Call(func=func, args=args)):
            called = func.attr if isinstance(func, ast.Attribute) else ""
            called = func.id if isinstance(func, ast.Name) else called
            if called in CHANGING | DEFINING:
                found = {name} if (name := _root(func)) else found
            elif called.startswith("register") or called in ("setattr", "delattr"):
                found = {name for a in args if (name := _root(a))}
        case _:
            pass
    return found
