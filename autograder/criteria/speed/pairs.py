"""Times a program beside another, in shuffled turns, and decides whether it is fast enough.

Load on the machine comes and goes over seconds. It hits both parts of a turn about equally and
leaves their ratio alone. What decides is timed against itself first: that shows how noisy the
machine is.

The reference solution, the lesson's own, decides: a program may take `factor` times as long. How
many times as fast as the baseline it is, is measured once for many programs: the baseline is slow,
and says nothing that decides. A program's ratio to the baseline follows from both ratios. Without a
reference solution, the ratio to the baseline must reach the threshold of the rubric.

The median of the ratios has an exact confidence interval from order statistics, whatever their
distribution: the number of ratios under the true median is binomial(n, 1/2) (Conover, Practical
Nonparametric Statistics, section 3.2). It is computed after 11, 21, 41 and 81 turns at 99.8 %, and
decides when it lies on one side of the threshold.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import jax
import numpy as np

from autograder.criteria.speed import messages
from autograder.criteria.speed.right_results import Arrays, Draw

LOOKS = (11, 21, 41, 81)
CONFIDENCE = 0.998
MAX_NOISE = 0.2
# One timing lasts at least so many seconds, by repeating the run; longer on a noisy machine.
WINDOWS = (0.02, 0.08, 0.32)
SETTLED_SECONDS = 60.0
_MAX_REPEATS = 2000
# On a busy machine every run waits some milliseconds to be woken up. That adds to both programs
# and draws the ratio to one: where it is not quiet, runs as short as that are compared only if the
# whole interval is so many times away from the threshold.
_QUIET = 0.1
_SHORT_SECONDS = 0.005
_FAR = 2.0
_SAME_RESULT = 1e-4  # relative to the largest value

Verdict = Literal["passed", "failed", "inconclusive"]
Device = Any  # jax.Device, which type checkers see as a variable


@dataclass(frozen=True)
class TimedProgram:
    """What is timed: `run` takes arrays on `device` and returns arrays.

    `iterations` is how many steps of the algorithm one run does; times are compared per iteration.
    """

    run: Callable[..., Any]
    device: Device
    iterations: int = 1

    def time_runs(self, draw: Arrays, repeats: int = 1) -> tuple[float, list[np.ndarray]]:
        """Run it on arrays of the host; return the seconds of a run, and the results there."""
        arrays = [jax.device_put(array, self.device) for array in draw]  # new buffers each time
        jax.block_until_ready(arrays)
        out: Any = None
        begin = time.perf_counter()
        for _ in range(repeats):
            out = jax.block_until_ready(self.run(*arrays))
        seconds = (time.perf_counter() - begin) / repeats
        return seconds, [np.asarray(leaf) for leaf in jax.tree.leaves(out)]

    def results(self, draw: Arrays) -> list[np.ndarray]:
        """Run it once on arrays of the host, and return its results there."""
        return self.time_runs(draw)[1]


@dataclass(frozen=True)
class SpeedComparison:
    """The outcome of timing a program beside the reference solution and the baseline.

    What was not measured is NaN.

    Attributes:
        verdict: whether the program is fast enough.
        reason: a sentence when the verdict does not come from a ratio, else empty.
        ratio, low, high: time of the baseline over time of the program, per iteration: median and
            its 99.8 % interval. With a reference solution, `own_ratio` over `slower`.
        own_ratio: time of the baseline over time of the reference solution, the median when the
            standard was settled.
        slower, slower_low, slower_high: time of the program over that of the reference solution.
        pairs: how many turns were timed.
        noise: standard deviation of log ratios of what decides, timed against itself.
        fault: whether the machine or the rubric is to blame for the verdict.
    """

    verdict: Verdict
    reason: str = ""
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    own_ratio: float = math.nan
    slower: float = math.nan
    slower_low: float = math.nan
    slower_high: float = math.nan
    pairs: int = 0
    noise: float = math.nan
    fault: bool = False


class ChangedOutput(Exception):
    """A program gave another result than before on the same inputs."""


class _Timer:
    """Times one program, and checks that every timed run returns what the first one did."""

    def __init__(self, program: TimedProgram, draws: Sequence[Draw]) -> None:
        self.program = program
        self.draws = [draw.arrays for draw in draws]
        # Compiled code, memory pools and clocks settle in the first runs.
        self.expected = [program.results(draw) for draw in self.draws]
        self.quickest = min(program.time_runs(self.draws[0])[0] for _ in range(3))

    def time(self, draw: int, window: float) -> float:
        """Return the seconds of one iteration on a draw, the mean over `window` seconds.

        Raises:
            ChangedOutput: the result differs from that of the first run on this draw.
        """
        repeats = max(1, min(_MAX_REPEATS, math.ceil(window / max(self.quickest, 1e-9))))
        seconds, out = self.program.time_runs(self.draws[draw], repeats)
        if not all(map(_is_same, out, self.expected[draw])):
            raise ChangedOutput
        return seconds / self.program.iterations


def _is_same(now: np.ndarray, before: np.ndarray) -> bool:
    if not np.issubdtype(now.dtype, np.inexact):
        return bool(np.array_equal(now, before))
    scale = np.max(np.abs(before), where=np.isfinite(before), initial=0.0)
    return bool(np.allclose(now, before, rtol=0, atol=_SAME_RESULT * scale, equal_nan=True))


class Standard:
    """What several programs are compared with, all on the same draws.

    The noise of the machine, and the reference solution beside the baseline, are measured at once,
    and again when it was too noisy, or when the measurement is a minute old.

    Args:
        baseline: a right but slow program.
        draws: the calls.
        own: the reference solution, which decides; None where there is none.

    Attributes:
        timer: of what decides. This and what follows is there once `settle` was called.
        window: seconds that one timing lasts.
        noise, own_ratio: as in `SpeedComparison`; without a reference solution, `own_ratio` is 1.
    """

    timer: _Timer
    window: float
    noise: float

    def __init__(
        self, baseline: TimedProgram, draws: Sequence[Draw], own: TimedProgram | None = None
    ) -> None:
        self._programs = [baseline] if own is None else [baseline, own]
        self._timers: list[_Timer] = []
        self._until = -math.inf
        self.draws = draws
        self.has_own = own is not None
        self.own_ratio = 1.0

    def settle(self, rng: random.Random, end: float) -> None:
        """Measure what decides, unless this was done within the last minute.

        After `end`, as `time.monotonic` tells it, no longer timings are tried.

        Raises:
            ChangedOutput: it gave another result than before on the same inputs.
        """
        if not self._timers:
            self._timers = [_Timer(program, self.draws) for program in self._programs]
            self.timer = self._timers[-1]
        if time.monotonic() <= self._until:
            return
        self._until = -math.inf
        self.window, self.noise = _find_window(self.timer, rng, end)
        if self.noise <= MAX_NOISE:
            if self.has_own:
                turns = _time_turns(self._timers, self.window, rng)
                self.own_ratio = statistics.median(slow / own for slow, own in turns)
            self._until = time.monotonic() + SETTLED_SECONDS


class Interval(NamedTuple):
    """A confidence interval of the median of some ratios, with their sample median."""

    low: float
    median: float
    high: float


def _rank(n: int, confidence: float) -> int:
    """Return the largest k with P(Binomial(n, 1/2) < k) <= (1 - confidence) / 2."""
    tail = (1 - confidence) / 2 * 2**n
    below, k = 0, 0
    while below + math.comb(n, k) <= tail:
        below += math.comb(n, k)
        k += 1
    return k


def median_interval(ratios: Sequence[float]) -> Interval:
    """Return an exact interval that holds the true median with at least `CONFIDENCE`.

    It reaches from the k-th smallest to the k-th largest ratio. Its ends are infinite when there
    are too few ratios.
    """
    n, ordered, middle = len(ratios), sorted(ratios), statistics.median(ratios)
    k = _rank(n, CONFIDENCE)
    if k == 0:
        return Interval(-math.inf, middle, math.inf)
    return Interval(ordered[k - 1], middle, ordered[n - k])


def decide(ratios: Sequence[float], threshold: float) -> Verdict | None:
    """Return the verdict after these pairs; None when more pairs are needed.

    Args:
        ratios: time of the baseline over time of the program, one for each pair.
        threshold: the required ratio.
    """
    if len(ratios) not in LOOKS:
        return None
    interval = median_interval(ratios)
    if interval.low >= threshold:
        return "passed"
    if interval.high < threshold:
        return "failed"
    return "inconclusive" if len(ratios) == LOOKS[-1] else None


def _time_turn(
    timers: Sequence[_Timer], draw: int, window: float, rng: random.Random
) -> list[float]:
    """Return the seconds per iteration of all, which run in random order."""
    seconds = [0.0] * len(timers)
    for i in rng.sample(range(len(timers)), len(timers)):
        seconds[i] = timers[i].time(draw, window)
    return seconds


def _time_turns(timers: Sequence[_Timer], window: float, rng: random.Random) -> list[list[float]]:
    """Return as many turns as the first verdict needs; the draws are used in turn."""
    draws = [i % len(timers[0].draws) for i in range(LOOKS[0])]
    return [_time_turn(timers, draw, window, rng) for draw in draws]


def _find_window(timer: _Timer, rng: random.Random, end: float) -> tuple[float, float]:
    """Find a window that is long enough for this machine, and the noise with it."""
    window, noise = WINDOWS[0], math.inf
    for window in WINDOWS:
        pairs = _time_turns([timer, timer], window, rng)
        noise = statistics.stdev(math.log(a / b) for a, b in pairs)
        if noise <= MAX_NOISE or time.monotonic() > end:
            break
    return window, noise


def compare(
    standard: Standard,
    program: TimedProgram,
    threshold: float,
    *,
    factor: float = 3.0,
    limit_seconds: float = 60.0,
    before_program: Callable[[], None] = lambda: None,
) -> SpeedComparison:
    """Time `program` beside `standard` until it is clear whether it is fast enough.

    The draws are used in turn. What the program returns for each is judged before anything is
    timed, and each timed run must then return the same.

    Args:
        standard: what the program is compared with.
        program: what is judged.
        threshold: without a reference solution, the required ratio, time of the baseline over time
            of the program.
        factor: with a reference solution, how many times as long the program may take.
        limit_seconds: wall time after which no new turn is begun, once `LOOKS[0]` were timed.
        before_program: called once, just before `program` first runs.

    Raises:
        Unjudgeable: what the program returned cannot be judged here.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        end, rng = time.monotonic() + limit_seconds, random.Random(0)
        try:
            standard.settle(rng, end)
        except ChangedOutput:
            return SpeedComparison("inconclusive", messages.BASELINE_CHANGED)
        before_program()
        timer = _Timer(program, standard.draws)
        judged = zip(standard.draws, timer.expected, strict=True)
        wrong = next(filter(None, (draw.judge(got) for draw, got in judged)), None)
        if wrong:
            return SpeedComparison("failed", wrong, noise=standard.noise)
        if standard.noise > MAX_NOISE:
            reason = messages.NOISY.format(noise=standard.noise, limit=MAX_NOISE)
            return SpeedComparison("inconclusive", reason, noise=standard.noise)
        turns: list[list[float]] = []
        verdict: Verdict | None = None
        required = 1 / factor if standard.has_own else threshold
        # The first verdict is always waited for: a very slow program shows itself there.
        while verdict is None and (len(turns) < LOOKS[0] or time.monotonic() <= end):
            draw = len(turns) % len(standard.draws)
            turns.append(_time_turn([standard.timer, timer], draw, standard.window, rng))
            verdict = decide([other / seconds for other, seconds in turns], required)
    except ChangedOutput:
        return SpeedComparison("failed", messages.PROGRAM_CHANGED, noise=standard.noise)
    finally:
        if collecting:
            gc.enable()
    interval = median_interval([other / seconds for other, seconds in turns])
    run_seconds = statistics.median(seconds for _, seconds in turns) * program.iterations
    reason = ""
    is_far = interval.low >= _FAR * required or interval.high * _FAR < required
    if standard.noise > _QUIET and run_seconds < _SHORT_SECONDS and not is_far:
        verdict = "inconclusive"
        reason = messages.TOO_SHORT.format(seconds=run_seconds * 1e3)
    elif verdict is None:
        reason = messages.TOO_LONG.format(seconds=limit_seconds, pairs=len(turns))
    elif verdict == "inconclusive":
        low, high = interval.low, interval.high
        reason = messages.TOO_CLOSE.format(low=low, high=high, threshold=required, pairs=len(turns))
    comparison = SpeedComparison(
        verdict=verdict or "inconclusive",
        reason=reason,
        ratio=standard.own_ratio * interval.median,
        low=standard.own_ratio * interval.low,
        high=standard.own_ratio * interval.high,
        pairs=len(turns),
        noise=standard.noise,
    )
    if not standard.has_own:
        return comparison
    return replace(
        comparison,
        own_ratio=standard.own_ratio,
        slower=1 / interval.median,
        slower_low=1 / interval.high,
        slower_high=1 / interval.low,
    )
