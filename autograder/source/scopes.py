"""Which scope a name belongs to: Python's rules for functions, comprehensions and classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
SCOPES = (*FUNCTIONS, *COMPREHENSIONS, ast.ClassDef)


class Placed(NamedTuple):
    """A node, and where it stands.

    Attributes:
        node: the node.
        scope: the function, comprehension or class that it stands in; None at the top.
        hidden: names that are not global there, since a scope around it binds them.
        is_later: whether it runs when a function is called, or a generator is read.
    """

    node: ast.AST
    scope: ast.AST | None = None
    hidden: frozenset[str] = frozenset()
    is_later: bool = False


def placed(node: ast.AST) -> Iterator[Placed]:
    """Yield a node, and all that are below it."""
    todo = [Placed(node)]
    while todo:
        at = todo.pop()
        yield at
        x = at.node
        if isinstance(x, SCOPES):
            # What a class binds, its methods do not see.
            own = frozenset() if isinstance(x, ast.ClassDef) else local_names(x)
            hidden = (at.hidden - declared_names(x)) | own
            runs_later = at.is_later or isinstance(x, (*FUNCTIONS, ast.GeneratorExp))
            todo += [Placed(part, *at[1:]) for part in outside_of(x)]
            todo += [Placed(part, x, hidden, runs_later) for part in inside_of(x)]
        else:
            todo += [Placed(child, *at[1:]) for child in ast.iter_child_nodes(x)]


def position(node: ast.AST, of_end: bool = False) -> tuple[int, int]:
    """Return the line and column at which a node starts, or ends."""
    line, column = ("end_lineno", "end_col_offset") if of_end else ("lineno", "col_offset")
    return getattr(node, line, 0), getattr(node, column, 0)


def root_of(node: ast.AST) -> str | None:
    """Return the name that a chain of attributes and items starts at."""
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred, ast.NamedExpr)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def parameters_of(node: ast.AST) -> tuple[str, ...]:
    """Return the names of a function's parameters, in order; none for other scopes."""
    return tuple(x.arg for x in _parameters(node))


def _parameters(node: ast.AST) -> list[ast.arg]:
    if not isinstance(node, FUNCTIONS):
        return []
    a = node.args
    return [x for x in (*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg) if x]


def default_of(node: ast.AST, name: str) -> ast.expr | None:
    """Return the default of a function's parameter, if it has one.

    >>> ast.unparse(default_of(ast.parse("def f(a, b=1): ...").body[0], "b"))
    '1'
    """
    if not isinstance(node, FUNCTIONS):
        return None
    a = node.args
    positional = [*a.posonlyargs, *a.args]
    values = [None] * (len(positional) - len(a.defaults)) + [*a.defaults, *a.kw_defaults]
    named = zip([*positional, *a.kwonlyargs], values, strict=True)
    return next((value for parameter, value in named if parameter.arg == name), None)


def annotations_of(node: ast.AST) -> list[ast.expr]:
    """Return the annotations of a function's parameters, and of what it returns."""
    returns = getattr(node, "returns", None)
    return [x for x in (*(p.annotation for p in _parameters(node)), returns) if x]


def within(*nodes: ast.AST) -> Iterator[ast.AST]:
    """Yield some nodes and what is below them in the same scope.

    A function, class or comprehension is itself yielded, with what Python evaluates outside of it:
    decorators, defaults, bases, annotations.
    """
    todo = [*reversed(nodes)]
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
    defaults = [*scope.args.defaults, *(d for d in scope.args.kw_defaults if d)]
    return [*getattr(scope, "decorator_list", []), *defaults, *annotations_of(scope)]


def inside_of(scope: ast.AST) -> list[ast.AST]:
    """Return the parts of a scope's node that are evaluated in the scope itself."""
    if isinstance(scope, COMPREHENSIONS):
        first, *others = scope.generators
        results = [scope.key, scope.value] if isinstance(scope, ast.DictComp) else [scope.elt]
        return [first.target, *first.ifs, *others, *results]
    assert isinstance(scope, (*FUNCTIONS, ast.ClassDef))
    return [scope.body] if isinstance(scope, ast.Lambda) else list(scope.body)


def local_names(scope: ast.AST) -> frozenset[str]:
    """Return the names that belong to a scope."""
    if isinstance(scope, COMPREHENSIONS):
        return frozenset(n for g in scope.generators for n in bound_names(g.target))
    bound = {*parameters_of(scope)}.union(*(bound_names(part) for part in inside_of(scope)))
    return frozenset(bound - declared_names(scope))


def declared_names(scope: ast.AST) -> set[str]:
    """Return the names that a scope declares to be those of another: `global n`."""
    parts = [] if isinstance(scope, COMPREHENSIONS) else inside_of(scope)
    declared = (x for x in within(*parts) if isinstance(x, (ast.Global, ast.Nonlocal)))
    return {name for x in declared for name in x.names}


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
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {a.asname or a.name.split(".")[0] for a in names}
            case ast.ClassDef(name=name) | ast.ExceptHandler(name=str(name)):
                found.add(name)
            case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                found.add(name)
            case ast.MatchMapping(rest=str(name)):
                found.add(name)
            case _ if isinstance(node, COMPREHENSIONS):
                found |= {x.id for x in assigned_inside(node)}
    return found


def assigned_inside(comprehension: ast.AST) -> Iterator[ast.Name]:
    """Yield what `:=` in a comprehension binds in the function around it."""
    for x in within(*inside_of(comprehension)):
        if isinstance(x, ast.NamedExpr):
            yield x.target
        elif isinstance(x, COMPREHENSIONS):
            yield from assigned_inside(x)
