"""Writes values for messages: numbers, arrays, calls, and what a function returned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

_BRIEF = 30
"""Characters of an argument that is written in full where a call is to be brief."""


def number(value: Any) -> str:
    """Write a float with six digits, and any other value as it is."""
    return f"{value:.6g}" if np.issubdtype(np.asarray(value).dtype, np.floating) else str(value)


def kind_of(value: Any) -> str:
    """Write what a value is in a sentence: "None", "an array", "an int", "a PLN"."""
    if value is None:
        return "None"
    cls = type(value)  # `isinstance` would ask the value itself
    name = cls.__name__
    if issubclass(cls, (np.ndarray, np.generic)) or name == "ArrayImpl":
        return "an array"
    return f"{'an' if name[0] in 'AEIOaeiou' else 'a'} {name}"


def dtype_and_shape(value: Any) -> str:
    """Write what a program is made for: `float32[116,114]`."""
    return f"{value.dtype}[{','.join(map(str, value.shape))}]"


def call_text(name: str, args: Sequence[Any], *, brief: bool = False) -> str:
    """Write a call as the student would type it; `brief`: with shapes, and no long containers."""
    return f"{name}({', '.join((_brief_argument if brief else _argument)(a) for a in args)})"


def _brief_argument(value: Any) -> str:
    if hasattr(value, "shape"):
        return dtype_and_shape(value)
    text = _argument(value)
    return text if len(text) <= _BRIEF else f"{text[0]}...{text[-1]}"


def _argument(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_argument(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(_argument(v) for v in value) + (",)" if len(value) == 1 else ")")
    if not hasattr(value, "shape"):
        return repr(value)
    # A shape has no values, nor has an array that was donated to the call.
    is_gone = not hasattr(value, "__array__") or getattr(value, "is_deleted", bool)()
    is_tiny = not is_gone and value.size <= 4
    return f"jnp.array({np.asarray(value).tolist()})" if is_tiny else dtype_and_shape(value)


def structure(names: Sequence[str]) -> str:
    """Describe what a function returned."""
    if list(names) == [""]:
        return "one array"
    shown = ", ".join(f"result{n}" for n in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"arrays at {shown}{more}" if names else "nothing"
