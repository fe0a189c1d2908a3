"""Lesson `recompile_hunt`: weak types, Python numbers, call forms, new functions, new shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from autograder.model.exercise import BehaviourExercise, Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import large_table, sparse_counts

BUCKETS = 2
"""Programs that all lengths up to 128 may compile, at most."""


def annealing(rng: np.random.Generator) -> list[tuple]:
    """Counts in two shapes; rates that are integers here and floats there.

    A rate of 1 makes those before it irrelevant, so some calls have none. One call has integers
    alone. One has four, and one of them twice; one has a single rate. Counts come twice, are all
    equal, and more than the oaks have.
    """
    first, equal = sparse_counts(rng, 5, 4), np.full((5, 4), rng.integers(1, 9), np.float32)
    return [
        (first, (1, 0.5, 0.25)),
        (equal, (0.75, 0.5, 0.2)),
        (sparse_counts(rng, 5, 4), (0.3, 0.6, 0.4)),
        (sparse_counts(rng, 5, 4), (1, 1, 1)),
        (first.copy(), (0.9, 0.3, 1)),
        (sparse_counts(rng, 1, 3), (0.5, 0.5, 0.25, 0.125)),
        (large_table(rng), (0.7,)),
    ]


def anneal(counts: np.ndarray, rates: tuple[float, ...]) -> np.ndarray:
    """Damped steps from 0 towards the log of one plus the mean counts, centred."""
    means = np.zeros(counts.shape[1], counts.dtype)
    for rate in rates:
        means = means + rate * (np.log1p(np.mean(counts, axis=0)) - means)
    return means - np.mean(means)


def samples(rng: np.random.Generator) -> list[tuple]:
    """Counts of many lengths, among them 1, both bucket sizes; zeros only, and much alike.

    In one sample, a taxon dominates. One sample comes twice.
    """
    lengths = [17, 40, 1, 2, 63, 64, 65, 90, 114, 128]
    drawn = [sparse_counts(rng, length) for length in lengths]
    drawn[1][1] = rng.integers(3_000, 9_000)
    drawn += [sparse_counts(rng, 17), drawn[0].copy()]
    alike = rng.integers(100, 120) + np.arange(4)
    return [(counts.astype(np.float32),) for counts in (*drawn, np.zeros(5), alike)]


def abundance_summary(counts: np.ndarray) -> tuple[Any, Any]:
    """Mean and standard deviation of the logs of one plus the counts."""
    logs = np.log1p(counts)
    return np.mean(logs), np.std(logs)


PADDED_MEAN = (
    "The mean of {n} counts is {got:.4g}, expected {right:.4g}: their sum was divided by {size}, "
    "so the padding is counted in. Divide by the true length, or pass `where=present` to "
    "`jnp.mean`."
)
PADDED_STD = (
    "The mean of {n} counts is right, their standard deviation is {got:.4g}, expected {right:.4g}: "
    "the padding's own deviations from the mean are counted in. Mask the squared deviations too: "
    "`jnp.where(present, (logs - mean) ** 2, 0)`."
)
ZEROS_LOST = (
    "The mean of {n} counts is {got:.4g}, expected {right:.4g}: that is the mean of those which "
    "are not zero. Zeros are counts too: mask by position, `jnp.arange(padded.size) < length`."
)


def padded() -> np.ndarray:
    """Counts of a length that is no bucket's."""
    return sparse_counts(np.random.default_rng(1), 17)


def probe(namespace: Mapping[str, Any]) -> Iterable[list[float]]:
    """Yield the mean and the standard deviation; nothing where the call fails."""
    try:
        mean, std = (float(x) for x in namespace["abundance_summary"](padded()))
    except Exception:  # the other calls say so
        return
    yield [mean, std]


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """Recognize the usual ways in which padding, or the mask, gets into the results."""
    if not seen:
        return {}
    (got_mean, got_std), counts = seen[0], padded()
    logs = np.log1p(counts)
    mean, std = map(float, abundance_summary(counts))

    def near(got: float, value: float) -> bool:
        return abs(got - value) < 1e-4 * abs(value)

    def wrong(text: str, got: float, right: float, size: int = 0) -> dict[str, str]:
        return {"outputs": text.format(n=len(counts), got=got, right=right, size=size)}

    for size in (32, 64, 128):
        if near(got_mean, logs.sum() / size):
            return wrong(PADDED_MEAN, got_mean, mean, size)
        squares = np.sum((logs - mean) ** 2) + (size - len(counts)) * mean**2
        usual = (squares / len(counts), squares / size)
        if near(got_mean, mean) and any(near(got_std, value**0.5) for value in usual):
            return wrong(PADDED_STD, got_std, std)
    if near(got_mean, logs[counts > 0].mean()):
        return wrong(ZEROS_LOST, got_mean, mean)
    return {}


rubric = Rubric(
    lesson="recompile_hunt",
    learned="what is in jit's key; padding and masks",
    minutes=40,
    exercises=(
        ProgramExercise(
            name="recompile_hunt_calls",
            minutes=5,
            difficulty="medium",
            importance=3,
            entry_points=("anneal",),
            draws=annealing,
            reference=anneal,
            scales={"": 6.0},  # the log of one plus the oaks' largest mean
            points={"outputs": 1, "purity": 1, "compilations": 3},
            compilations=Compilations(programs=4, dispatches=7, budget=12, each_once=True),
        ),
        BehaviourExercise(
            name="recompile_hunt",
            minutes=8,
            difficulty="medium",
            importance=2,
            entry_points=("abundance_summary",),
            draws=samples,
            reference=abundance_summary,
            probe=probe,
            decide=decide,
            points={"outputs": 3, "purity": 1, "compilations": 3},
            compilations=Compilations(budget=BUCKETS),
        ),
    ),
)
