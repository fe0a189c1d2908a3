"""A function's jaxpr in few words: a line for each operation, as a card shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograder.core import jax_access
from autograder.core.jax_internals import is_jax_own, jaxprs_in, passing_checks
from autograder.core.program import split_data
from autograder.core.student_code import called

_INDENT = "  "
_CALLS = {"jit", "pjit", "closed_call", "core_call", "custom_jvp_call", "custom_vjp_call"}
"""Primitives that do nothing but run the jaxpr in them."""


def jaxpr_lines(function: Callable[..., Any], args: tuple) -> list[str]:
    """Trace a call and describe its jaxpr, without names of variables.

    A function of JAX's own, such as `jnp.var`, is one line. What a loop or a branch does stands
    indented below it.

    Args:
        function: plain or jitted.
        args: of the call; arrays are data, and only their shapes and dtypes are used.

    Returns:
        Lines such as ``"float32[5] = sub"``.
    """
    data, rebuild = split_data(args)

    def on_data(*leaves: Any) -> Any:
        with passing_checks():
            return called(function, *rebuild(leaves))

    traced = jax_access.make_jaxpr(on_data)(*data)
    return list(_describe(traced.jaxpr, ""))


def _describe(jaxpr: Any, indent: str) -> Iterator[str]:
    for eqn in jaxpr.eqns:
        name = eqn.primitive.name
        inside = list(jaxprs_in(tuple(eqn.params.values())))
        results = ", ".join(v.aval.str_short() for v in eqn.outvars)
        if name in _CALLS and len(inside) == 1:
            if not is_jax_own(inside[0]):
                yield from _describe(inside[0], indent)
                continue
            name, inside = str(eqn.params.get("name", name)).strip("_"), []
        yield f"{indent}{results} = {name}" if results else f"{indent}{name}"
        for i, one in enumerate(inside):
            if len(inside) > 1:
                yield f"{indent}{_INDENT}{'branch' if name == 'cond' else 'part'} {i}:"
            yield from _describe(one, indent + _INDENT * (1 + (len(inside) > 1)))
