"""Arguments of calls: fresh copies, slightly other numbers, and what they may be compiled for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp

from autograder.core.program import is_data

_NUDGE = 1 + 2.0**-8
_PLAIN = bool | int | float | complex | str | bytes | None


def _map_arrays(change: Callable[[Any], Any], value: Any) -> Any:
    """Apply `change` to the arrays in `value`; containers keep their type and order of keys."""
    if is_data(value):
        return change(value)
    if type(value) is dict:
        return {key: _map_arrays(change, item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_map_arrays(change, item) for item in value)
    if isinstance(value, _PLAIN) or callable(value):
        return value
    try:
        return jax.tree.map(lambda leaf: change(leaf) if is_data(leaf) else leaf, value)
    except Exception:  # a student's own flatten function may raise anything: keep the original
        return value


def copy_arrays(value: Any) -> Any:
    """Copy arguments to new buffers, so that neither donation nor a cache by id acts on them.

    A JAX array keeps dtype, weak type and device.
    """
    return _map_arrays(lambda array: array.copy(), value)


def nudge(value: Any) -> Any:
    """Change floating-point numbers slightly, so that results kept by value are of no use.

    Every float is scaled by the same factor near one, which keeps zeros, signs and positive
    definite matrices.
    """

    def scale(array: Any) -> Any:
        if not jnp.issubdtype(array.dtype, jnp.floating):
            return array
        factor = _NUDGE if isinstance(array, jax.Array) else array.dtype.type(_NUDGE)
        return array * factor

    return _map_arrays(scale, value)


def _leaf_signature(leaf: Any) -> tuple:
    if is_data(leaf):
        return (str(leaf.dtype), tuple(leaf.shape), bool(getattr(leaf, "weak_type", False)))
    name = type(leaf).__name__
    if isinstance(leaf, float | complex):
        return (name,)
    try:
        hash(leaf)
    except TypeError:  # JAX reports this itself
        return (name,)
    return (name, leaf)


def signature(args: tuple) -> tuple:
    """Return what a call may be compiled for: structure, shapes, dtypes, weak types, statics.

    All values but arrays, floats and complex numbers may be static.
    """
    leaves, tree = jax.tree.flatten(args)
    return (*map(_leaf_signature, leaves), tree)
