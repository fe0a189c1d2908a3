"""Lesson `debugging`: an index out of range and a NaN in a loop reach the caller as errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import BehaviourExercise, Compilations
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.rubrics._draws import LARGER
from autograder.rubrics._probes import error_of


def _outcome(function: Callable[..., Any], arguments: tuple) -> dict[str, Any]:
    """What a call comes to: the error that it raises, or none."""
    error = error_of(function, *map(jax.numpy.asarray, arguments))
    if error is None:
        return {"raised": False}
    text = str(error)
    if len(text) > 900:  # that of an error in a callback is at the end of a traceback
        text = f"{text[:450]}\n{text[-450:]}"
    return {"raised": True, "type": type(error).__name__, "text": text}


def _decide(
    seen: Sequence[Any], cases: Mapping[str, str], says: str, texts: tuple[str, str]
) -> dict[str, str]:
    """Whether each bad call raised an error that says what is wrong.

    The first outcome is a good call's. Where that fails, nothing is known of the others.
    """
    silent, wordless = texts
    if not seen or seen[0]["raised"]:
        return {}
    for (case, pattern), outcome in zip(cases.items(), seen[1:], strict=False):
        if not outcome["raised"]:
            return {"outputs": silent.format(case=case)}
        if not re.search(f"{says}|{pattern}", outcome["text"], re.IGNORECASE):
            error = f"{outcome['type']}: {outcome['text']}".splitlines()[0][:200]
            return {"outputs": wordless.format(case=case, got=error)}
    return {}


def lookups(rng: np.random.Generator) -> list[tuple]:
    """Coefficients, groups that have a row in any order, and offsets; one row among them.

    In one, no leaf belongs to the last row. One is larger than the oaks; in one, all leaves belong
    to one row, and the offsets come again.
    """

    def data(rows: int, n: int, p: int, used: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        B = rng.normal(size=(rows, p)).astype(np.float32)
        O = rng.normal(scale=0.3, size=(n, p)).astype(np.float32)
        return B, rng.permutation(np.arange(n, dtype=np.int32) % used), O

    calls = [data(3, 7, 4, 3), data(3, 7, 4, 3), data(5, 6, 2, 4), data(1, 2, 3, 1)]
    (B, group, O), large = calls[0], data(9, *LARGER, 9)
    return [*calls, large, (B[::-1].copy(), np.full_like(group, 1), O.copy())]


def log_means(B: np.ndarray, group: np.ndarray, O: np.ndarray) -> np.ndarray:
    """The log of the expected count of each taxon on each leaf."""
    return O + B[group]


OUTSIDE = (3, 4, 17, -1, -3, 150, -150)
"""Groups that three rows do not have, although Python's own lists would have -1 and -3."""


