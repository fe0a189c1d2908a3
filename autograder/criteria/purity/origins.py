"""Where the object behind a name comes from: made during the call, or living outside of it.

Read from the source, for branches that no run took. What cannot be followed is unknown.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import IntEnum

from autograder.criteria.purity.source import Function, chain_of, own_nodes

Resolve = Callable[[tuple[str, ...]], object]

_FRESH = (
    *(ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp),
    *(ast.GeneratorExp, ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.UnaryOp),
    ast.Lambda,
)
_COPIES = ("copy", "deepcopy", "sorted")
_UNFOLLOWED: ast.expr = ast.Await(ast.Constant(None))
"""Stands for a part of a container, which is not followed."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")


class Origin(IntEnum):
    """Where an object comes from; of several possibilities, the larger one counts."""

    INSIDE = 0
    UNKNOWN = 1
    ARGUMENT = 2
    OUTSIDE = 3


class Origins:
    """Follows names through assignments and calls between a student's functions.

    Args:
        functions: those that the call runs, or would run in a branch not taken.
        resolve: the object behind a chain of a global name and attributes.
        lives: whether a global object can be changed at all.
        is_entry: whether a function is the one that is called.
        copied: whether its containers are rebuilt for each call, as under jit.
    """

    def __init__(
        self,
        functions: list[Function],
        resolve: Resolve,
        lives: Callable[[object], bool],
        is_entry: Callable[[Function], bool],
        copied: bool,
    ) -> None:
        self._functions = functions
        self._resolve = resolve
        self._lives = lives
        self._is_entry = is_entry
        self._copied = copied

    def of(self, function: Function, name: str) -> Origin:
        """Find where the object comes from that `function` knows by this name."""
        return self._name(function, name, frozenset())

    def _name(self, function: Function, name: str, seen: frozenset[tuple]) -> Origin:
        owner = function.owner(name)
        if owner is None:
            return Origin.OUTSIDE if self._lives(self._resolve((name,))) else Origin.UNKNOWN
        if (owner, name) in seen:
            return Origin.INSIDE  # a cycle adds nothing
        seen |= {(owner, name)}
        found = [self._expression(owner, value, seen) for value in _values(owner, name)]
        if name not in owner.params:
            return max(found, default=Origin.UNKNOWN)
        if found:  # which one it is depends on the order
            return min(Origin.UNKNOWN, *found)
        return self._parameter(owner, name, seen)

    def _parameter(self, function: Function, name: str, seen: frozenset[tuple]) -> Origin:
        args = function.node.args
        names = [a.arg for a in (*args.posonlyargs, *args.args)]
        if function.in_class and names[:1] == [name] and function.name in _CONSTRUCTORS:
            return Origin.INSIDE
        if self._is_entry(function):
            return Origin.INSIDE if self._copied else Origin.ARGUMENT
        found = [
            self._expression(caller, given, seen) if given is not None else Origin.UNKNOWN
            for caller, given in self._given(function, names, name)
        ]
        return max(found, default=Origin.UNKNOWN)

    def _given(
        self, function: Function, names: list[str], name: str
    ) -> Iterator[tuple[Function, ast.expr | None]]:
        """Yield what each call gives for a parameter; None where that cannot be read."""
        for caller in self._functions:
            for node in own_nodes(caller.node):
                if not isinstance(node, ast.Call):
                    continue
                bound = self._receiver(caller, node, function)
                if bound is None:
                    continue
                given = [*bound, *node.args]
                named = {k.arg: k.value for k in node.keywords}
                if name in named:
                    yield caller, named[name]
                elif None in named or any(isinstance(a, ast.Starred) for a in given):
                    yield caller, None
                elif name in names and names.index(name) < len(given):
                    yield caller, given[names.index(name)]
                else:
                    yield caller, None  # a default, or collected by a star

    def _receiver(
        self, caller: Function, call: ast.Call, function: Function
    ) -> list[ast.expr] | None:
        """Whether a call calls the function: what comes before its arguments, or None."""
        if function.in_class is not None:
            method = isinstance(call.func, ast.Attribute) and call.func.attr == function.name
            return [call.func.value] if method else None  # type: ignore[union-attr]
        if not isinstance(call.func, ast.Name) or call.func.id != function.name:
            return None
        owner = caller.owner(call.func.id)
        if owner is None and hasattr(self._resolve((function.name,)), "lower"):
            return None  # jitted: it is handed copies
        return [] if owner is function.outer else None

    def _expression(self, function: Function, node: ast.expr, seen: frozenset[tuple]) -> Origin:
        if isinstance(node, _FRESH):
            return Origin.INSIDE
        if isinstance(node, ast.IfExp):
            branches = (node.body, node.orelse)
            return max(self._expression(function, b, seen) for b in branches)
        if isinstance(node, ast.NamedExpr):
            return self._expression(function, node.value, seen)
        if isinstance(node, ast.Call):
            chain = chain_of(node.func)
            copies = chain is not None and chain[-1].removeprefix(".") in _COPIES
            made = chain is not None and function.owner(chain[0]) is None
            fresh = copies or (made and isinstance(self._resolve(chain), type))  # type: ignore[arg-type]
            return Origin.INSIDE if fresh else Origin.UNKNOWN
        chain = chain_of(node)
        return Origin.UNKNOWN if chain is None else self._name(function, chain[0], seen)


def _values(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what a function's own body assigns to a name."""
    for node in own_nodes(function.node):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield node.value
                elif isinstance(target, (ast.Tuple, ast.List)) and _binds(target, name):
                    yield _UNFOLLOWED
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None and _binds(node.target, name):
                yield node.value
        elif isinstance(node, (ast.For, ast.AsyncFor)) and _binds(node.target, name):
            yield _UNFOLLOWED


def _binds(target: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target)) and not (
        isinstance(target, (ast.Attribute, ast.Subscript))
    )
