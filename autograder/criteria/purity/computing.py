"""Lists what computes and does nothing else: functions of JAX, NumPy, optax and Python.

The table is made when this package is imported, before student code could replace a function.
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax

_MODULE_NAMES = """
    jax jax.numpy jax.lax jax.nn jax.random jax.scipy jax.scipy.special jax.scipy.linalg jax.tree
    jax.tree_util jax.numpy.linalg jax.ops numpy optax math functools
"""
MODULES = frozenset(_MODULE_NAMES.split())
"""Modules that their names are read from."""
_NUMPY = """
    abs add all any arange argmax argmin array asarray ceil clip concatenate cos cumsum diag divide
    dot dtype e exp expand_dims expm1 eye finfo float32 float64 floor full full_like iinfo inf int32
    int64 isfinite isnan linspace log log1p matmul max maximum mean min minimum multiply nan newaxis
    ones ones_like outer pi power prod product reshape round sign sin sqrt square stack std subtract
    sum tanh tril triu var where zeros zeros_like
"""
TRANSFORMS = (
    *(jax.jit, jax.grad, jax.value_and_grad, jax.vmap, jax.jacfwd, jax.jacrev, jax.hessian),
    *(jax.checkpoint, functools.partial),
)
_NOT_COMPUTING = """
    load save savez fromfile set_printoptions get_printoptions printoptions frompyfunc vectorize
    fill_diagonal put place copyto callback pure_callback io_callback
"""


def _public(module: types.ModuleType, names: str = "") -> Iterator[tuple[int, object]]:
    for name in names.split() or dir(module):
        value = getattr(module, name, None)
        if name.startswith("_") or name in _NOT_COMPUTING.split() or value is None:
            continue
        if not isinstance(value, types.ModuleType):
            yield id(value), value


def _computing() -> dict[int, object]:
    """Return the functions and constants that compute, by id, as they were at import."""
    found: dict[int, object] = {}
    whole = (jnp, jnp.linalg, jax.lax, jax.nn, jax.random, jax.scipy.special, jax.scipy.linalg)
    for module in (*whole, jax.ops, math):
        found.update(_public(module))
    found.update(_public(np, _NUMPY))
    found.update(_public(jax, "block_until_ready eval_shape ShapeDtypeStruct Array"))
    tree = "all flatten leaves map reduce structure transpose unflatten"
    found.update(_public(jax.tree, tree))
    tree = "tree_all tree_flatten tree_leaves tree_map tree_reduce tree_structure tree_unflatten"
    found.update(_public(jax.tree_util, tree))
    found.update(_public(optax, "apply_updates global_norm adam adamw sgd rmsprop lbfgs chain"))
    found.update({id(value): value for value in (*TRANSFORMS, functools.reduce)})
    return found


_TABLE = _computing()


def computes(value: object) -> bool:
    """Whether a value is one of the functions and constants that compute."""
    return id(value) in _TABLE
