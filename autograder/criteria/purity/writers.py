"""Finds what a call reads, and other code gives another value: jit may keep the value from before.

The source shows it: lines that did not run in the call, but change an object that it reads, by any
name of that object.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograder.criteria.purity.experiments import Lab
from autograder.criteria.purity.lines import lines_of, statements_of
from autograder.criteria.purity.values import instance_dict, members
from autograder.source.cells_read import changed_root
from autograder.source.scopes import (
    FUNCTIONS,
    default_of,
    inside_of,
    local_names,
    parameters_of,
    placed,
    root_of,
    within,
)

Calls = dict[str, list[tuple[ast.Call, ast.AST | None]]]
"""Calls by the name of the function, each with the function that it stands in; None at the top."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__setstate__")


@dataclass(frozen=True)
class Writer:
    """A line of code that gives what is stored at some paths another value.

    `of_self` says that they are of the object that the function is a method of.
    """

    name: str
    line: int
    paths: tuple[str, ...]
    of_self: bool = False


def find_writers(lab: Lab, readers: Collection[CodeType], running: bool = False) -> list[Writer]:
    """Find what some code reads, and other code gives another value.

    Other code is what did not run in the call: a function, or a line at the top below the first
    reader (or a loop around it) that gives a name another value. With `running`, it is what ran.
    """
    ran, found = lines_of(lab.codes), dict[str, Writer]()
    read = {name for code in readers for name in (*code.co_names, *code.co_freevars)}
    for file in sorted(lab.student.files):
        other = list(_other_code(file, ran, running))
        calls: Calls = {}
        for node, scope in other:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                calls.setdefault(node.func.id, []).append((node, scope))
        for method in _methods(file):
            calls.pop(method, None)  # the function of that name is another one
        for node, scope in other:
            name = changed_root(node)
            if isinstance(node, ast.Name) and not _reads(node):
                writers = [_writer(lab, read, node, node.id, scope)]
            elif name is None:
                continue
            else:
                objects = _objects(name, scope, calls)
                writers = [_writer(lab, read, node, name, at) for name, at in objects]
            for writer in filter(None, writers):
                found.setdefault(writer.name, writer)
    return list(found.values())


def _methods(file: str) -> set[str]:
    every = (at for statement in statements_of(file) for at in placed(statement.node))
    return {
        at.node.name
        for at in every
        if isinstance(at.scope, ast.ClassDef) and isinstance(at.node, ast.FunctionDef)
    }


def _reads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _other_code(file: str, ran: set, running: bool) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yield the nodes of other code, and their scopes; see `find_writers`."""
    bound: set[str] = set()
    has_run = False
    for statement in statements_of(file):
        first, last = statement.node.lineno, statement.node.end_lineno or 0
        runs = any((file, line) in ran for line in range(first, last + 1))
        is_loop = runs and isinstance(statement.node, ast.For)
        for node, scope, *_ in placed(statement.node):
            if isinstance(scope, FUNCTIONS):
                is_other = ((file, getattr(node, "lineno", 0)) in ran) is running
            else:
                is_first = False
                if isinstance(node, ast.Name) and not _reads(node):
                    is_first = node.id not in bound
                    bound.add(node.id)
                is_other = not running and (is_loop or (has_run and not is_first))
            if is_other:
                yield node, scope
        has_run |= runs


def _objects(
    name: str, scope: ast.AST | None, calls: Calls, depth: int = 3
) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield a name, and those that the same object has elsewhere.

    A parameter is what calls and its default give for it, and a local name what it is assigned:
    `descend(model, 0.1)`, `p = params`. A name that is bound twice may be another object.
    """
    yield name, scope
    if not isinstance(scope, FUNCTIONS) or depth == 0:
        return
    inside = list(within(*inside_of(scope)))
    stores = [x for x in inside if isinstance(x, ast.Name) and x.id == name and not _reads(x)]
    given: list[tuple[ast.AST | None, ast.AST | None]] = []
    if name in parameters_of(scope) and not stores:
        at = parameters_of(scope).index(name)
        for call, place in calls.get(getattr(scope, "name", ""), ()):
            named = [k.value for k in call.keywords if k.arg == name]
            given += [(value, place) for value in named or call.args[at : at + 1]]
        given.append((default_of(scope, name), None))
    elif len(stores) == 1 and name not in parameters_of(scope):
        for x in inside:
            match x:
                case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target, value):
                    values = [value]
                case ast.For(target=target, iter=ast.List(values) | ast.Tuple(values)):
                    pass
                case _:
                    continue
            given += [(value, scope) for value in values if target is stores[0]]
    for value, place in given:
        root = value and root_of(value)
        if root:
            yield from _objects(root, place, calls, depth - 1)


def _writer(
    lab: Lab, read: Collection[str], node: Any, name: str, scope: ast.AST | None
) -> Writer | None:
    """Return what a node changes, if it is of the names that are read."""
    start = lab.start
    if scope is None or name not in local_names(scope):
        cells = [p for p in start.homes if p.endswith(f".<closure {name}>") and scope is not None]
        paths = cells or ([name] if name in start.tokens else [])
        paths = [start.first(p) for p in paths]
        if name not in read:  # under another name, perhaps
            name = next((r for r in sorted(read) if start.first(r) in paths), "")
        return Writer(name, node.lineno, tuple(paths)) if paths and name else None
    method, attribute = getattr(scope, "name", ""), ""
    chain = getattr(node, "func", node)
    while isinstance(chain, (ast.Attribute, ast.Subscript)):
        attribute, chain = getattr(chain, "attr", ""), chain.value
    if attribute not in read or parameters_of(scope)[:1] != (name,) or method in _CONSTRUCTORS:
        return None
    objects = [v for v in start.keep if attribute in (instance_dict(v) or {})]
    objects = [v for v in objects if any(method in members(c) for c in type(v).__mro__)]
    homes = {id(instance_dict(v)) for v in objects}
    paths = [
        p for p, (home, key, _) in start.homes.items() if key == attribute and id(home) in homes
    ]
    of_self = any(v is getattr(lab.function, "__self__", None) for v in objects)
    name = f"{type(objects[0]).__name__}.{attribute}" if objects else ""
    return Writer(name, node.lineno, tuple(paths), of_self) if paths else None
