"""How often JAX compiles, as JAX itself tells it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import jax

_EVENTS = {
    "/jax/core/compile/jaxpr_trace_duration": "traces",
    "/jax/core/compile/jaxpr_to_mlir_module_duration": "lowerings",
    "/jax/core/compile/backend_compile_duration": "compilations",
}


@contextmanager
def compile_counts() -> Iterator[dict[str, Any]]:
    """How often JAX traced, lowered and compiled inside the block, and the seconds it took.

    Yields:
        `traces`, `lowerings` and `compilations`, which grow inside the block; `compile_seconds`,
        all of these together, is set at its end.
    """
    counts: dict[str, Any] = dict.fromkeys(_EVENTS.values(), 0) | {"compile_seconds": 0.0}
    spans: list[tuple[float, float]] = []

    def listen(event: str, duration_secs: float, **_: Any) -> None:
        if event in _EVENTS:
            counts[_EVENTS[event]] += 1
            end = time.perf_counter()
            begin = end - duration_secs
            # A trace reports after the traces inside it: it takes their place.
            while spans and spans[-1][0] >= begin:
                spans.pop()
            spans.append((begin, end))

    jax.monitoring.register_event_duration_secs_listener(listen)
    try:
        yield counts
    finally:
        jax.monitoring.unregister_event_duration_listener(listen)
        counts["compile_seconds"] = sum(end - begin for begin, end in spans)
