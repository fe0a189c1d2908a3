"""Drills of the lesson `timing`: what a clock must wait for, and what it must leave out.

The probes give functions that sleep, so that right and wrong times are far apart on any machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.rubrics.drills._drill import make_drill, make_rubric

LONG = 0.3


class Slow:
    """A result that is ready later, as JAX's are."""

    def block_until_ready(self) -> Slow:
        time.sleep(LONG)
        return self


def probe_ready(namespace: Mapping[str, Any]) -> Iterable[Any]:
    yield float(namespace["seconds_until_ready"](lambda x: Slow(), 1.0))


def probe_warm(namespace: Mapping[str, Any]) -> Iterable[Any]:
    calls: list[Any] = []

    def compiles_first(x: Any) -> np.ndarray:
        calls.append(x)
        if len(calls) == 1:
            time.sleep(LONG)
        return np.ones(1)

    yield float(namespace["seconds_when_warm"](compiles_first, 1.0))
    yield len(calls)


def probe_call(namespace: Mapping[str, Any]) -> Iterable[Any]:
    calls: list[Any] = []

    def sleeps(x: Any) -> np.ndarray:
        calls.append(x)
        time.sleep(LONG / 6)
        return np.ones(1)

    began = time.perf_counter()
    yield float(namespace["seconds_per_call"](sleeps, 1.0))
    yield time.perf_counter() - began
    yield len(calls)


def decide_ready(seen: Sequence[Any]) -> dict[str, str]:
    if seen and not LONG <= seen[0] < 20 * LONG:
        found = f"The result was ready after {LONG} s, and the clock shows {seen[0]:.2g} s."
        return {"outputs": f"{found} Stop the clock after `jax.block_until_ready(result)`."}
    return {}


def decide_warm(seen: Sequence[Any]) -> dict[str, str]:
    if seen and not 0 <= seen[0] < LONG:
        return {
            "outputs": f"The first call, which compiles, is in the {seen[0]:.2g} s. Leave it out."
        }
    if len(seen) == 2 and seen[1] < 2:
        return {"outputs": "The function was called once only: no call was warm."}
    return {}


def decide_call(seen: Sequence[Any]) -> dict[str, str]:
    if len(seen) < 3:
        return {}
    one, whole, calls = seen
    if calls != 5:
        return {"outputs": f"The function should be called 5 times. It was called {calls} times."}
    if not LONG / 6 <= one < 0.6 * whole:
        return {"outputs": f"5 calls took {whole:.2g} s. One call cannot take {one:.2g} s."}
    return {}


def drill(name: str, hint: str, probe: Callable[..., Any], decide: Callable[..., Any]) -> Any:
    fields: dict[str, Any] = {"kind": "behaviour", "probe": probe, "decide": decide}
    return make_drill(name, hint, criteria=("outputs",), **fields)


rubric = make_rubric(
    "timing",
    drill(
        "seconds_until_ready",
        "JAX returns before the result is ready. What waits for it?",
        probe_ready,
        decide_ready,
    ),
    drill(
        "seconds_when_warm",
        "Call the function once, and wait, before the clock starts.",
        probe_warm,
        decide_warm,
    ),
    drill(
        "seconds_per_call",
        "The clock shows all calls together. How many are there?",
        probe_call,
        decide_call,
    ),
)
