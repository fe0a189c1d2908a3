"""Drills of the lesson `timing`: a program made anew, and what a clock must leave out.

The probe gives a function that sleeps, so that right and wrong times are far apart on any machine.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.core import Tracer

from autograder.model.exercise import BehaviourExercise
from autograder.rubrics._clock import Device
from autograder.rubrics._draws import counts
from autograder.rubrics.drills._drill import draw_tables, make_drill, make_rubric

LONG = 0.3
RUN = LONG / 6
"""Seconds of one call when it is warm."""

SURELY = 0.9
"""Part of a time that even a coarse clock shows."""

BEFORE = 0.4
"""The part of a call that passes before it returns."""

SLACK = 0.005
"""Seconds that may pass between the clock and the call."""


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


NOT_WAITED = (
    "The result is ready after {ready:.2g} s, and the clock shows {got:.2g} s. Stop the clock "
    "after `jax.block_until_ready(function(x))`."
)
LATE = (
    "The result is ready after {ready:.2g} s, and the clock shows {got:.2g} s. Start the clock "
    "before the function is called: it may compute before it returns."
)
NOT_WARM = (
    "The first call, which compiles, is in the {got:.2g} s. Make it, and wait for its result, "
    "before the clock starts."
)
NOT_ONE_WARM = (
    "A warm call took {ready:.2g} s at most, and the clock shows {got:.2g} s. It should show one "
    "call, and nothing of the first."
)


def most(calls: Sequence[float | None]) -> float:
    """The most that a clock can show for one of the calls that somebody has waited for."""
    return 1.1 * max(filter(None, calls), default=0.0) + SLACK


def _too_early(got: float, ready: float, calls: Sequence[float | None]) -> dict[str, str]:
    late = got > ready / 2 and None not in calls  # 1 - BEFORE of the call, not BEFORE
    text = LATE if late else NOT_WAITED
    return {"outputs": text.format(ready=ready, got=got)}


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


def _draw_depths(rng: np.random.Generator) -> list[tuple]:
    tables = [*(Y for (Y,) in draw_tables(rng)), counts(rng, 5, 4)]
    calls = [(Y, rng.uniform(9, 99, size=len(Y)).astype(np.float32)) for Y in tables]
    return [*calls, (tables[-1].copy(), np.full(5, 20, np.float32))]


rubric = make_rubric(
    "timing",
    make_drill("rates", draws=_draw_depths, reference=lambda Y, depths: Y / depths[:, None]),
    make_drill(
        "seconds_when_warm",
        kind=BehaviourExercise,
        criteria=("outputs",),
        probe=probe_warm,
        decide=_decide_warm,
    ),
)
