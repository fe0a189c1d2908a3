"""Drills of the lesson `timing`: what a clock must wait for, and what it must leave out.

The probes give functions that sleep, so that right and wrong times are far apart on any machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.core import Tracer

from autograder.rubrics.drills._drill import make_drill, make_rubric

LONG = 0.3
RUN = LONG / 6
"""Seconds of one call when it is warm."""

SURELY = 0.9
"""Part of a time that even a coarse clock shows."""


class Slow:
    """A result that is ready later, as JAX's are."""

    def __init__(self, ready: float) -> None:
        self._ready = ready

    def block_until_ready(self) -> Slow:
        left = self._ready - time.perf_counter()
        if left > 0:
            time.sleep(left)
        return self

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        self.block_until_ready()
        return np.ones(1)


class Device:
    """Computes one result after the other."""

    def __init__(self) -> None:
        self._free = 0.0

    def compute(self, seconds: float) -> Slow:
        self._free = max(self._free, time.perf_counter()) + seconds
        return Slow(self._free)


def probe_ready(namespace: Mapping[str, Any]) -> Iterable[Any]:
    device = Device()
    yield float(namespace["seconds_until_ready"](lambda x: device.compute(LONG), 1.0))


def probe_warm(namespace: Mapping[str, Any]) -> Iterable[Any]:
    device, calls = Device(), []

    def compiles_first(x: Any) -> Any:
        calls.append(x)
        if isinstance(x, Tracer):
            return x  # under jit this is another function
        if len(calls) > 1:
            return device.compute(RUN)
        time.sleep(LONG)
        return device.compute(LONG)  # who does not wait for it finds the device busy

    yield float(namespace["seconds_when_warm"](compiles_first, 1.0))
    yield len(calls)


def probe_call(namespace: Mapping[str, Any]) -> Iterable[Any]:
    device, calls = Device(), []

    def computes(x: Any) -> Slow:
        calls.append(x)
        return device.compute(RUN)

    began = time.perf_counter()
    yield float(namespace["seconds_per_call"](computes, 1.0))
    yield time.perf_counter() - began
    yield len(calls)


NOT_WAITED = (
    "The result is ready after {ready:.2g} s, and the clock shows {got:.2g} s. Stop the clock "
    "after `jax.block_until_ready(function(x))`."
)
NOT_WARM = (
    "The first call, which compiles, is in the {got:.2g} s. Make it, and wait for its result, "
    "before the clock starts."
)
NOT_FIVE = "The function should be called 5 times. It was {calls}."


def decide_ready(seen: Sequence[Any]) -> dict[str, str]:
    if seen and not SURELY * LONG <= seen[0] < 20 * LONG:
        return {"outputs": NOT_WAITED.format(ready=LONG, got=seen[0])}
    return {}


def decide_warm(seen: Sequence[Any]) -> dict[str, str]:
    if seen and not seen[0] < LONG:
        return {"outputs": NOT_WARM.format(got=seen[0])}
    if len(seen) == 2 and seen[1] < 2:
        return {"outputs": "The function was called once only: no call was warm."}
    if seen and seen[0] < SURELY * RUN:
        return {"outputs": NOT_WAITED.format(ready=RUN, got=seen[0])}
    return {}


def decide_call(seen: Sequence[Any]) -> dict[str, str]:
    if len(seen) < 3:
        return {}
    one, whole, calls = seen
    if calls != 5:
        times = "called only once" if calls == 1 else f"called {calls} times"
        return {"outputs": NOT_FIVE.format(calls=times)}
    if whole < SURELY * 5 * RUN:
        return {"outputs": NOT_WAITED.format(ready=RUN, got=one)}
    if not SURELY * RUN <= one < 0.6 * whole:
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
