"""Mixed quiz 1: settings, branches on data, what tracing leaves behind, and stopwatches."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from autograder.model.exercise import Predictions, ProgramExercise
from autograder.model.hints import read_questions
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER
from autograder.rubrics._quiz import large, table


def efforts(rng: np.random.Generator) -> list[tuple]:
    """Tables of three shapes, both schemes, some of them twice, and one table with both."""
    first, many = table(rng, 5, 4), large(rng)
    return [
        (first, "total"),
        (first.copy(), "largest"),
        (np.full((5, 4), rng.integers(1, 90), np.float32), "total"),
        (many, "largest"),
        (table(rng, 1, 1), "total"),
        (many.copy(), "total"),
    ]


def log_effort(counts: np.ndarray, scheme: str) -> np.ndarray:
    """The log of the total, or of the largest count, of each site."""
    return np.log(counts.sum(axis=1) if scheme == "total" else counts.max(axis=1))


def steps(rng: np.random.Generator) -> list[tuple]:
    """Steps of several shapes, longer and shorter than what is allowed; one of zeros, one tiny."""

    def step(length: float, *shape: int) -> np.ndarray:
        direction = rng.normal(size=shape)
        return (length * direction / np.linalg.norm(direction)).astype(np.float32)

    def longest() -> np.ndarray:
        return np.asarray(rng.uniform(0.5, 2.0), np.float32)

    first = step(5.0, 4, 3)
    drawn = [first, step(0.2, 4, 3), first.copy(), np.zeros((4, 3), np.float32)]
    drawn += [step(0.3, 6), step(4.0, *LARGER), step(9.0, 1, 1, 1)]
    small = step(3e-3, 6), np.asarray(rng.uniform(1e-3, 2e-3), np.float32)
    return [*((each, longest()) for each in drawn), small]


def shorten(step: np.ndarray, longest: np.ndarray) -> np.ndarray:
    """The step, at most `longest` long."""
    length = np.sqrt(np.sum(step**2))
    return longest / length * step if length > longest else step


def tables(rng: np.random.Generator) -> list[tuple]:
    """Tables of other totals, in three shapes; the first shape comes again, and the first table."""
    tables = table(rng, 5, 4), table(rng, 5, 4), large(rng), table(rng, 1, 2)
    drawn = [each * np.float32(rng.integers(1, 9)) for each in tables]
    equal = np.full((5, 4), rng.integers(1, 90), np.float32)
    return [(each,) for each in (*drawn, equal, drawn[0].copy())]


def rescale(counts: np.ndarray) -> np.ndarray:
    """Each site with the mean total of the table."""
    totals = counts.sum(axis=1, keepdims=True)
    return counts / totals * totals.mean()


class Clock:
    """Stands for `time`: it advances only when something is done."""

    now = 0.0

    def perf_counter(self) -> float:
        """Return the seconds that have passed."""
        return self.now


class Result:
    """An array that is ready at a time."""

    def __init__(self, clock: Clock, ready: float) -> None:
        self._clock, self._ready = clock, ready

    def block_until_ready(self) -> Result:
        """Let the clock advance to when the array is ready."""
        self._clock.now = max(self._clock.now, self._ready)
        return self


class Jitted:
    """Stands for a jitted function: compiles in 100 s, starts a run in 1 s, and runs for 10 s."""

    def __init__(self, clock: Clock) -> None:
        self._clock, self._compiled, self._free = clock, False, 0.0

    def __call__(self, x: Any) -> Any:
        if isinstance(x, Tracer) or not self._compiled:
            self._clock.now += 100
        if isinstance(x, Tracer):
            return x
        self._compiled = True
        self._clock.now += 1
        self._free = max(self._free, self._clock.now) + 9
        return Result(self._clock, self._free)


def measured() -> dict[str, str]:
    """What each stopwatch measures, by running it on a clock of our own."""
    time = Clock()

    def watch_a(function, x):
        function(x)
        start = time.perf_counter()
        jax.block_until_ready(function(x))
        return time.perf_counter() - start

    def watch_b(function, x):
        jax.block_until_ready(function(x))
        start = time.perf_counter()
        result = function(x)
        seconds = time.perf_counter() - start
        jax.block_until_ready(result)
        return seconds

    def watch_c(function, x):
        jitted = jax.jit(lambda x: function(x))
        start = time.perf_counter()
        jax.block_until_ready(jitted(x))
        return time.perf_counter() - start

    def watch_d(function, x):
        result = jax.block_until_ready(function(x))
        start = time.perf_counter()
        result = function(x)
        jax.block_until_ready(result)
        return time.perf_counter() - start

    most = {"start": 2, "one run": 12, "two runs": 22, "compiling": 999}

    def word(watch: Any) -> str:
        seconds = watch(Jitted(time), jnp.ones(3))
        return next(word for word, limit in most.items() if seconds <= limit)

    return {watch.__name__: word(watch) for watch in (watch_a, watch_b, watch_c, watch_d)}


rubric = Rubric(
    lesson="mixed_quiz_1",
    learned="to diagnose: which of the ideas so far is behind it?",
    minutes=20,
    quiz=True,
    exercises=(
        ProgramExercise(
            name="mixed_quiz_1_effort",
            minutes=4,
            difficulty="easy",
            entry_points=("log_effort",),
            draws=efforts,
            reference=log_effort,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_1_shorten",
            minutes=4,
            difficulty="easy",
            entry_points=("shorten",),
            draws=steps,
            reference=shorten,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_1_rescale",
            minutes=5,
            difficulty="medium",
            entry_points=("rescale",),
            draws=tables,
            reference=rescale,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        Predictions(
            name="mixed_quiz_1_watches",
            minutes=5,
            difficulty="medium",
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_1_watches"),
            answers=measured,
            points={"outputs": 4},
        ),
    ),
)
