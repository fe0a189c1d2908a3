"""Arguments of calls: fresh copies, slightly different numbers, and their signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from autograder.core.program import is_data, is_numbers

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
    return _map_arrays(lambda array: _change(array, lambda numbers: numbers.copy()), value)


def nudge(value: Any) -> Any:
    """Change floating-point numbers slightly, so that results cached by value are of no use.

    Every float is scaled by the same factor near one, which keeps zeros, signs and positive
    definite matrices.
    """

    def scale(array: Any) -> Any:
        if not jnp.issubdtype(array.dtype, jnp.floating):
            return array
        # A weakly typed array takes Python's number, and stays so.
        is_weak = getattr(array, "weak_type", False)
        factor = _NUDGE if is_weak else array.dtype.type(_NUDGE)
        return _change(array, lambda numbers: numbers * factor)

    return _map_arrays(scale, value)


def _change(array: Any, change: Callable[[Any], Any]) -> Any:
    """Change an array by NumPy where that can be done: JAX compiles a program for each shape."""
    is_plain = isinstance(array, jax.Array) and not isinstance(array, Tracer)
    if not is_plain or not is_numbers(array):
        return change(array)
    return jax.device_put(change(np.array(array)))


def _leaf_signature(leaf: Any) -> tuple:
    if is_data(leaf):
        return (str(leaf.dtype), tuple(leaf.shape), bool(getattr(leaf, "weak_type", False)))
    name = type(leaf).__name__
    try:
        hash(leaf)
    except TypeError:  # JAX reports this itself
        return (name,)
    return (name, leaf)


def signature(args: tuple) -> tuple:
    """Return what a call may be compiled for: structure, shapes, dtypes, weak types, statics.

    All values but arrays may be static. They count by type and value, as in jit's key: 1, 1.0 and
    True are three values; 0.0 and -0.0 are one, and so is the same NaN object.
    """
    leaves, tree = jax.tree.flatten(args)
    return (*map(_leaf_signature, leaves), tree)


def floats_alike(key: tuple) -> tuple:
    """Return a signature in which all plain floats are the same, and all complex numbers."""
    *leaves, tree = key
    return (*(leaf[:1] if leaf[0] in ("float", "complex") else leaf for leaf in leaves), tree)


def numbers_alike(key: tuple) -> tuple:
    """Return a signature in which all plain integers and floats are the same."""
    *leaves, tree = key
    return (*(("number",) if leaf[0] in ("int", "float") else leaf for leaf in leaves), tree)
