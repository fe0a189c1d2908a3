"""Times two compiled programs in shuffled, interleaved pairs, and decides whether one is faster.

Load on the machine comes and goes over seconds. It hits both halves of a pair about equally and
leaves their ratio alone. The baseline is timed against itself first: that shows how noisy the
machine is.

The median of the ratios has an exact confidence interval from order statistics, whatever their
distribution: the number of ratios under the true median is binomial(n, 1/2) (Conover, Practical
Nonparametric Statistics, section 3.2). It is computed after 11, 21, 41 and 81 pairs at 99.8 %, and
decides when it lies on one side of the threshold.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import jax
import numpy as np

from autograder.criteria.speed import messages

LOOKS = (11, 21, 41, 81)
CONFIDENCE = 0.998
MAX_NOISE = 0.2
# One timing lasts at least so many seconds, by repeating the run; longer on a noisy machine.
WINDOWS = (0.02, 0.08, 0.32)
SETTLED_SECONDS = 60.0
_MAX_REPEATS = 2000
# On a busy machine every run waits some milliseconds to be woken up. That adds to both programs
# and draws the ratio to one: runs as short as that can be compared only where it is quiet.
_QUIET = 0.1
_SHORT_SECONDS = 0.005
_SAME_RESULT = 1e-4  # relative to the largest value

Verdict = Literal["passed", "failed", "inconclusive"]
Arrays = Sequence[np.ndarray]
Device = Any  # jax.Device, which type checkers see as a variable


@dataclass(frozen=True)
class Runner:
    """What is timed: `run` takes arrays on `device` and returns arrays.

    `iterations` is how many steps of the algorithm one run does; times are compared per iteration.
    """

    run: Callable[..., Any]
    device: Device
    iterations: int = 1


@dataclass(frozen=True)
class Comparison:
    """The outcome of timing a program against the baseline.

    Attributes:
        verdict: whether the ratio reaches the threshold.
        reason: a sentence when the verdict does not come from the ratio, else empty.
        ratio, low, high: time of the baseline over time of the program, per iteration: median and
            its 99.8 % interval; NaN when nothing was compared.
        pairs: how many were timed.
        noise: standard deviation of log ratios of the baseline timed against itself.
        baseline_seconds, program_seconds: median time of one iteration.
    """

    verdict: Verdict
    reason: str = ""
    ratio: float = math.nan
    low: float = math.nan
    high: float = math.nan
    pairs: int = 0
    noise: float = math.nan
    baseline_seconds: float = math.nan
    program_seconds: float = math.nan


class ChangedOutput(Exception):
    """A program gave another result than before on the same inputs."""


class _Timer:
    """Times one runner, and checks that every timed run returns what the first one did."""

    def __init__(self, runner: Runner, draws: Sequence[Arrays]) -> None:
        self.runner = runner
        self.draws = draws
        # Compiled code, memory pools and clocks settle in the first runs.
        self.expected = [self._run(draw)[1] for draw in draws]
        self.quickest = min(self._run(draws[0])[0] for _ in range(3))

    def _run(self, draw: Arrays, repeats: int = 1) -> tuple[float, list[np.ndarray]]:
        runner = self.runner
        arrays = [jax.device_put(array, runner.device) for array in draw]  # new buffers each time
        jax.block_until_ready(arrays)
        out: Any = None
        begin = time.perf_counter()
        for _ in range(repeats):
            out = jax.block_until_ready(runner.run(*arrays))
        seconds = (time.perf_counter() - begin) / repeats
        return seconds, [np.asarray(leaf) for leaf in jax.tree.leaves(out)]

    def time(self, draw: int, window: float) -> float:
        """Return the seconds of one iteration on a draw, the mean over `window` seconds.

        Raises:
            ChangedOutput: the result differs from that of the first run on this draw.
        """
        repeats = max(1, min(_MAX_REPEATS, math.ceil(window / max(self.quickest, 1e-9))))
        seconds, out = self._run(self.draws[draw], repeats)
        if not all(map(_is_same, out, self.expected[draw])):
            raise ChangedOutput
        return seconds / self.runner.iterations


def _is_same(now: np.ndarray, before: np.ndarray) -> bool:
    if not np.issubdtype(now.dtype, np.inexact):
        return bool(np.array_equal(now, before))
    scale = np.max(np.abs(before), where=np.isfinite(before), initial=0.0)
    return bool(np.allclose(now, before, rtol=0, atol=_SAME_RESULT * scale, equal_nan=True))


class Baseline:
    """A baseline that several programs are compared with.

    The noise of the machine is measured at once, and again when it was too noisy, or when the
    measurement is a minute old.
    """

    def __init__(self, runner: Runner, draws: Sequence[Arrays]) -> None:
        self._runner, self._draws = runner, draws
        self._timer: _Timer | None = None
        self._window, self._noise, self._until = WINDOWS[0], math.inf, -math.inf

    def settle(self, rng: random.Random) -> tuple[_Timer, float, float]:
        """Return its timer, how long one timing lasts (seconds), and the noise.

        Raises:
            ChangedOutput: it gave another result than before on the same inputs.
        """
        if self._timer is None:
            self._timer = _Timer(self._runner, self._draws)
        if time.monotonic() > self._until:
            self._window, self._noise = _find_window(self._timer, rng)
            quiet = self._noise <= MAX_NOISE
            self._until = time.monotonic() + SETTLED_SECONDS if quiet else -math.inf
        return self._timer, self._window, self._noise


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


def _time_pair(
    first: _Timer, second: _Timer, draw: int, window: float, rng: random.Random
) -> tuple[float, float]:
    """Return the seconds per iteration of both, which run in random order."""
    if rng.random() < 0.5:
        a = first.time(draw, window)
        return a, second.time(draw, window)
    b = second.time(draw, window)
    return first.time(draw, window), b


def _find_window(baseline: _Timer, rng: random.Random) -> tuple[float, float]:
    """Find a window that is long enough for this machine, and the noise with it."""
    noise = math.inf
    for window in WINDOWS:
        draws = [i % len(baseline.draws) for i in range(LOOKS[0])]
        pairs = [_time_pair(baseline, baseline, draw, window, rng) for draw in draws]
        noise = statistics.stdev(math.log(a / b) for a, b in pairs)
        if noise <= MAX_NOISE:
            return window, noise
    return WINDOWS[-1], noise


def compare(
    baseline: Baseline,
    program: Runner,
    draws: Sequence[Arrays],
    threshold: float,
    *,
    limit_seconds: float = 60.0,
    before_program: Callable[[], None] = lambda: None,
) -> Comparison:
    """Time `program` against `baseline` until the ratio is clear of the threshold.

    Args:
        baseline: what the program is compared with, on the same draws.
        program: what is judged.
        draws: inputs, used in turn; each a sequence of NumPy arrays as the programs take them.
        threshold: the required ratio, time of the baseline over time of the program.
        limit_seconds: wall time after which no new pair is begun, once `LOOKS[0]` were timed.
        before_program: called once, just before `program` first runs.
    """
    end = time.monotonic() + limit_seconds
    rng = random.Random(0)
    times: list[tuple[float, float]] = []
    verdict: Verdict | None = None
    collecting = gc.isenabled()
    gc.disable()
    try:
        try:
            slow, window, noise = baseline.settle(rng)
        except ChangedOutput:
            return Comparison("inconclusive", messages.BASELINE_CHANGED)
        if noise > MAX_NOISE:
            reason = messages.NOISY.format(noise=noise, limit=MAX_NOISE)
            return Comparison("inconclusive", reason, noise=noise)
        before_program()
        try:
            fast = _Timer(program, draws)
            # The first verdict is always waited for: a very slow program shows itself there.
            while verdict is None and (len(times) < LOOKS[0] or time.monotonic() <= end):
                times.append(_time_pair(slow, fast, len(times) % len(draws), window, rng))
                verdict = decide([a / b for a, b in times], threshold)
        except ChangedOutput:
            return Comparison("failed", messages.PROGRAM_CHANGED, noise=noise)
    finally:
        if collecting:
            gc.enable()
    interval = median_interval([a / b for a, b in times])
    program_seconds = statistics.median(b for _, b in times)
    run_seconds = program_seconds * program.iterations
    reason = ""
    if noise > _QUIET and run_seconds < _SHORT_SECONDS:
        verdict = "inconclusive"
        reason = messages.TOO_SHORT.format(seconds=run_seconds * 1e3)
    elif verdict is None:
        reason = messages.TOO_LONG.format(seconds=limit_seconds, pairs=len(times))
    elif verdict == "inconclusive":
        reason = messages.TOO_CLOSE.format(
            low=interval.low, high=interval.high, threshold=threshold, pairs=len(times)
        )
    return Comparison(
        verdict=verdict or "inconclusive",
        reason=reason,
        ratio=interval.median,
        low=interval.low,
        high=interval.high,
        pairs=len(times),
        noise=noise,
        baseline_seconds=statistics.median(a for a, _ in times),
        program_seconds=program_seconds,
    )
