"""Notices when code replaced what it must not touch, such as parts of the grader or of JAX."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

KeptName = tuple[Any, str, object]
"""A module or class, one of its names, and the value that the name must keep."""


def _functions(value: Any) -> Iterator[types.FunctionType]:
    members = vars(value).values() if isinstance(value, type) else (value,)
    for member in members:
        member = getattr(member, "__func__", getattr(member, "fget", member))
        if isinstance(member, types.FunctionType):
            yield member


def _is_fixed(name: str, value: object) -> bool:
    """Whether a module's value never changes: functions, classes and constants."""
    return callable(value) or (name.isupper() and not name.startswith("_"))


class Seal:
    """Remembers values as they are now, before a student's code runs.

    Args:
        package: its loaded modules are sealed: their functions, classes and constants, the
            methods of its classes, and the code of all functions.
        guarded: single names to seal.
    """

    def __init__(self, package: str = "", guarded: Iterable[KeptName] = ()) -> None:
        self._values = list(guarded)
        self._modules: dict[str, types.ModuleType] = {}
        self._codes: dict[types.FunctionType, types.CodeType] = {}
        for path, module in list(sys.modules.items()):
            if package and module is not None and f"{path}.".startswith(f"{package}."):
                self._modules[path] = module
                self._add_module(module, package)

    def _add_module(self, module: types.ModuleType, package: str) -> None:
        for name, value in list(vars(module).items()):
            if _is_fixed(name, value):
                self._values.append((module, name, value))
            if isinstance(value, type) and f"{value.__module__}.".startswith(f"{package}."):
                members = vars(value).items()
                self._values += [(value, n, member) for n, member in members if callable(member)]
            for function in _functions(value):
                self._codes[function] = function.__code__

    def restore(self) -> list[str]:
        """Restore what was replaced since, and return its names, sorted."""
        found = set()
        for path, module in self._modules.items():
            if sys.modules.get(path) is not module:
                found.add(path)
                sys.modules[path] = module
        for owner, name, value in self._values:
            if vars(owner).get(name) is not value:
                is_class = isinstance(owner, type)
                home = f"{owner.__module__}.{owner.__qualname__}" if is_class else owner.__name__
                found.add(f"{home}.{name}")
                (type.__setattr__ if is_class else setattr)(owner, name, value)
        for function, code in self._codes.items():
            if function.__code__ is not code:
                found.add(f"{function.__module__}.{function.__qualname__}.__code__")
                function.__code__ = code
        return sorted(found)
