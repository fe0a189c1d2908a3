"""Classes of a submission: what they hold, which methods change them, what jit compares of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.source import grammar
from autograder.source.known_values import Function, Given, OwnClass, pairs
from autograder.source.scopes import parameters_of, within


def read_class(node: ast.ClassDef) -> OwnClass:
    """Return what a class definition says about its objects; it is not checked here."""
    members, shared, compared = set[str](), set[str](), set[str]()
    methods = [part for part in node.body if isinstance(part, ast.FunctionDef)]
    parameters: list[tuple[str, str]] = []
    for part in node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name), value=value):
                members.add(name)
                parameters.append((name, name))
                shared |= {name} if value else set()
                compared |= {name} if value and "static" in ast.unparse(value) else set()
            case ast.Assign(targets=[ast.Name(id=name)]):
                members.add(name)
                shared.add(name)
    for method in methods:
        name, decorators = method.name, {ast.unparse(d) for d in method.decorator_list}
        assigned = [attr for _, attr, _ in _assigned(method)]
        members |= {n for n in (name, *assigned) if not n.startswith("__")}
        shared |= {name} if decorators & {"staticmethod", "classmethod"} else set()
        if name == "__getattr__":  # what a library's word means is not known any more
            members |= grammar.DATA | grammar.METHODS | grammar.PLAIN
        if name.startswith("tree_flatten"):
            compared |= {x.attr for x in aux_data(method) if isinstance(x, ast.Attribute)}
        if name == "__init__":
            kept = {v.id: a for _, a, v in _assigned(method) if isinstance(v, ast.Name)}
            parameters = [(p, kept.get(p, "")) for p in parameters_of(method)[1:]]
    found = frozenset(members), frozenset(shared), tuple(methods), _changing(methods)
    return OwnClass(node.name, *found, tuple(parameters), frozenset(compared))


def _assigned(method: ast.FunctionDef) -> Iterator[tuple[str, str, Given | None]]:
    """Yield the attributes that a method assigns: of which name, which, and what."""
    for x in within(*method.body):
        match x:
            case ast.Assign(targets=targets, value=value):
                for target, given in (p for t in targets for p in pairs(t, value)):
                    if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
                        yield target.value.id, target.attr, given
            case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Store() | ast.Del()):
                yield name, attr, None


def aux_data(flatten: Function) -> Iterator[ast.expr]:
    """Yield what a function that flattens objects gives jit to compare, part by part."""
    is_lambda = isinstance(flatten, ast.Lambda)
    body = [ast.Return(flatten.body)] if is_lambda else flatten.body
    given = [x.value for x in within(*body) if isinstance(x, ast.Return) and x.value]
    todo = [x.elts[1] if isinstance(x, ast.Tuple) and len(x.elts) == 2 else x for x in given]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.Tuple):
            todo += part.elts
        else:
            yield part


def _changing(methods: list[ast.FunctionDef]) -> frozenset[str]:
    """Return the methods that assign attributes of `self`, or call such a method on it."""
    found: set[str] = set()
    plain = [m for m in methods if not m.name.startswith("__") and not m.decorator_list]
    others = [m for m in plain if m.args.args]
    for _ in others:
        for method in others:
            me = method.args.args[0].arg
            called = (x.func for x in within(*method.body) if isinstance(x, ast.Call))
            own = (f for f in called if isinstance(f, ast.Attribute))
            calls = {f.attr for f in own if isinstance(f.value, ast.Name) and f.value.id == me}
            if calls & found or any(name == me for name, _, _ in _assigned(method)):
                found.add(method.name)
    return frozenset(found)
