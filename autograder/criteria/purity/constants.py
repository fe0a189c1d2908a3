"""Evaluates tests that come out the same in every call: code behind `if DEBUG:` may never run."""

from __future__ import annotations

import ast
import operator
import types
from collections.abc import Callable, Iterator
from typing import Any

from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.source import Function, functions, own_nodes, stores, trees

_PLAIN = (bool, int, float, str, type(None))
_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}

Given = Callable[[Function, str], Iterator[tuple[Function, ast.expr]]]
"""Yields what the calls of a function give for a parameter, each with the calling function."""


class NotConstantError(Exception):
    """A value may be another one in another call."""


class Constants:
    """Evaluates expressions made of literals, of names bound once, and of constant arguments."""

    def __init__(self, bench: Bench, given: Given) -> None:
        self._namespace, self._given = bench.student.namespace, given
        bound = [chain[0] for tree in trees(bench.student).values() for chain in _bound(tree)]
        known = functions(bench.student)
        self._rebound = {name for name in bound if bound.count(name) > 1}
        self._rebound |= {name for f in known for name in f.declared_global}

    def is_dead(self, function: Function, line: int) -> bool:
        """Return whether no call reaches a line of a function's own body."""
        return any(
            self._is_constant(function, test, not wanted)
            for test, wanted in _tests_around(function, line)
        )

    def _is_constant(self, function: Function, test: ast.expr, wanted: bool) -> bool:
        try:
            return bool(self._value(function, test, frozenset())) is wanted
        except (NotConstantError, TypeError):
            return False

    def _value(self, function: Function, node: ast.expr, seen: frozenset[tuple]) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name):
                return self._name(function, name, seen)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                module = self._namespace.get(name)
                if function.owner(name) is None and isinstance(module, types.ModuleType):
                    return _plain(vars(module).get(attribute, module))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._value(function, operand, seen)
            case ast.BoolOp(op=op, values=values):
                return self._bool(function, values, isinstance(op, ast.Or), seen)
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _OPERATIONS:
                sides = self._value(function, left, seen), self._value(function, right, seen)
                return _OPERATIONS[type(op)](*sides)
        raise NotConstantError

    def _bool(
        self, function: Function, values: list[ast.expr], decides: bool, seen: frozenset[tuple]
    ) -> bool:
        """Evaluate `and` or `or`: one constant part may decide, whatever the others are."""
        open_parts = 0
        for value in values:
            try:
                if bool(self._value(function, value, seen)) is decides:
                    return decides
            except NotConstantError:
                open_parts += 1
        if open_parts:
            raise NotConstantError
        return not decides

    def _name(self, function: Function, name: str, seen: frozenset[tuple]) -> Any:
        owner = function.owner(name)
        if owner is None:
            if name in self._rebound or name not in self._namespace:
                raise NotConstantError
            return _plain(self._namespace[name])
        if name not in owner.params or name in owner.bound or (owner, name) in seen:
            raise NotConstantError
        given = list(self._given(owner, name))
        found = [self._value(f, value, seen | {(owner, name)}) for f, value in given]
        if not found or any(value is not found[0] for value in found):
            raise NotConstantError
        return found[0]


def _plain(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    raise NotConstantError


def _bound(tree: ast.Module) -> Iterator[tuple[str, ...]]:
    """Yield the names that a file's own code binds; those of a loop count twice."""
    for _, chain, how, node in stores(own_nodes(tree)):
        if how == "assigned" and len(chain) == 1:
            yield chain
            if not isinstance(node, (ast.Assign, ast.AnnAssign)):
                yield chain


def _tests_around(function: Function, line: int) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the tests that decide whether a line runs, with the result that each must have."""
    for node in own_nodes(function.node):
        if isinstance(node, (ast.If, ast.While)):
            if _holds(node.body, line):
                yield node.test, True
            elif isinstance(node, ast.If) and _holds(node.orelse, line):
                yield node.test, False


def _holds(body: list[ast.stmt], line: int) -> bool:
    return bool(body) and body[0].lineno <= line <= (body[-1].end_lineno or 0)
