"""Reads the answers that a student wrote down, from the source, without running it.

No process that runs the student's code takes part, so what is read cannot be forged. The reading
follows the cells' top-level statements, in order, as far as they assign plain values or change a
dictionary of them. Whatever else may change the answers ends the reading, and what the worker sees
counts instead.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from autograder.core.answers import NotLiteral, literal, literals
from autograder.core.notebook import Cell, statements

_MAX_SIZE = 10_000  # parts of a container, characters of a text
_MAX_NUMBER = 2**63
_MAX_POWER = 64

_OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.BitOr: operator.or_,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (dict, list, tuple, len, sum, int, float, bool, abs)
}
_CHANGE_NOTHING = {"print", "display", "len", "sorted", "str", "repr", "items", "keys", "values"}
_REACH_ANY_NAME = {"exec", "eval", "globals", "locals", "vars", "setattr", "get_ipython", "*"}


class _Unread(Exception):
    """Something that this reading does not follow."""


_NOT_PLAIN = (_Unread, ArithmeticError, LookupError, TypeError, ValueError)
"""What a value that is not plain, or fails to be computed, raises."""
_UNKNOWN: Any = object()
_CONTAINERS = (list, tuple, dict)


def read_answers(
    cells: Sequence[Cell], name: str, questions: Collection[str]
) -> dict[str, Any] | None:
    """Return the answer to each question, None for one that has none.

    Args:
        cells: all that run, in order.
        name: of the dictionary.
        questions: its keys.

    Returns:
        None where running the cells may give other answers than reading them.
    """
    try:
        given = _follow_cells(cells)[name]
    except (*_NOT_PLAIN, RecursionError, MemoryError):
        return None
    answers = literals(given, questions)
    if answers is None or any(isinstance(a, NotLiteral) for a in answers.values()):
        return None
    return answers


def _follow_cells(cells: Sequence[Cell]) -> dict[str, Any]:
    """Return the variables that hold plain values once the cells have run."""
    followed: list[ast.stmt] = []
    unsteady: set[str] = set()  # names in code that is not followed
    for cell in cells:
        try:
            trees = ast.parse(cell.source).body
        except SyntaxError:  # a magic, say
            unsteady.update(re.findall(r"\w+", cell.source))
            continue
        for tree in trees:
            if _runs_once(tree):
                followed.append(tree)
            else:
                unsteady.update(_names(tree))
    if _REACH_ANY_NAME & unsteady.union(*map(_names, followed)):
        raise _Unread
    reading = _Reading(unsteady)
    for tree in followed:
        reading.follow(tree)
    reading.forget(unsteady)
    return reading.variables


class _Reading:
    """Follows statements, and keeps the variables that hold plain values.

    Names in `unsteady` are also used where nothing is followed: their values may be others.
    """

    def __init__(self, unsteady: set[str]) -> None:
        self.variables: dict[str, Any] = {}
        self._unsteady = unsteady

    def follow(self, tree: ast.stmt) -> None:
        match tree:
            case ast.Assign(targets=targets, value=value):
                got = self._try(value)
                for target in targets:
                    self._assign(target, got)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign(target, self._try(value))
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                got = self._try(ast.BinOp(target, op, value))
                self._assign(target, got)
                if isinstance(got, (list, dict)):  # changed in place, for all who hold it
                    self._forget_containers()
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")) as call
            ) if type(self.variables.get(name)) is dict:
                added = self._value(ast.Call(ast.Name("dict"), call.args, call.keywords))
                self.variables[name].update(added)
            case ast.Expr(value=value) if _changes_nothing(value):
                pass
            case ast.AnnAssign() | ast.Pass():
                pass
            case _:
                self.forget(_names(tree))

    def forget(self, names: Collection[str] | Iterator[str]) -> None:
        """Forget what code that is not followed may change through some names.

        It may change containers that other names hold too.
        """
        forgotten = [self.variables.pop(name) for name in set(names) & set(self.variables)]
        if any(isinstance(value, _CONTAINERS) for value in forgotten):
            self._forget_containers()

    def _forget_containers(self) -> None:
        self.variables = {
            name: value
            for name, value in self.variables.items()
            if not isinstance(value, _CONTAINERS)
        }

    def _assign(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(id=name):
                self.variables.pop(name, None)
                if value is not _UNKNOWN:
                    self.variables[name] = value
            case ast.Subscript(value=ast.Name(id=name), slice=key) if (
                value is not _UNKNOWN and type(self.variables.get(name)) is dict
            ):
                self.variables[name][self._value(key)] = value
            case _:
                self.forget(_names(target))
                if isinstance(value, _CONTAINERS):  # now held by something that is not followed
                    self._forget_containers()

    def _try(self, tree: ast.expr) -> Any:
        """Return the value of an expression, `_UNKNOWN` if it is not plain."""
        try:
            return self._value(tree)
        except _NOT_PLAIN:
            self.forget(_names(tree))
            return _UNKNOWN

    def _value(self, tree: ast.expr) -> Any:
        value = self._evaluate(tree)
        if not _is_small(value):
            raise _Unread
        if type(value) is int and abs(value) >= _MAX_NUMBER:
            raise _Unread
        return value

    def _evaluate(self, tree: ast.expr) -> Any:
        match tree:
            case ast.Constant(value=None | bool() | int() | float() | str() as value):
                return value
            case ast.Name(id=name) if name in self.variables and name not in self._unsteady:
                return self.variables[name]
            case ast.List(elts=parts):
                return [self._value(part) for part in parts]
            case ast.Tuple(elts=parts):
                return tuple(self._value(part) for part in parts)
            case ast.Dict(keys=keys, values=values):
                made: dict[Any, Any] = {}
                for key, value in zip(keys, values, strict=True):
                    if key is None:
                        made.update(self._value(value))
                    else:
                        made[self._value(key)] = self._value(value)
                return made
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _OPERATORS:
                return _OPERATORS[type(op)](self._value(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return _compute(op, self._value(left), self._value(right))
            case ast.Subscript(value=base, slice=index):
                return self._value(base)[self._value(index)]
            case ast.Call(func=ast.Name(id=name), args=args, keywords=given) if (
                name in _FUNCTIONS and name not in self.variables and name not in self._unsteady
            ):
                named = {one.arg: self._value(one.value) for one in given if one.arg}
                if len(named) < len(given):  # `**`
                    raise _Unread
                return _FUNCTIONS[name](*map(self._value, args), **named)
        raise _Unread


def _is_small(value: Any) -> bool:
    """Whether a value has few parts; one that it holds several times counts as often.

    Python visits each as often, to compare or hash it.
    """
    left, todo = _MAX_SIZE, [value]
    while todo and left >= 0:
        part = todo.pop()
        if isinstance(part, (str, *_CONTAINERS)):
            left -= len(part)
        if isinstance(part, _CONTAINERS) and left >= 0:
            todo += [*part, *part.values()] if isinstance(part, dict) else part
    return left >= 0


def _compute(op: ast.operator, left: Any, right: Any) -> Any:
    """Return left `op` right, where that cannot take long or become large."""
    numbers = all(isinstance(value, (int, float)) for value in (left, right))
    joined = isinstance(op, (ast.Add, ast.BitOr)) and type(left) is type(right)
    if not (numbers or joined) or (isinstance(op, ast.Pow) and not abs(right) <= _MAX_POWER):
        raise _Unread
    return _OPERATORS[type(op)](left, right)


def _runs_once(tree: ast.stmt) -> bool:
    """Whether a statement runs once, in its place, and all of it."""
    simple = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr, ast.Delete, ast.Pass)
    later = (ast.Lambda, ast.NamedExpr, ast.comprehension)
    return isinstance(tree, simple) and not any(isinstance(node, later) for node in ast.walk(tree))


def _changes_nothing(tree: ast.expr) -> bool:
    """Whether an expression only looks at the plain values that it names."""
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    called = {getattr(f, "id", None) or getattr(f, "attr", None) for f in calls}
    return called <= _CHANGE_NOTHING


def _names(tree: ast.AST) -> Iterator[str]:
    """Yield every name that code may read, assign, define or import."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name):
                yield name
            case ast.alias(name=name, asname=other):
                yield other or name.split(".")[0]
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from names
            case _:  # what a `def`, a `class`, an `except` or a `case` defines
                name = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(name, str):
                    yield name


# --- the defence cell ---------------------------------------------------------------------------


def read_call(source: str) -> dict[str, Any] | None:
    """Return the keyword arguments of the call of `defend` in a cell, as plain values.

    Returns:
        None where there is no such call, or more than one, or its values are not literals.
    """
    try:
        nodes = [node for statement in statements(source) for node in ast.walk(statement)]
        (call,) = (node for node in nodes if isinstance(node, ast.Call) and _is_call(node))
        return {str(k.arg): _plain(k.value) for k in call.keywords if k.arg != "rubric"}
    except (ValueError, TypeError, RecursionError, MemoryError):
        return None


def _plain(tree: ast.expr) -> Any:
    value = ast.literal_eval(tree)
    return literal(sorted(map(str, value)) if isinstance(value, set) else value)


def _is_call(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return False
    return getattr(value.func, "attr", getattr(value.func, "id", "")) == "defend"
