"""Mixed quiz 3: objects that jit holds fixed, pytrees, indices out of range, and jit's key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import (
    BehaviourExercise,
    Compilations,
    Predictions,
    ProgramExercise,
)
from autograder.model.finding import AdapterError
from autograder.model.hints import read_questions
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER
from plnkit.compile_counts import compile_counts


def with_new_offsets(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """One object, asked before and after its offsets were replaced."""
    Rates = namespace["Rates"]

    def expected_before_and_after(offsets: Any, other: Any, B: Any) -> dict[str, Any]:
        rates = Rates(offsets)
        before = rates.expected(B)
        rates.offsets = other
        return {"before": before, "with_new_offsets": rates.expected(B)}

    return expected_before_and_after


def offsets(rng: np.random.Generator) -> list[tuple]:
    """Two offsets and levels, in several shapes; the levels of one come with other offsets."""

    def drawn(n: int, p: int) -> tuple:
        first, second = rng.normal(scale=0.5, size=(2, n, p)).astype(np.float32)
        return first, second, rng.normal(size=p).astype(np.float32)

    calls = [drawn(5, 4), drawn(5, 4), drawn(*LARGER), drawn(1, 1)]
    (first, _, B), equal = calls[0], np.full((5, 4), rng.normal(), np.float32)
    return [*calls, (equal, first.copy(), B.copy())]


def both_rates(offsets: np.ndarray, other: np.ndarray, B: np.ndarray) -> dict[str, Any]:
    """The rates with the first offsets, and with the second."""
    return {"before": np.exp(offsets + B), "with_new_offsets": np.exp(other + B)}


NO_PYTREE = (
    "`Gaussian` is not a pytree: to JAX an object of it is one leaf, and no array, so neither jit "
    "nor `jax.tree.map` finds its fields. Keep the class registered; only what goes wrong on the "
    "way there and back is to be repaired."
)


def as_pytree(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The expected counts, and the fields of a `Gaussian` that `jax.tree.map` has doubled."""
    Gaussian, expected_counts = namespace["Gaussian"], namespace["expected_counts"]

    def counts_and_doubled_fields(mean: Any, log_sd: Any, O: Any) -> dict[str, Any]:
        q = Gaussian(mean, log_sd)
        if jax.tree.structure(q).node_data() is None:
            raise AdapterError(NO_PYTREE, Gaussian)
        doubled = jax.tree.map(lambda leaf: 2 * leaf, q)
        fields = {"mean": doubled.mean, "log_sd": doubled.log_sd}
        return {"expected_counts": expected_counts(q, O), "by_tree_map": fields}

    return counts_and_doubled_fields


def gaussians(rng: np.random.Generator) -> list[tuple]:
    """Means, logs of standard deviations and offsets, in some shapes; one deviation for all."""

    def drawn(*shape: int) -> tuple:
        mean, log_sd, O = rng.normal(scale=0.5, size=(3, *shape)).astype(np.float32)
        return mean, log_sd - np.float32(0.5), O

    mean, log_sd, O = drawn(3, 2)
    calls = [drawn(5, 4), drawn(5, 4), (mean[0], log_sd[0, 0], O), drawn(1, 1), drawn(*LARGER)]
    first, _, O = calls[0]
    return [*calls, (first.copy(), np.full_like(first, -0.5), O.copy())]


def doubled_and_expected(mean: np.ndarray, log_sd: np.ndarray, O: np.ndarray) -> dict[str, Any]:
    """The mean of a lognormal, and both fields doubled."""
    expected_counts = np.exp(O + mean + np.exp(2 * log_sd) / 2)
    fields = {"mean": 2 * mean, "log_sd": 2 * log_sd}
    return {"expected_counts": expected_counts, "by_tree_map": fields}


def groupings(rng: np.random.Generator) -> list[tuple]:
    """Effects of groups, and the group of each site: known, below 0, and too large.

    There are more of all than the oaks have; no group is known, and all sites are of one.
    """

    def drawn(k: int, p: int, n: int) -> tuple:
        effects = rng.normal(size=(k, p)).astype(np.float32)
        groups = rng.integers(0, k, size=n + 5).astype(np.int32)
        groups[:5] = -1, k, -k, k + 7, -k - 1
        groups[5:7] = (0, k - 1)[:n]  # the first and the last that there are
        return effects, rng.permutation(groups)

    calls = [drawn(4, 3, 6), drawn(4, 3, 6), drawn(130, *LARGER[::-1]), drawn(1, 1, 1)]
    effects, groups = calls[0]
    unknown = rng.choice([-1000, -1, 4, 1000], size=groups.shape).astype(np.int32)
    return [*calls, (effects.copy(), unknown), (effects.copy(), np.full_like(groups, 2))]


def group_effects(effects: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """The row of each site's group; zeros where there is no such group."""
    zeros = np.zeros_like(effects[0])
    rows = [effects[g] if 0 <= g < len(effects) else zeros for g in groups]
    return np.stack(rows)


def compiled() -> dict[str, bool]:
    """Which of the calls compile, by making them."""

    @partial(jax.jit, static_argnames="power")
    def power_means(Y, power):
        return jnp.mean(Y**power, axis=0)

    Y = jnp.ones((6, 4))
    few, five, doubled = Y[:3], Y[:5], 2 * Y
    integers, filled = jnp.ones((6, 4), int), jnp.full((6, 4), 1.0)
    in_numpy = np.ones((6, 4), np.float32)
    jitted: Any = power_means
    jitted(Y, 2)
    jitted.lower(five, 2).compile()

    def compiles(*arguments: Any, **keywords: Any) -> bool:
        with compile_counts() as counted:
            jax.block_until_ready(jitted(*arguments, **keywords))
        return counted["compilations"] > 0

    return {
        "other_values": compiles(doubled, 2),
        "numpy": compiles(in_numpy, 2),
        "fewer_sites": compiles(few, 2),
        "by_name": compiles(Y, power=2),
        "first_again": compiles(Y, 2),
        "integers": compiles(integers, 2),
        "filled": compiles(filled, 2),
        "lowered": compiles(five, 2),
    }


rubric = Rubric(
    lesson="mixed_quiz_3",
    learned="to diagnose: stale objects, pytrees, indices, needless programs",
    minutes=30,
    quiz=True,
    tries=2,
    exercises=(
        BehaviourExercise(
            name="mixed_quiz_3_rates",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("Rates",),
            adapter=with_new_offsets,
            draws=offsets,
            reference=both_rates,
            permits=("leaked-tracer",),
            points={"outputs": 2, "purity": 1, "compilations": 1},
            compilations=Compilations(dispatches=2),
        ),
        ProgramExercise(
            name="mixed_quiz_3_gaussian",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("expected_counts", "Gaussian"),
            adapter=as_pytree,
            draws=gaussians,
            reference=doubled_and_expected,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        ProgramExercise(
            name="mixed_quiz_3_groups",
            minutes=3,
            difficulty="medium",
            importance=2,
            entry_points=("group_effects",),
            draws=groupings,
            reference=group_effects,
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
        Predictions(
            name="mixed_quiz_3_calls",
            minutes=3,
            difficulty="hard",
            importance=2,
            entry_points=("answers",),
            questions=read_questions(__file__, "mixed_quiz_3_calls"),
            answers=compiled,
            points={"outputs": 4},
        ),
    ),
)
