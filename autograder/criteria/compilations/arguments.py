"""Arguments of calls: fresh copies, slightly other numbers, and what they may be compiled for."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

_NUDGE = 1 + 2.0**-8
_PLAIN = bool | int | float | complex | str | bytes | None


def is_array(leaf: object) -> bool:
    return isinstance(leaf, jax.Array | np.ndarray | np.generic)


def _map(change: Callable[[Any], Any], value: Any) -> Any:
    """Apply `change` to the arrays in `value`; containers keep their type and order of keys."""
    if is_array(value):
        return change(value)
    if type(value) is dict:
        return {key: _map(change, item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_map(change, item) for item in value)
    if isinstance(value, _PLAIN) or callable(value):
        return value
    try:
        return jax.tree.map(lambda leaf: change(leaf) if is_array(leaf) else leaf, value)
    except Exception:  # a student's own flatten function may raise anything: keep the original
        return value


def fresh(value: Any) -> Any:
    """Arguments in new buffers, so that neither donation nor a cache by id acts on them.

    A JAX array keeps dtype, weak type and placement.
    """
    return _map(lambda array: array.copy(), value)


def nudged(value: Any) -> Any:
    """Arguments with slightly other floating-point numbers, against results kept by value.

    Every float is scaled by the same factor near one, which keeps zeros, signs and positive
    definite matrices.
    """

    def nudge(array: Any) -> Any:
        if not jnp.issubdtype(array.dtype, jnp.floating):
            return array
        scale = _NUDGE if isinstance(array, jax.Array) else array.dtype.type(_NUDGE)
        return array * scale

    return _map(nudge, value)


def _leaf_signature(leaf: Any, static: bool) -> tuple:
    if is_array(leaf):
        return (str(leaf.dtype), tuple(leaf.shape), bool(getattr(leaf, "weak_type", False)))
    if static:
        try:
            hash(leaf)
        except TypeError:  # JAX will say so itself
            return (type(leaf).__name__,)
        return (type(leaf).__name__, leaf)
    return (type(leaf).__name__,)


def signature(args: tuple, statics: Collection[int] | None = None) -> tuple:
    """What a call may be compiled for: structure, shapes, dtypes, weak types, static values.

    Args:
        args: the arguments of one call.
        statics: positions of arguments whose values may be static. None: all but arrays, floats
            and complex numbers may be.
    """
    parts = []
    for position, value in enumerate(args):
        leaves, tree = jax.tree.flatten(value)
        for leaf in leaves:
            number = isinstance(leaf, float | complex)
            may_be = not number if statics is None else position in statics
            parts.append(_leaf_signature(leaf, may_be))
        parts.append(tree)
    return tuple(parts)
