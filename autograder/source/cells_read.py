"""Reads the cells of a submission once: their statements, the names that each binds and reads."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.model.magics import without_magics
from autograder.source.grammar import CHANGING, DEFINING
from autograder.source.scopes import Placed, bound_names, placed, root_of

MOST_CHARACTERS, MOST_STATEMENTS = 400_000, 5_000
"""Of all cells together; what is further down is not read."""
DEEPEST = 80
"""Levels of nesting in one statement; a deeper one is not read."""


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
        binds: the names that it binds.
        now: global names that it reads while it runs.
        later: global names that its functions read when they are called.
        gives: global names whose objects it gives away, each with the text of what takes them, and
            whether a function does so when it is called; `f()` stands for what `f` returns.
        changes: global names whose objects its text changes, now or later, and by what.
        is_read: whether all of it could be read; otherwise nothing is proved of it.
    """

    node: ast.stmt
    cell: str
    binds: frozenset[str]
    now: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()
    gives: frozenset[tuple[str, str, bool]] = frozenset()
    changes: tuple[tuple[str, ast.AST], ...] = ()
    is_read: bool = True


@dataclass(frozen=True)
class SourceText:
    """The statements of a submission, in the order in which a notebook runs them.

    Attributes:
        statements: those at the top of the cells.
        changed: where the text changes the object of a global name: `NAME[...] = `, `NAME.x = `,
            `NAME.append(...)`, `global NAME` in a function, or registers it in one.
        patched: the first line that assigns an attribute of something imported, and its name.
        unread: the first line that cannot be read, or is not, since there is too much above it;
            None where all is read.
    """

    statements: tuple[Statement, ...]
    changed: dict[str, Place] = field(default_factory=dict)
    patched: tuple[Place, str] | None = None
    unread: Place | None = None


def read_source(cells: Iterable[tuple[str, str]]) -> SourceText:
    """Read cells, each an id and its text; never raises, and runs nothing.

    A file is one cell. A cell that is no Python has no statements; `unread` tells of the first.

    >>> read_source([("a", "x = 1"), ("b", "def f(): return x")]).statements[1].later
    frozenset({'x'})
    """
    statements: list[Statement] = []
    changed, called, patched = dict[str, Place](), dict[str, Place](), dict[str, Place]()
    unread: Place | None = None
    left = MOST_CHARACTERS
    for cell, text in cells:
        left -= len(text)
        if left < 0 or len(statements) > MOST_STATEMENTS:
            unread = unread or Place(cell, 1)
            break
        read, not_read = _read_cell(cell, text)
        unread = unread or not_read
        statements += read
        for name, x in (change for statement in read for change in statement.changes):
            found = called if isinstance(x, ast.Call) else patched if _is_patch(x) else changed
            found.setdefault(name, Place(cell, getattr(x, "lineno", 1)))
    imported = {n for s in statements if is_import(s.node) for n in s.binds}
    # `jnp.append(...)` changes nothing, and `jnp.x = ...` changes what everything else means.
    changed |= patched | {n: place for n, place in called.items() if n not in imported}
    first = next(((place, name) for name, place in patched.items() if name in imported), None)
    return SourceText(tuple(statements), changed, first, unread)


