"""Which scope a name belongs to: Python's own symbol tables, one for each scope of a cell."""

from __future__ import annotations

import ast
import symtable
import warnings
from collections.abc import Iterator
from typing import Literal

Where = Literal["here", "outside", "global"]
"""Where a name of a scope is bound: in it, in a function around it, or in the notebook."""

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)

_MOST_OF_A_LINE = 100
"""Scopes of one name on one line that are told apart."""
_NAMES = {
    ast.Lambda: "lambda",
    ast.ListComp: "listcomp",
    ast.SetComp: "setcomp",
    ast.DictComp: "dictcomp",
    ast.GeneratorExp: "genexpr",
}


class AmbiguousScope(ValueError):
    """Two scopes of one line have the same parameters and names, and use them differently."""


class SymbolTables:
    """The symbol tables of one cell, found by the node of a scope.

    Since Python 3.12, most comprehensions are part of the function around them and have no table:
    what their own targets do not bind is found as that function finds it.

    Args:
        text: of the cell.
        tree: the same, parsed.

    Raises:
        SyntaxError: Python finds the text wrong only now, such as `nonlocal` without a function.
        RecursionError, MemoryError: the text nests too deeply.
    """

    def __init__(self, text: str, tree: ast.AST) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape is not this reader's business
            top = symtable.symtable(text, "<cell>", "exec")
        self._tables: dict[tuple[str, int], list[symtable.SymbolTable]] = {}
        todo = [top]
        while todo:
            table = todo.pop()
            key = table.get_name().strip("<>"), table.get_lineno()
            self._tables.setdefault(key, []).append(table)
            todo += table.get_children()
        self._around: dict[ast.AST, ast.AST | None] = {}
        nodes: list[tuple[ast.AST, ast.AST | None]] = [(tree, None)]
        while nodes:
            x, around = nodes.pop()
            if isinstance(x, SCOPES):
                self._around[x] = around
                nodes += [(part, around) for part in outside_of(x)]
                nodes += [(part, x) for part in inside_of(x)]
            else:
                nodes += [(child, around) for child in ast.iter_child_nodes(x)]

    def where(self, name: str, node: ast.AST) -> Where:
        """Return where the scope of a node finds a name.

        Raises:
            AmbiguousScope: the tables do not tell.
        """
        found: Where | None = None
        tables = self._of(node)
        if not tables and isinstance(node, COMPREHENSIONS):
            return self._inlined(name, node)
        for table in tables:
            where = _where(name, table)
            if found is not None and where not in (None, found):
                raise AmbiguousScope(name)
            found = found or where
        return found or "global"

    def _inlined(self, name: str, node: ast.AST) -> Where:
        assert isinstance(node, COMPREHENSIONS)
        if name in _targets(node):
            return "here"
        around = self._around.get(node)
        while isinstance(around, ast.ClassDef):  # whose names are not seen from inside
            around = self._around.get(around)
        is_global = around is None or self.where(name, around) == "global"
        return "global" if is_global else "outside"

    def _of(self, node: ast.AST) -> list[symtable.SymbolTable]:
        assert isinstance(node, SCOPES)
        own = _NAMES.get(type(node)) or getattr(node, "name", "")
        tables = self._tables.get((own, node.lineno), [])
        if len(tables) < 2:
            return tables
        if len(tables) > _MOST_OF_A_LINE:
            raise AmbiguousScope(own)
        if isinstance(node, COMPREHENSIONS):
            return [t for t in tables if _targets(node) == _locals(t)]
        parameters = set(parameters_of(node))
        return [t for t in tables if parameters == _parameters(t)]


def _targets(node: ast.AST) -> set[str]:
    assert isinstance(node, COMPREHENSIONS)
    return {name for generator in node.generators for name in bound_names(generator.target)}


def _locals(table: symtable.SymbolTable) -> set[str]:
    names = (s.get_name() for s in table.get_symbols() if s.is_local())
    return {name for name in names if not name.startswith(".")}


def _parameters(table: symtable.SymbolTable) -> set[str]:
    if not isinstance(table, symtable.Function):
        return set()
    return {name for name in table.get_parameters() if not name.startswith(".")}


def _where(name: str, table: symtable.SymbolTable) -> Where | None:
    try:
        symbol = table.lookup(name)
    except KeyError:
        return None  # another scope's table
    if symbol.is_free() or symbol.is_nonlocal():
        return "outside"
    return "here" if symbol.is_local() and not symbol.is_declared_global() else "global"


def parameters_of(node: ast.AST) -> tuple[str, ...]:
    """Return the names of a function's parameters, in order; none for other scopes."""
    if not isinstance(node, FUNCTIONS):
        return ()
    a = node.args
    every = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
    return tuple(x.arg for x in every if x)


def within(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and what is below it in the same scope.

    A function, class or comprehension is itself yielded, with what Python evaluates outside of it:
    decorators, defaults, bases, annotations.
    """
    todo = [node]
    while todo:
        x = todo.pop()
        yield x
        children = outside_of(x) if isinstance(x, SCOPES) else ast.iter_child_nodes(x)
        todo += reversed(list(children))


def outside_of(scope: ast.AST) -> list[ast.AST]:
    """Return the parts of a scope's node that are evaluated in the scope around it, in order."""
    if isinstance(scope, COMPREHENSIONS):
        return [scope.generators[0].iter]
    if isinstance(scope, ast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *(k.value for k in scope.keywords)]
    assert isinstance(scope, FUNCTIONS)
    a = scope.args
    parts: list[ast.AST] = [*a.defaults, *(d for d in a.kw_defaults if d)]
    if not isinstance(scope, ast.Lambda):
        every = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
        parts = [*scope.decorator_list, *parts]
        parts += [x.annotation for x in every if x and x.annotation]
        parts += [scope.returns] if scope.returns else []
    return parts


def inside_of(scope: ast.AST) -> list[ast.AST]:
    """Return the parts of a scope's node that are evaluated in the scope itself."""
    if isinstance(scope, ast.Lambda):
        return [scope.body]
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return list(scope.body)
    assert isinstance(scope, COMPREHENSIONS)
    first, *others = scope.generators
    parts: list[ast.AST] = [first.target, *first.ifs, *others]
    is_dict = isinstance(scope, ast.DictComp)
    return [*parts, scope.key, scope.value] if is_dict else [*parts, scope.elt]


def bound_names(target: ast.AST) -> set[str]:
    """Return the names that a statement or a target binds in the scope that it stands in.

    Names bound by `:=` inside a comprehension belong to the scope around it.
    """
    found: set[str] = set()
    for node in within(target):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.ClassDef(name=name):
                found.add(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {a.asname or a.name.split(".")[0] for a in names}
            case ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _:
                pass
        if isinstance(node, COMPREHENSIONS):
            inner = (x for part in inside_of(node) for x in ast.walk(part))
            found |= {x.target.id for x in inner if isinstance(x, ast.NamedExpr)}
    return found
