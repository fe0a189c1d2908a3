"""Reads whether source can do something else in another Python process.

A second process exports a submission's programs under another hash seed, another clock and other
random numbers. Where the allow-list admits the source and nothing in it reads any of these, the
second process can show nothing new. In doubt, it is run.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from autograder.core.notebook import Cell

_STEADY_MODULES = """
    __future__ abc autograder collections contextlib copy dataclasses decimal enum fractions
    functools itertools jax math numbers numpy operator optax plnkit scipy types typing warnings
"""
_MODULES = frozenset(_STEADY_MODULES.split())
"""Modules that give the same in every process, but for `numpy.random`."""

_VARYING_NAMES = """
    set frozenset hash id object repr ascii vars dir globals locals keys union intersection
    difference symmetric_difference __hash__ __repr__ default_rng RandomState Generator
"""
_VARYING = frozenset(_VARYING_NAMES.split())
"""Names of sets, hashes, addresses and generators, whatever they are called on."""


def is_steady(cells: Sequence[Cell]) -> bool:
    """Return whether admitted source does the same under another hash seed, clock and randomness.

    Args:
        cells: those that run, all admitted by `autograder.grading.allow_list`.
    """
    trees = [ast.parse(cell.source) for cell in cells if cell.role != "check"]
    nodes = [node for tree in trees for node in ast.walk(tree)]
    jax_names = {name for node in nodes for name in _names_of_jax(node)}
    return all(_is_steady(node, jax_names) for node in nodes)


def _names_of_jax(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.Import):
        return []
    return [a.asname or "jax" for a in node.names if a.name.split(".")[0] == "jax"]


def _is_steady(node: ast.AST, jax_names: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return False
        case ast.BinOp(left=ast.Call(func=ast.Attribute(attr="items"))):
            return False  # two views make a set
        case ast.Import(names=names):
            return all(_is_steady_module(alias.name) for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            return all(_is_steady_module(f"{module}.{alias.name}") for alias in names)
        case ast.Name(id=name):
            return name not in _VARYING
        case ast.Constant(value=str(text)):  # `getattr(x, "keys")`, `attrgetter("random.normal")`
            return _VARYING.isdisjoint(text.split(".")) and "random" not in text.split(".")
        case ast.MatchClass(kwd_attrs=names):
            return _VARYING.isdisjoint(names) and "random" not in names
        case ast.Attribute(value=ast.Name(id=owner), attr="random"):
            return owner in jax_names
        case ast.Attribute(attr=name):
            return name not in _VARYING and name != "random"
    return True


def _is_steady_module(dotted: str) -> bool:
    return dotted.split(".")[0] in _MODULES and not dotted.startswith("numpy.random")
