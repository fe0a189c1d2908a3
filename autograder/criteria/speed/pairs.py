"""Time two compiled programs in shuffled, interleaved pairs, and compare them.

Load on the machine comes and goes over seconds, so it hits both halves of a pair about equally
and leaves their ratio alone. A program that is timed against itself first tells how noisy the
machine is.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.criteria.speed import messages
from autograder.criteria.speed.sequential import LOOKS, Verdict, decide, median_interval

MAX_NOISE = 0.2
# One timing lasts at least so long, by repeating the run; longer where the machine is noisy.
WINDOWS = (0.02, 0.08, 0.32)
SETTLED_SECONDS = 60.0
_MAX_REPEATS = 2000
# On a busy machine every run waits some milliseconds to be woken up. That adds to both programs
# and draws the ratio to one: runs as short as that can be compared only where it is quiet.
_QUIET = 0.1
_SHORT_SECONDS = 0.005
_TOLERANCE = 1e-4

Arrays = Sequence[np.ndarray]
Device = Any  # jax.Device, which type checkers see as a variable


@dataclass(frozen=True)
class Runner:
    """A compiled program: `run` takes arrays on `device` and returns arrays.

    `iterations` is how many steps of the algorithm one run does; times are compared per iteration.
    """

    run: Callable[..., Any]
    device: Device
    iterations: int = 1


@dataclass(frozen=True)
class Comparison:
    """Outcome of timing a program against the baseline.

    Attributes:
        verdict: on the threshold.
        reason: a sentence when the verdict does not come from the ratio, else empty.
        ratio, low, high: time of the baseline over time of the program, per iteration: median and
            its 99.8 % interval; NaN when nothing was compared.
        pairs: pairs timed.
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
    """Times one runner; remembers what it returned for each draw to verify every timed run."""

    def __init__(self, runner: Runner, draws: Sequence[Arrays]) -> None:
        self.runner = runner
        self.draws = draws
        # Compiled code, memory pools and clocks settle in the first runs.
        self.expected = [self._once(draw)[1] for draw in draws]
        self.quickest = min(self._once(draws[0])[0] for _ in range(3))

    def _once(self, draw: Arrays, repeats: int = 1) -> tuple[float, list[np.ndarray]]:
        runner = self.runner
        arrays = [jax.device_put(array, runner.device) for array in draw]  # new buffers each time
        jax.block_until_ready(arrays)
        out: Any = None
        begin = time.perf_counter()
        for _ in range(repeats):
            out = jax.block_until_ready(runner.run(*arrays))
        seconds = (time.perf_counter() - begin) / repeats
        return seconds, [np.asarray(leaf) for leaf in jax.tree.leaves(out)]

    def __call__(self, draw: int, window: float) -> float:
        """Seconds of one iteration on a draw, the mean over `window` seconds or one run.

        Raises:
            ChangedOutput: the result differs from that of the first run on this draw.
        """
        repeats = max(1, min(_MAX_REPEATS, math.ceil(window / max(self.quickest, 1e-9))))
        seconds, out = self._once(self.draws[draw], repeats)
        if not all(map(_same, out, self.expected[draw])):
            raise ChangedOutput
        return seconds / self.runner.iterations


def _same(now: np.ndarray, before: np.ndarray) -> bool:
    if not np.issubdtype(now.dtype, np.inexact):
        return bool(np.array_equal(now, before))
    finite = np.abs(before[np.isfinite(before)])
    scale = float(finite.max()) if finite.size else 0.0
    return bool(np.allclose(now, before, rtol=0, atol=_TOLERANCE * scale, equal_nan=True))