def probe_groups(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Call with right groups, with one group that has no row, and with all numbered from 1."""
    B, group, O = lookups(np.random.default_rng(PUBLIC_KEY))[0]
    yield _outcome(namespace["log_means"], (B, group, O))
    for at, outside in enumerate(OUTSIDE):
        wrong = group.copy()
        wrong[at] = outside
        yield _outcome(namespace["log_means"], (B, wrong, O))
    yield _outcome(namespace["log_means"], (B, group + 1, O))


CLAMPED = (
    "`log_means` returned a result for {case}: nobody learns that it is wrong. JAX reads the "
    "last row for an index that is too large, and counts a negative one from the end. Check the "
    "groups, 0 <= group < len(B), and raise outside of jit: with `checkify.check` in the jitted "
    "function and `error.throw()` after it, or in NumPy before it."
)
NO_WORDS_FOR_GROUPS = (
    "for {case}, the error is `{got}`. Whoever reads it must understand what is wrong: say that a "
    "group or an index is out of range, or which one it is."
)


def decide_groups(seen: Sequence[Any]) -> dict[str, str]:
    """Every group without a row must raise."""
    cases = {
        f"group {outside}, where B has 3 rows": rf"(?<!\d){outside}(?!\d)" for outside in OUTSIDE
    }
    cases["groups numbered from 1, where B has 3 rows"] = r"(?<!\d)3(?!\d)"
    says = r"group|index|indices|indexing|range|bound|negative|row"
    return _decide(seen, cases, says, (CLAMPED, NO_WORDS_FOR_GROUPS))


def fits(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, offsets, and a rate, which is data; one leaf, one taxon among them.

    One is larger than the oaks; the offsets of the first come with equal counts.
    """

    def data(n: int, p: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        offsets = rng.normal(scale=0.3, size=(n, p))
        counts = rng.poisson(2.0 * np.exp(offsets))
        counts[0, 0] = 0
        rate = np.asarray(rng.uniform(0.05, 0.2), np.float32)
        return counts.astype(np.float32), offsets.astype(np.float32), rate

    calls = [data(12, 4), data(12, 4), data(21, 1), data(1, 3), data(*LARGER)]
    Y, O, _ = calls[0]
    return [*calls, (np.full_like(Y, 2), O.copy(), np.asarray(0.3, np.float32))]


def fit(Y: np.ndarray, O: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One step of gradient descent on the Poisson loss for each site; the mean loss."""
    b, losses = np.zeros_like(Y[0]), []
    for y, o in zip(Y, O, strict=True):
        losses.append((np.exp(o + b) - y * (o + b)).mean())
        b = b - rate * (np.exp(o + b) - y) / y.dtype.type(len(y))
    return b, np.mean(losses, dtype=Y.dtype)


AT = (7, 0, 11)
"""The sites that are spoilt: in the middle, the first and the last of twelve."""


def _spoilt() -> list[tuple[str, str, tuple]]:
    """Calls that meet a NaN: what is wrong, words that say so, and the arguments."""
    Y, O, rate = fits(np.random.default_rng(PUBLIC_KEY))[0]
    calls = []
    for site in AT:
        counts, offsets = Y.copy(), O.copy()
        counts[site], offsets[site] = 0, -np.inf
        words = rf"(?<!\d){site}(?!\d)"
        calls.append((f"site {site} without reads", words, (counts, offsets, rate)))
        counts = Y.copy()
        counts[site, 1] = np.nan
        calls.append((f"a missing count at site {site}", words, (counts, O, rate)))
    for rate, many in ((1000, 300), (0.5, 3000)):
        counts = Y.copy()
        counts[2] = many
        words = r"rate|large|\d"  # where a fit diverges, rounding decides at which site it is NaN
        case = f"counts of {many} and a rate of {rate}"
        calls.append((case, words, (counts, O, np.float32(rate))))
    return calls


def probe_nans(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Call with good data, and then with what makes a loss NaN: at several sites, or the rate."""
    yield _outcome(namespace["fit"], fits(np.random.default_rng(PUBLIC_KEY))[0])
    for _, _, arguments in _spoilt():
        yield _outcome(namespace["fit"], arguments)


SILENT = (
    "`fit` returned a result for {case}, with a NaN among the losses: nobody learns that it is "
    "wrong. Check each loss, or all of them after the scan, and raise outside of jit: with "
    "`checkify.check` in the jitted function and `error.throw()` after it, or with a plain `if` on "
    "what the jitted function returned."
)
NO_WORDS_FOR_NAN = (
    "for {case}, the error is `{got}`. Whoever reads it must understand what is wrong: say that a "
    "loss is NaN, or at which site."
)


def decide_nans(seen: Sequence[Any]) -> dict[str, str]:
    """Every NaN must raise."""
    cases = {case: pattern for case, pattern, _ in _spoilt()}
    says = (
        r"nan|inf|finite|invalid|diverg|overflow|not a number|division|missing|reads|depth|offset"
    )
    return _decide(seen, cases, says, (SILENT, NO_WORDS_FOR_NAN))


rubric = Rubric(
    lesson="debugging",
    track="At work",
    learned="indices out of range, NaN in a loop; debug.print, debug_nans, checkify, mode='fill'",
    minutes=40,
    exercises=(
        BehaviourExercise(
            name="debugging",
            minutes=6,
            difficulty="medium",
            importance=2,
            entry_points=("log_means",),
            draws=lookups,
            reference=log_means,
            probe=probe_groups,
            decide=decide_groups,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            compilations=Compilations(one_program=False, programs=2, dispatches=3),
        ),
        BehaviourExercise(
            name="debugging_nan",
            minutes=6,
            difficulty="medium",
            importance=2,
            entry_points=("fit",),
            draws=fits,
            reference=fit,
            probe=probe_nans,
            decide=decide_nans,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            compilations=Compilations(one_program=False, programs=2, dispatches=3),
        ),
    ),
)
