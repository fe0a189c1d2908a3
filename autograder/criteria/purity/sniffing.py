"""Checks whether code could tell a tracer from a number, and so do something else without jit.

Python runs the same statements on both, except where code branches or asks for the type of a value.
Code that does neither need not be run without jit. That is slow, since every operation is then
compiled by itself. In doubt, the code is run.
"""

from __future__ import annotations

import ast
import builtins
import types
from typing import Any

from autograder.core.student_code import nested_codes, student_codes, unwrap
from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.source import Function, find_executed, functions, own_nodes
from autograder.criteria.purity.values import is_array

_BRANCHES = (
    *(ast.If, ast.IfExp, ast.While, ast.Try, ast.BoolOp, ast.Assert, ast.Match, ast.Raise),
    *(ast.With, ast.AsyncWith, ast.ClassDef, ast.JoinedStr, ast.Import, ast.ImportFrom),
    *(ast.Is, ast.IsNot, ast.In, ast.NotIn),
)
_WORDS = """
    range len zip enumerate tuple list dict sum abs min max float int round pow slice reversed map
    object
"""
_BUILTINS = frozenset(_WORDS.split())
_HOMES = ("jax", "numpy", "optax", "plnkit", "math", "functools", "collections", "dataclasses")
# Before Python 3.12, these have code of their own.
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_ATTRIBUTES = {"aval", "core", "config", "typeof", "errors", "debug", "extend"}


def _is_plain_attribute(name: str) -> bool:
    return name in ("_replace", "__new__") or not (name.startswith("_") or name in _ATTRIBUTES)


def _is_plain_value(value: Any, own: set[types.CodeType]) -> bool:
    """Check whether a value cannot tell: a number, an array, a library, or code checked here."""
    kind = type(value)
    if kind in (int, float, bool, complex, str, type(None)) or is_array(value):
        return True
    if issubclass(kind, tuple):
        return all(_is_plain_value(v, own) for v in value)
    if issubclass(kind, types.ModuleType):
        return value.__name__.partition(".")[0] in _HOMES
    home = str(getattr(value, "__module__", None) or "")
    if hasattr(value, "registry"):  # singledispatch goes by the type
        return False
    if getattr(unwrap(value), "__code__", None) in own:
        return True
    if isinstance(value, type):
        return home != "builtins"
    return callable(value) and home.partition(".")[0] in _HOMES


def _is_plain_branch(node: ast.AST) -> bool:
    """Check whether a branch only compares with a string, as a tracer and a number do alike."""
    test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
    if not isinstance(test, ast.Compare) or not isinstance(test.ops[0], (ast.Eq, ast.NotEq)):
        return False
    sides = [test.left, *test.comparators]
    named = any(isinstance(x, ast.Constant) and isinstance(x.value, str) for x in sides)
    return named and len(sides) == 2


def _is_plain_function(function: Function, names: dict[str, Any], own: set[types.CodeType]) -> bool:
    for node in own_nodes(function.node):
        if isinstance(node, _BRANCHES) and not _is_plain_branch(node):
            return False
        if isinstance(node, ast.comprehension) and node.ifs:
            return False
        if isinstance(node, ast.Compare) and any(isinstance(o, _BRANCHES) for o in node.ops):
            return False
        if isinstance(node, ast.Attribute) and not _is_plain_attribute(node.attr):
            return False
        if not isinstance(node, ast.Name) or function.owner(node.id) is not None:
            continue
        if node.id in names:
            if not _is_plain_value(names[node.id], own):
                return False
        elif hasattr(builtins, node.id) and node.id not in _BUILTINS:
            return False
    return True


def _find_dataclass_inits(bench: Bench) -> set[types.CodeType]:
    """Collect the `__init__` of the student's dataclasses, which only fill fields."""
    classes = [v for v in bench.student.namespace.values() if isinstance(v, type)]
    inits = (vars(c).get("__init__") for c in classes if "__dataclass_fields__" in vars(c))
    codes = {i.__code__ for i in inits if isinstance(i, types.FunctionType)}
    return {code for code in codes if code.co_qualname.startswith("__create_fn__.")}


def may_tell_tracers(bench: Bench) -> bool:
    """Check whether the code that ran could do something else without jit."""
    ran = find_executed(functions(bench.student), bench.hits.codes)
    codes = {code for code in bench.hits.codes if any(f.matches(code) for f in ran)}
    inner = {each for code in codes for each in nested_codes(code)}
    comprehensions = {code for code in inner if code.co_name in _COMPREHENSIONS}
    if not ran or set(bench.hits.codes) - codes - comprehensions - _find_dataclass_inits(bench):
        return True  # code without source
    own = student_codes(bench.student.module)
    return not all(_is_plain_function(f, bench.student.namespace, own) for f in ran)