@lru_cache(maxsize=200)
def _read_cell(cell: str, text: str) -> tuple[list[Statement], Place | None]:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree = ast.Module([], [])
    try:
        plain = without_magics(text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(plain, "<cell>", "exec", flags | ast.PyCF_ONLY_AST, dont_inherit=True)
            deep = next((node for node in tree.body if _is_deep(node)), None)
            if deep is None:
                compile(tree, "<cell>", "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        unread = Place(cell, getattr(error, "lineno", None) or 1)
    else:
        unread = Place(cell, deep.lineno) if deep else None
    return [_statement(node, cell, unread is None) for node in tree.body], unread


def _is_deep(node: ast.AST) -> bool:
    level, depth = [node], 0
    while level:
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        depth += 1
        if depth > DEEPEST:
            return True
    return False


def _statement(node: ast.stmt, cell: str, is_read: bool) -> Statement:
    if not is_read:
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        names |= {n.name for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        return Statement(node, cell, frozenset(names), is_read=False)
    every = list(placed(node))
    read = {True: set[str](), False: set[str]()}
    for x, is_later in _global_names(every):
        read[is_later].add(x.id)
    now, later = frozenset(read[False]), frozenset(read[True])
    gives, changes = frozenset(_gives(node, every)), tuple(_changes(every))
    return Statement(node, cell, frozenset(bound_names(node)), now, later, gives, changes)


def changed_root(node: ast.AST) -> str | None:
    """Return the name whose object, or a part of it, a node changes, if it changes one.

    >>> changed_root(ast.parse("state.counts.append(1)").body[0].value)
    'state'
    """
    match node:
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ):
            return root_of(node)
        case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at")))):
            return None
        case ast.Call(func=ast.Attribute(attr=attr) as func) if attr in CHANGING:
            return None if is_optax_update(node) else root_of(func)
        case _:
            return None


def is_optax_update(call: ast.Call) -> bool:
    """Whether a call is `tx.update(gradients, state)`: a dictionary's takes one argument."""
    is_update = isinstance(call.func, ast.Attribute) and call.func.attr == "update"
    has_star = any(isinstance(a, ast.Starred) for a in call.args)
    return is_update and len(call.args) > 1 and not has_star


def is_import(node: ast.stmt) -> bool:
    """Whether a statement imports something."""
    return isinstance(node, (ast.Import, ast.ImportFrom))


def _is_patch(node: ast.AST) -> bool:
    """Whether an assignment is to an attribute of a name, or of its attributes."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _changes(every: list[Placed]) -> Iterator[tuple[str, ast.AST]]:
    """Yield the global names whose objects some nodes change, and by what."""
    for x, scope, hidden, _ in every:
        names = [changed_root(x)]
        match x:
            case ast.Global(names=names):
                hidden = frozenset[str]()
            case ast.AugAssign(target=ast.Name(id=name)) if scope is not None:
                names = [name]
            case ast.Call(func=func, args=args) if scope is not None and registers(func):
                names = [root_of(a) for a in args]
        yield from ((name, x) for name in names if name is not None and name not in hidden)


def registers(func: ast.expr) -> bool:
    """Whether a function, by its name, registers what it is given, or makes it complete."""
    name = ast.unparse(func).rpartition(".")[2]
    return name.startswith("register") or name in DEFINING


def _global_names(every: list[Placed]) -> Iterator[tuple[ast.Name, bool]]:
    """Yield the global names among some nodes, and whether they are read later."""
    for x, scope, hidden, is_later in every:
        # A class reads global names that it has not bound yet.
        if isinstance(x, ast.Name) and (isinstance(scope, ast.ClassDef) or x.id not in hidden):
            yield x, is_later


RETURNED = "return"
"""What takes the object that a function returns, or yields."""
_PASSES_ON = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.IfExp, ast.BoolOp)
"""What is one of its parts, or holds it: `(a, b)[0]`, `a or b`."""
_READING_EXPRESSIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.FormattedValue, ast.Slice)
_READING_STATEMENTS = (ast.Expr, ast.If, ast.While, ast.Assert, ast.Raise)
_ONLY_READS = (*_READING_EXPRESSIONS, *_READING_STATEMENTS, ast.arg, ast.ExceptHandler)
"""Where an object is read, and nobody gets it; the last two stand for what names a type."""


def _gives(node: ast.stmt, every: list[Placed]) -> Iterator[tuple[str, str, bool]]:
    """Yield the names whose objects a statement gives away, what takes them, and whether later.

    Who gets an object may change it: `fill(TABLE)`, `register(C)`, `f.defvjp(...)`, `d = TABLE`,
    `for c in (A, B): ...`. An object is given away wherever it is not only read.
    """
    parents = {child: x for x in ast.walk(node) for child in ast.iter_child_nodes(x)}
    for x, is_later in _global_names(every):
        name, part, call = x.id, x, parents.get(x)
        if isinstance(call, ast.Call) and call.func is x:
            name, part = f"{x.id}()", call
        taker = _taker(part, parents) if isinstance(x.ctx, ast.Load) else None
        if taker is not None:
            yield name, taker, is_later


def _taker(part: ast.expr, parents: dict[ast.AST, ast.AST]) -> str | None:
    """Return the text of what takes an object, or something that holds it; None if none does."""
    whole, is_result = parents.get(part), isinstance(part, ast.Call)
    while isinstance(whole, ast.expr) and (_is_of(part, whole) or isinstance(whole, _PASSES_ON)):
        if isinstance(whole, ast.IfExp) and whole.test is part:
            return None
        part, whole = whole, parents.get(whole)
    if isinstance(whole, ast.keyword):
        whole = parents[whole]
    match whole:
        case ast.Call(func=func) if func is not part or isinstance(part, ast.Attribute):
            return ast.unparse(func)
        case ast.FunctionDef(decorator_list=parts) | ast.ClassDef(decorator_list=parts):
            return ast.unparse(part) if part in parts else None
        case ast.Return() | ast.Yield() | ast.YieldFrom() | ast.Lambda():
            return RETURNED
        case ast.Subscript() | ast.Call():  # an index, and what is called
            return None
        case ast.AnnAssign(annotation=annotation) if annotation is part:
            return None
        case _ if isinstance(getattr(part, "ctx", None), (ast.Store, ast.Del)):
            return "" if is_result else None  # what a name holds is changed, and not given away
        case _:
            return None if isinstance(whole, _ONLY_READS) else ""


def _is_of(part: ast.expr, whole: ast.expr) -> bool:
    return isinstance(whole, (ast.Attribute, ast.Subscript)) and whole.value is part
