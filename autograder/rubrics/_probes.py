"""What probes share: programs that a call compiles, and errors that it raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograder.programs import jax_access

MOVE = "_multi_slice"
"""What JAX compiles to cut an array that `jax.device_put` distributes."""


def count_programs(function: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    """Return how many programs a call compiles, but those that move arrays, and its result."""
    compiled = 0

    def listen(event: str, *_: Any, **about: Any) -> None:
        nonlocal compiled
        moves = MOVE in str(about.get("fun_name"))
        compiled += event == jax_access.COMPILE_EVENT and not moves

    jax_access.register_listener(listen)
    try:
        result = jax_access.block_until_ready(function(*arguments))
    finally:
        jax_access.unregister_listener(listen)
    return compiled, result


def error_of(function: Callable[..., Any], *arguments: Any) -> Exception | None:
    """Return the error that a call raises, also after it has returned; None if it raises none."""
    try:
        jax_access.block_until_ready(function(*arguments))
        jax_access.effects_barrier()
    except Exception as error:
        return error
    return None