class Baseline:
    """A baseline that several programs may be compared with.

    How noisy the machine is with it is looked at once, and again when that is a minute old or was
    too noisy.
    """

    def __init__(self, runner: Runner, draws: Sequence[Arrays]) -> None:
        self._runner, self._draws = runner, draws
        self._timer: _Timer | None = None
        self._window, self._noise, self._until = WINDOWS[0], math.inf, -math.inf

    def settled(self, rng: random.Random) -> tuple[_Timer, float, float]:
        """Its timer, how long one timing lasts (seconds), and the noise.

        Raises:
            ChangedOutput: it gave another result than before on the same inputs.
        """
        if self._timer is None:
            self._timer = _Timer(self._runner, self._draws)
        if time.monotonic() > self._until:
            self._window, self._noise = _settle(self._timer, rng)
            quiet = self._noise <= MAX_NOISE
            self._until = time.monotonic() + SETTLED_SECONDS if quiet else -math.inf
        return self._timer, self._window, self._noise


def _pair(
    first: _Timer, second: _Timer, draw: int, window: float, rng: random.Random
) -> tuple[float, float]:
    """Seconds per iteration of both, run in random order."""
    if rng.random() < 0.5:
        a = first(draw, window)
        return a, second(draw, window)
    b = second(draw, window)
    return first(draw, window), b


def _settle(baseline: _Timer, rng: random.Random) -> tuple[float, float]:
    """A window that is long enough for this machine, and the noise with it."""
    noise = math.inf
    for window in WINDOWS:
        pairs = [
            _pair(baseline, baseline, i % len(baseline.draws), window, rng) for i in range(LOOKS[0])
        ]
        noise = statistics.stdev(math.log(a / b) for a, b in pairs)
        if noise <= MAX_NOISE:
            return window, noise
    return WINDOWS[-1], noise


def compare(
    baseline: Runner | Baseline,
    program: Runner,
    draws: Sequence[Arrays],
    threshold: float,
    *,
    seed: int = 0,
    limit_seconds: float = 60.0,
    before_program: Callable[[], None] = lambda: None,
) -> Comparison:
    """Time `program` against `baseline` until the ratio is clear of the threshold.

    Args:
        baseline: what the program is measured against; a `Baseline` where other programs are, too,
            on the same draws.
        program: what is judged.
        draws: inputs, used in turn; each a sequence of NumPy arrays as the programs take them.
        threshold: the ratio, time of the baseline over time of the program, to be reached.
        seed: of the order in which the two of a pair run.
        limit_seconds: wall time after which no new pair is begun, once the first look was had.
        before_program: called once, just before `program` first runs.
    """
    end = time.monotonic() + limit_seconds
    rng = random.Random(seed)
    collecting = gc.isenabled()
    gc.disable()
    try:
        shared = Baseline(baseline, draws) if isinstance(baseline, Runner) else baseline
        try:
            slow, window, noise = shared.settled(rng)
        except ChangedOutput:
            return Comparison("inconclusive", messages.BASELINE_CHANGED)
        if noise > MAX_NOISE:
            reason = messages.NOISY.format(noise=noise, limit=MAX_NOISE)
            return Comparison("inconclusive", reason, noise=noise)
        before_program()
        times: list[tuple[float, float]] = []
        try:
            fast = _Timer(program, draws)
            verdict = None
            while verdict is None:
                times.append(_pair(slow, fast, len(times) % len(draws), window, rng))
                verdict = decide([a / b for a, b in times], threshold)
                # The first look is always waited for: a very slow program shows itself there.
                if verdict is None and len(times) >= LOOKS[0] and time.monotonic() > end:
                    break
        except ChangedOutput:
            return Comparison("failed", messages.PROGRAM_CHANGED, noise=noise)
    finally:
        if collecting:
            gc.enable()
    interval = median_interval([a / b for a, b in times])
    program_seconds = statistics.median(b for _, b in times)
    reason = ""
    if noise > _QUIET and program_seconds * program.iterations < _SHORT_SECONDS:
        verdict = "inconclusive"
        reason = messages.TOO_SHORT.format(seconds=program_seconds * program.iterations * 1e3)
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
