"""Lesson `safe_where`: log-factorials at zero counts, their gradient, and the double where."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Comparison, Compilations, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import large_table

DIGAMMA_1 = -0.5772156649
"""The slope of log y! at 0."""

STRUCTURE = "it must return one array of log-factorials, of the shape of y."
NAN_VALUE = (
    "the value is {got} at y = {y:g}. Put a harmless number such as 1 in the place of 0 before "
    "the formula, and the right value after it: two `where`s."
)
OVERFLOW = (
    "the value is {got} at y = {y:g}: something on the way there is infinite or undefined. float32 "
    "ends at 3.4e38; 35! is larger, and so is exp(89). Work with logarithms from the beginning, as "
    "Stirling's formula does: no factorial, no product, no power."
)
OVERFLOW_SLOPE = (
    "the values are right, but the gradient is {got} at y = {y:g}: something on the way back is "
    "infinite or undefined there. Work with logarithms from the beginning: no factorial, no "
    "product, no power."
)
NAN_SLOPE = (
    "the values are right, but the gradient is {got} at y = {y:g}. A `where` after the formula "
    "hides the bad value and not its slope: the gradient still goes through log(0), and "
    "0 * inf is NaN. Replace the zeros before the formula too: safe = jnp.where(y == 0, 1.0, y)."
)
ZERO = (
    "the value at y = 0 is {got:.6g}, expected 0, because 0! is 1. Replacing 0 by 1, or adding a "
    "small number, keeps the formula finite, but Stirling is not right there: a second `where` "
    "after it puts the 0 in."
)
VALUE = "at y = {y:g} the value is {got:.6g}; log y! is {exact:.6g}, by Stirling {stirling:.6g}."
SLOPE = (
    "the values are right, but the gradient at y = {y:g} is {got:.6g}; the slope of log y! is "
    "{exact:.6g}, of Stirling's formula {stirling:.6g}.{hint}"
)
NO_SLOPE = (
    " Nothing flows back through an index, an integer or `stop_gradient`: compute the result from "
    "y itself."
)
TIE = (
    " At y = 1 both arguments of `jnp.maximum(y, 1)` are equal, and each gets half of the "
    "gradient: use `jnp.where(y == 0, 1.0, y)`."
)
SLOPE_AT_ZERO = (
    "the gradient at y = 0 is {got:.6g}, expected 0 or the exact slope, -0.577. What you put in "
    "the place of zero must not depend on y: a constant has slope 0. (`jnp.maximum(y, 0)` has half "
    "a slope there, because both of its arguments are equal.)"
)


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros and ones, in several shapes; some are all zero, or all equal."""
    first, large = rng.poisson(rng.gamma(0.5, 60.0, size=9)).astype(np.float32), large_table(rng)
    first[:3] = large[0, :3] = 0.0, 1.0, 700.0
    some = first, large, np.zeros(1, np.float32), np.full(9, rng.integers(1, 90), np.float32)
    return [(y,) for y in (*some, np.asarray(rng.integers(2, 9), np.float32), first.copy())]


def compare(args: tuple, got: list[np.ndarray]) -> str | None:
    """Values and slopes at least as near to the exact ones as Stirling's; 0 at 0."""
    from scipy.special import digamma, gammaln

    y = args[0].astype(np.float64)
    if len(got) != 2 or any(leaf.shape != y.shape for leaf in got):
        return STRUCTURE
    value, slope = (leaf.astype(np.float64) for leaf in got)
    safe = np.where(y == 0, 1.0, y)
    exact, exact_slope = gammaln(y + 1), digamma(y + 1)
    stirling = np.where(y == 0, 0.0, 0.5 * np.log(2 * np.pi * safe) + safe * np.log(safe) - safe)
    stirling_slope = np.where(y == 0, 0.0, np.log(safe) + 0.5 / safe)
    for index in np.ndindex(y.shape):
        at, v = float(y[index]), float(value[index])
        near = 1e-5 * max(1.0, abs(exact[index]))
        if not np.isfinite(v):
            return (NAN_VALUE if at == 0 else OVERFLOW).format(got=v, y=at)
        if abs(v - exact[index]) > exact[index] - stirling[index] + near:
            if at == 0:
                return ZERO.format(got=v)
            return VALUE.format(y=at, got=v, exact=exact[index], stirling=stirling[index])
    for index in np.ndindex(y.shape):
        at, s = float(y[index]), float(slope[index])
        if not np.isfinite(s):
            return (NAN_SLOPE if at == 0 else OVERFLOW_SLOPE).format(got=s, y=at)
        if at == 0 and min(abs(s), abs(s - DIGAMMA_1)) > 1e-3:  # as far as the task names it
            return SLOPE_AT_ZERO.format(got=s)
        allowed = stirling_slope[index] - exact_slope[index] + 1e-5
        if at and abs(s - exact_slope[index]) > allowed:
            halves = exact_slope[index] / 2, stirling_slope[index] / 2
            tie = at == 1 and np.isclose(s, halves, atol=1e-3).any()
            hint = TIE if tie else NO_SLOPE if s == 0 else ""
            shown = {"exact": exact_slope[index], "stirling": stirling_slope[index], "hint": hint}
            return SLOPE.format(y=at, got=s, **shown)
    return None


rubric = Rubric(
    lesson="safe_where",
    learned="zero counts: NaN gradients, the double where; jit against eager and NumPy",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="safe_where",
            minutes=7,
            difficulty="medium",
            importance=2,
            entry_points=("log_factorial",),
            draws=draws,
            jaxpr=True,
            gradient=0,
            points={"outputs": 5, "purity": 1, "compilations": 2},
            reference=Comparison(compare),
            compilations=Compilations(one_function=True),
        ),
    ),
)
