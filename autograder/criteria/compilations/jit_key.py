"""Reads what jit looks a program up by, beside shapes and values, from JAX's frames as it compiles.

A cause of a compilation is told only where a part of this key was seen to differ.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any

import jax

from autograder.core import jax_access

_OPTIONS = """
    static_argnums static_argnames donate_argnums donate_argnames device backend keep_unused inline
    compiler_options_kvs
"""


@dataclass(frozen=True)
class JitKey:
    """Parts of the key of one call of a jitted function.

    Attributes:
        function: what jit was given. It is kept alive, so its identity tells it from others.
        positional: how many arguments were passed by position.
        keywords: the names of the others, in their order.
        placements: the sharding of each array, and whether it is committed to it.
        options: those of `jax.jit`.
    """

    function: object
    positional: int
    keywords: tuple[str, ...]
    placements: tuple[str, ...]
    options: dict[str, str]

    @property
    def identity(self) -> tuple[int, int]:
        """What tells the function from others: a bound method is made at each access."""
        return identity(self.function)


def identity(function: object) -> tuple[int, int]:
    """Return what tells a function that jit was given from others."""
    owner = getattr(function, "__self__", None)
    return id(owner), id(getattr(function, "__func__", function))


def key_of(frames: Iterable[FrameType]) -> JitKey | None:
    """Return the key of the call that a program is compiled for; None if jit was not called."""
    frame = next((f for f in frames if f.f_code is jax_access.MISS_CODE), None)
    if frame is None:
        return None
    found = frame.f_locals
    args, kwargs, chosen = found.get("args", ()), found.get("kwargs", {}), found.get("jit_info")
    arrays = (x for x in jax_access.flatten((args, kwargs))[0] if isinstance(x, jax.Array))
    return JitKey(
        function=found.get("fun"),
        positional=len(args),
        keywords=tuple(kwargs),
        placements=tuple(map(_placement, arrays)),
        options={name: repr(getattr(chosen, name, None)) for name in _OPTIONS.split()},
    )


def _placement(array: Any) -> str:
    try:
        fixed = " (committed)" if array.committed else ""
        return f"{array.sharding}{fixed}"
    except Exception:  # the array may have been donated
        return ""


def handed_functions(
    frames: Iterable[FrameType], operation: str, is_students: Callable[[FunctionType], bool]
) -> tuple[FunctionType, ...]:
    """Return the student's functions that a loop or branch of JAX's was given outside of jit."""
    given = (v for f in frames if f.f_code.co_name == operation for v in f.f_locals.values())
    flat = (x for v in given for x in (v if isinstance(v, tuple | list) else (v,)))
    return tuple(x for x in flat if isinstance(x, FunctionType) and is_students(x))
