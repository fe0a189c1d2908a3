"""What `jax.jit` is asked for where a function is jitted: which arguments are static."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from autograder.source.scopes import parameters_of

Resolve = Callable[[ast.expr], str | None]
"""Gives the dotted name of what an expression stands for."""

PLAIN_OPTIONS = frozenset(("static_argnums", "static_argnames", "inline", "keep_unused"))
"""Options of jit that leave the number of programs to its arguments."""
PURE_OPTIONS = PLAIN_OPTIONS | {"in_shardings", "out_shardings"}
"""Options of jit that write nothing, and give nothing away."""


def jit_keywords(node: ast.expr, resolve: Resolve) -> list[ast.keyword] | None:
    """Return jit's options in a decorator: `jax.jit`, `jax.jit(...)`, `partial(jax.jit, ...)`.

    None where it is none of these, or where a function is given to it.
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
    """Return the parameters that a decorator makes static; None if that is not known."""
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


@dataclass(frozen=True)
class JittedFunction:
    """What is known of a jitted function bound at the top.

    Attributes:
        parameters: those that can be given by position, in order; empty where they are not known.
        static: the names of static ones.
    """

    parameters: tuple[str, ...] = ()
    static: tuple[str, ...] = ()


def read_jitted(
    node: ast.AST, resolve: Resolve, definitions: Mapping[str, ast.AST]
) -> JittedFunction | None:
    """Return what a definition, or the value of an assignment, says of a jitted function.

    None where it is none: `@jax.jit`, `jax.jit(f)` and `partial(jax.jit, ...)(f)` are. None, too,
    where its programs cannot be counted from its calls.
    """
    function, keywords = node, None
    if isinstance(node, ast.FunctionDef) and node.decorator_list:
        keywords = jit_keywords(node.decorator_list[0], resolve)
    elif isinstance(node, ast.Call) and len(node.args) == 1:
        if resolve(node.func) == "jax.jit":
            keywords = node.keywords
        elif not node.keywords and isinstance(node.func, ast.Call):
            keywords = jit_keywords(node.func, resolve)
        given = node.args[0]
        function = definitions.get(given.id, given) if isinstance(given, ast.Name) else given
    if keywords is None or any(k.arg not in PLAIN_OPTIONS for k in keywords):
        return None
    if not isinstance(function, (ast.FunctionDef, ast.Lambda)) or _is_wrapped(function, node):
        has_static = any(str(k.arg).startswith("static") for k in keywords)
        return None if has_static else JittedFunction()
    static, a = static_names(keywords, function), function.args
    if static is None or a.vararg or a.kwarg:
        return None
    return JittedFunction(tuple(x.arg for x in (*a.posonlyargs, *a.args)), tuple(sorted(static)))


def _is_wrapped(function: ast.FunctionDef | ast.Lambda, node: ast.AST) -> bool:
    """Whether what is jitted may have other parameters than the function: another decorator's."""
    most = 1 if function is node else 0
    return isinstance(function, ast.FunctionDef) and len(function.decorator_list) > most
