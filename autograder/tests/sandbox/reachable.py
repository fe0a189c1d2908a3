"""What can be reached from an object: functions of rubrics, texts and numbers."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def is_of_a_rubric(function: Callable) -> bool:
    return (function.__module__ or "").startswith(("autograder.rubrics.", "_rubric_"))


def names_in(code: types.CodeType) -> Iterator[str]:
    """Every name that code uses, also within functions that it defines."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


def constants_in(code: types.CodeType) -> Iterator[Any]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from constants_in(constant)
        else:
            yield constant


def reachable(*roots: Any) -> tuple[set[str], set[str]]:
    """The names of the rubrics' functions, and all texts and numbers, that objects lead to."""
    functions, values, seen, todo = set(), set(), set(), list(roots)
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, types.FunctionType):
            if not is_of_a_rubric(one):
                continue
            functions.add(f"{one.__module__}.{one.__qualname__}")
            todo += [one.__defaults__, one.__kwdefaults__]
            todo += [cell.cell_contents for cell in one.__closure__ or ()]
            used = set(names_in(one.__code__))
            todo += [value for name, value in one.__globals__.items() if name in used]
            todo += constants_in(one.__code__)
        elif isinstance(one, type):
            if is_of_a_rubric(one):
                todo += vars(one).values()
        elif dataclasses.is_dataclass(one):
            todo += vars(one).values()
        elif isinstance(one, dict):
            todo += [*one.keys(), *one.values()]
        elif isinstance(one, (list, tuple, set, frozenset)):
            todo += one
        elif isinstance(one, np.ndarray):
            values.add(repr(one.tolist()))
        elif isinstance(one, (str, int, float)):
            values.add(repr(one))
    return functions, values
