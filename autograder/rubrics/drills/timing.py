"""Drills of the lesson `timing`: what a clock must wait for, and what it must leave out.

The probes give functions that sleep, so that right and wrong times are far apart on any machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jax.core import Tracer

from autograder.model.exercise import BehaviourExercise, Exercise
from autograder.rubrics._clock import Device
from autograder.rubrics.drills._drill import make_drill, make_rubric

LONG = 0.3
RUN = LONG / 6
"""Seconds of one call when it is warm."""

SURELY = 0.9
"""Part of a time that even a coarse clock shows."""

BEFORE = 0.4
"""The part of a call that passes before it returns."""

SLACK = 0.005
"""Seconds that may pass between the clock and the call."""


def probe_ready(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the time on the clock, and how long the call took."""
    device = Device()
    yield float(namespace["seconds_until_ready"](lambda x: device.compute(LONG, BEFORE), 1.0))
    yield device.waited()


def probe_warm(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the time on the clock, and how long each call took; the first one compiles."""
    device = Device()

    def compiles_first(x: Any) -> Any:
        if isinstance(x, Tracer):
            return x  # under jit this is another function
        if not device.calls:
            time.sleep(LONG)
            return device.compute(LONG, 0.0)  # who does not wait finds the device busy
        return device.compute(RUN, BEFORE)

    yield float(namespace["seconds_when_warm"](compiles_first, 1.0))
    yield device.waited()


def probe_call(namespace: Mapping[str, Any]) -> Iterable[Any]:
    """Yield the time of one call, of all, and how long each took."""
    device = Device()
    began = time.perf_counter()
    yield float(namespace["seconds_per_call"](lambda x: device.compute(RUN, BEFORE), 1.0))
    yield time.perf_counter() - began
    yield device.waited()


NOT_WAITED = (
    "The result is ready after {ready:.2g} s, and the clock shows {got:.2g} s. Stop the clock "
    "after `jax.block_until_ready(function(x))`."
)
LATE = (
    "The result is ready after {ready:.2g} s, and the clock shows {got:.2g} s. Start the clock "
    "before the function is called: it may compute before it returns."
)
NOT_ONE = (
    "The call took {ready:.2g} s, and the clock shows {got:.2g} s. It should show one call, in "
    "seconds."
)
NOT_WARM = (
    "The first call, which compiles, is in the {got:.2g} s. Make it, and wait for its result, "
    "before the clock starts."
)
NOT_ONE_WARM = (
    "A warm call took {ready:.2g} s at most, and the clock shows {got:.2g} s. It should show one "
    "call, and nothing of the first."
)
NOT_FIVE = "The function should be called 5 times. It was {calls}."


def most(calls: Sequence[float | None]) -> float:
    """The most that a clock can show for one of the calls that somebody has waited for."""
    return 1.1 * max(filter(None, calls), default=0.0) + SLACK


def _too_early(got: float, ready: float, calls: Sequence[float | None]) -> dict[str, str]:
    late = got > ready / 2 and None not in calls  # 1 - BEFORE of the call, not BEFORE
    text = LATE if late else NOT_WAITED
    return {"outputs": text.format(ready=ready, got=got)}


def _decide_ready(seen: Sequence[Any]) -> dict[str, str]:
    if len(seen) < 2:
        return {}
    got, calls = seen
    if got < SURELY * LONG:
        return _too_early(got, LONG, calls)
    if got > most(calls):
        return {"outputs": NOT_ONE.format(ready=LONG, got=got)}
    return {}


def _decide_warm(seen: Sequence[Any]) -> dict[str, str]:
    if len(seen) < 2:
        return {}
    got, calls = seen
    if calls and got >= LONG:
        return {"outputs": NOT_WARM.format(got=got)}
    if len(calls) < 2:
        return {"outputs": "The function was called once only: no call was warm."}
    if got < SURELY * RUN:
        return _too_early(got, RUN, calls[1:])
    if got > most(calls[1:]):
        longest = max(filter(None, calls[1:]), default=RUN)
        return {"outputs": NOT_ONE_WARM.format(ready=longest, got=got)}
    return {}


def _decide_call(seen: Sequence[Any]) -> dict[str, str]:
    if len(seen) < 3:
        return {}
    one, whole, calls = seen
    if len(calls) != 5:
        times = "called only once" if len(calls) == 1 else f"called {len(calls)} times"
        return {"outputs": NOT_FIVE.format(calls=times)}
    if whole < SURELY * 5 * RUN:
        return {"outputs": NOT_WAITED.format(ready=RUN, got=one)}
    median = statistics.median(list(filter(None, calls)) or [0.0])
    if not SURELY * RUN <= one <= 1.08 * max(median, whole / 5) + 0.002:
        return {"outputs": f"5 calls took {whole:.2g} s. One call cannot take {one:.2g} s."}
    return {}


def make_clock_drill(name: str, probe: Any, decide: Any) -> Exercise:
    """Return a drill that is judged by what a clock shows."""
    return make_drill(
        name,
        kind=BehaviourExercise,
        criteria=("outputs",),
        probe=probe,
        decide=decide,
    )


rubric = make_rubric(
    "timing",
    make_clock_drill("seconds_until_ready", probe_ready, _decide_ready),
    make_clock_drill("seconds_when_warm", probe_warm, _decide_warm),
    make_clock_drill("seconds_per_call", probe_call, _decide_call),
)
