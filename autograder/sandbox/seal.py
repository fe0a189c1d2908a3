"""Notices when a student's cells replaced parts of the grader in their own process."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

from autograder.core.finding import Finding

PACKAGE = "autograder"

PATCHED = (
    "`{name}`, a part of the grader, was replaced while the notebook ran. What is observed in "
    "this process can no longer be trusted. Remove the code that changes the grader."
)


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
    """A figure of all loaded modules of the package, taken before a student's code runs."""

    def __init__(self) -> None:
        self._names: dict[str, dict[str, Any]] = {}
        self._members: dict[type, dict[str, Any]] = {}
        self._codes: dict[types.FunctionType, types.CodeType] = {}
        for name, module in list(sys.modules.items()):
            if name.split(".")[0] != PACKAGE or module is None:
                continue
            self._names[name] = dict(vars(module))
            for value in vars(module).values():
                if isinstance(value, type) and value.__module__.split(".")[0] == PACKAGE:
                    self._members[value] = dict(vars(value))
                for function in _functions(value):
                    self._codes[function] = function.__code__

    def broken(self) -> list[str]:
        """Names of what was replaced since, put back as they were."""
        found = []
        for module_name, names in self._names.items():
            module = sys.modules.get(module_name)
            if module is None:
                found.append(module_name)
                continue
            for name, value in names.items():
                if _is_fixed(name, value) and vars(module).get(name) is not value:
                    found.append(f"{module_name}.{name}")
                    setattr(module, name, value)
        for cls, members in self._members.items():
            for name, value in members.items():
                if callable(value) and vars(cls).get(name) is not value:
                    found.append(f"{cls.__module__}.{cls.__qualname__}.{name}")
                    type.__setattr__(cls, name, value)
        for function, code in self._codes.items():
            if function.__code__ is not code:
                found.append(f"{function.__module__}.{function.__qualname__}")
                function.__code__ = code
        return sorted(found)


def patched_finding(names: list[str]) -> Finding:
    return Finding("grader-patched", "error", None, PATCHED.format(name=names[0]))
