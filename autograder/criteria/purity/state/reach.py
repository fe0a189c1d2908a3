"""Snapshots of what can be reached: from the student's globals, their function, some values."""

from __future__ import annotations

import collections
import functools
import types
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograder.criteria.purity.state import containers, functions, undo
from autograder.criteria.purity.state.instances import a_class, instance
from autograder.criteria.purity.state.snapshots import Snapshot
from autograder.criteria.purity.state.special import special
from autograder.criteria.purity.state.walk import Walk
from autograder.criteria.purity.student import Student

_INTERPRETER = """
    __builtins__ __loader__ __spec__ __cached__ __doc__ __warningregistry__ __file__
    In Out _ih _oh _dh _i _ii _iii _ __ ___ get_ipython exit quit
"""
_SKIP_GLOBALS = frozenset(_INTERPRETER.split())
_LRU = type(functools.lru_cache(lambda: 0))


def _parts(walk: Walk, path: str, value: Any, kind: str, depth: int) -> None:
    """Go on with whatever a value is made of, by its real type."""
    real = type(value)
    if issubclass(real, dict):
        containers.mapping(walk, path, value, kind, depth)
    elif issubclass(real, (list, tuple, collections.deque)):
        containers.sequence(walk, path, value, kind, depth)
    elif issubclass(real, (set, frozenset)):
        containers.elements(walk, path, value, kind, depth)
    elif issubclass(real, np.ndarray):
        containers.objects(walk, path, value, kind, depth)
    elif real is types.FunctionType:
        functions.function(walk, path, value, kind, depth)
    elif real is types.MethodType:
        functions.method(walk, path, value, kind, depth)
    elif issubclass(real, functools.partial):
        functions.partial(walk, path, value, kind, depth)
    elif real is _LRU:
        functions.lru_cache(walk, path, value, depth)
    elif issubclass(real, types.ModuleType):
        walk.token(path, ("module", value.__dict__.get("__name__")), kind)
    elif issubclass(real, type):
        a_class(walk, path, value, depth)
    elif real is types.CellType:
        functions.cell(walk, path, value, depth)
    elif real is types.GeneratorType:
        functions.generator(walk, path, value, depth)
    elif not special(walk, path, value, kind, depth):
        instance(walk, path, value, kind, depth)


def snapshot(
    student: Student, function: object, saving: bool = False, only: str | None = None
) -> Snapshot:
    """All state reachable from the student's globals and from `function`.

    `only` limits the walk to one root (a global's name, or `<function>`), for speed.
    """
    walk = Walk(student, _parts, saving)
    if only is None and saving:
        walk.on_undo(undo.of_dict(student.namespace))
    for name, value in list(student.namespace.items()):
        if name not in _SKIP_GLOBALS and only in (None, name):
            walk.shot.homes[name] = (student.namespace, name)
            walk.add(name, value, "global")
    if only in (None, "<function>"):
        walk.add("<function>", function, "global")
    return walk.shot


def snapshot_values(student: Student, values: Iterable[tuple[str, object]], kind: str) -> Snapshot:
    """All state reachable from some values, each with the name that its path begins with."""
    walk = Walk(student, _parts)
    for name, value in values:
        walk.add(name, value, kind)
    return walk.shot


def snapshot_arguments(student: Student, args: tuple) -> Snapshot:
    named = ((f"argument {i}", value) for i, value in enumerate(args, 1))
    return snapshot_values(student, named, "argument")
