"""The signature of a traced call: what each argument and closed-over variable was."""

from __future__ import annotations

import types
from inspect import CO_VARARGS, CO_VARKEYWORDS
from types import FrameType
from typing import Any

import jax
from jax.core import Tracer

from autograder.core.program import is_data

_LEAVES_PER_ARGUMENT = 200


def _describe_leaf(value: Any) -> tuple:
    """Describe a leaf as ``(kind, *details)``; for equal tuples no new program was needed."""
    if isinstance(value, Tracer):
        aval = value.aval
        weak = bool(getattr(aval, "weak_type", False))
        dtype = getattr(aval, "dtype", type(aval).__name__)
        return ("array", str(dtype), tuple(getattr(aval, "shape", ())), weak)
    if is_data(value):
        return ("constant", str(value.dtype), tuple(value.shape))
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        return ("static", repr(value)[:60])
    if isinstance(value, types.FunctionType | types.BuiltinFunctionType | type):
        return ("function", getattr(value, "__name__", "?"), id(value))
    return ("object", type(value).__name__, id(value))


def _describe_argument(name: str, value: object) -> dict[str, tuple]:
    try:
        pairs = jax.tree_util.tree_flatten_with_path(value)[0][:_LEAVES_PER_ARGUMENT]
        if not pairs:
            return {name: ("empty", type(value).__name__ if value is not None else "None")}
        return {name + jax.tree_util.keystr(path): _describe_leaf(leaf) for path, leaf in pairs}
    except Exception:  # the student's own flatten function may raise anything
        return {name: ("object", type(value).__name__, id(value))}


def signature_of_frame(frame: FrameType) -> dict[str, tuple]:
    """Return the signature of the call that `frame` has just begun."""
    code = frame.f_code
    stars = bool(code.co_flags & CO_VARARGS) + bool(code.co_flags & CO_VARKEYWORDS)
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
    values = frame.f_locals
    signature: dict[str, tuple] = {}
    for name in arguments:
        if name in values:
            signature |= _describe_argument(name, values[name])
    for name in code.co_freevars:
        if name in values:
            signature[f"{name} (closed over)"] = _describe_leaf(values[name])
    return signature


def changed_leaves(old: dict[str, tuple], new: dict[str, tuple]) -> list[str]:
    """Return the names of the leaves that differ, in the new signature's order, lost ones last."""
    return [name for name in {**new, **old} if old.get(name) != new.get(name)]


def spell_leaf(leaf: tuple | None) -> str:
    """Write a leaf as a student would name it."""
    if leaf is None:
        return "absent"
    kind, *rest = leaf
    if kind == "array":
        weak = " from a Python scalar (weak type)" if rest[2] else ""
        return f"{rest[0]}[{','.join(map(str, rest[1]))}]{weak}"
    if kind == "constant":
        return f"the fixed array {rest[0]}[{','.join(map(str, rest[1]))}]"
    if kind == "static":
        return f"the static value {rest[0]}"
    if kind == "function":
        return f"the function `{rest[0]}`"
    if kind == "empty":
        return "None" if rest[0] == "None" else f"an empty {rest[0]}"
    return f"an object of class {rest[0]}"
