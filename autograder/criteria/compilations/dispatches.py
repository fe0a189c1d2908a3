"""How many of the student's programs one call runs, when the call cannot be traced as a whole.

A Python loop that goes on until a computed value is small needs numbers, so no jaxpr shows its
length. The jitted functions of the student's module are replaced by counting ones for one call.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from autograder.core import jax_access


class _Counted:
    """Stands in for a jitted function and counts its calls from Python into `count`."""

    def __init__(self, jitted: Any, count: list[int]) -> None:
        self._jitted = jitted
        self._count = count
        functools.update_wrapper(self, jitted)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not jax_access.under_jit():  # a jit inside another one is part of its program
            self._count[0] += 1
        return self._jitted(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jitted, name)


def count_dispatches(function: Callable[..., Any], args: tuple, module: ModuleType) -> int:
    """Calls of jitted functions at the top of the student's module, during one call."""
    namespace = vars(module)
    count = [0]
    jitted = {
        name: value
        for name, value in namespace.items()
        if callable(value) and hasattr(value, "lower") and hasattr(value, "__wrapped__")
    }
    namespace.update({name: _Counted(value, count) for name, value in jitted.items()})
    try:
        jax_access.block_until_ready(function(*args))
    except (Exception, SystemExit):  # the counted call returned: this one only looks closer
        return 0
    finally:
        namespace.update(jitted)
    return count[0]
