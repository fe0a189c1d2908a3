"""What `jax.jit` is asked for where a function is jitted: which arguments are static."""

from __future__ import annotations

import ast
from collections.abc import Callable

from autograder.source.scopes import parameters_of

Resolve = Callable[[ast.expr], str | None]
"""Gives the dotted name of what an expression stands for."""

PLAIN_OPTIONS = frozenset(("static_argnums", "static_argnames", "inline", "keep_unused"))
"""Options of jit that leave the number of programs to its arguments."""
PURE_OPTIONS = PLAIN_OPTIONS | {"in_shardings", "out_shardings"}
"""Options of jit that write nothing, and give nothing away."""


def jit_keywords(node: ast.expr, resolve: Resolve) -> list[ast.keyword] | None:
    """Return the options of a decorator that jits: `jax.jit`, `jax.jit(...)`, `partial(jax.jit, ...)`.

    None where it is no such decorator, or where a function is given to it.
    """
    if not isinstance(node, ast.Call):
        return [] if resolve(node) == "jax.jit" else None
    dotted = resolve(node.func)
    if dotted == "jax.jit" and not node.args:
        return node.keywords
    is_partial = dotted == "functools.partial" and len(node.args) == 1
    return node.keywords if is_partial and resolve(node.args[0]) == "jax.jit" else None


def static_parameters(
    node: ast.expr, function: ast.FunctionDef, resolve: Resolve
) -> frozenset[str] | None:
    """Return the parameters that a decorator makes static; None if it does not jit, or is unclear."""
    keywords = jit_keywords(node, resolve)
    return None if keywords is None else static_names(keywords, function)


def static_names(
    keywords: list[ast.keyword], function: ast.FunctionDef | ast.Lambda
) -> frozenset[str] | None:
    """Return the parameters that jit's options make static; None where they are not written out."""
    names, found = parameters_of(function), set[str]()
    positional = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    for keyword in keywords:
        if keyword.arg not in ("static_argnums", "static_argnames"):
            continue
        try:
            given = ast.literal_eval(keyword.value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None
        for one in given if isinstance(given, (tuple, list)) else (given,):
            if isinstance(one, str) and one in names:
                found.add(one)
            elif type(one) is int and -len(positional) <= one < len(positional):
                found.add(positional[one])
            else:
                return None
    return frozenset(found)
