"""Lesson `early_stop`: while_loop with a reachable tolerance, a limit, and an honest flag."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Comparison, Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER

ENOUGH = 80
"""Newton steps after which nothing changes any more, in float64."""

LIMIT = 20
"""More than the 9 steps that all draws but one take, few enough to compile an unrolled loop."""
FAR = 70
"""More than the 51 to 54 steps that a count of 0 takes whose offset is 80: exp(-z) is far too
steep. The notebook makes 50 at most."""

STRUCTURE = "it must return three results: z (shaped like counts), iterations, converged."
NOT_INTEGER = "iterations must be one integer and converged one boolean; they are {got}."
OVER_LIMIT = (
    "iterations is {got}, but the limit is {limit}. Count from 0, and stop at the limit too: "
    "(change > tolerance) & (iterations < limit)."
)
NAN_SUCCESS = (
    "one count is NaN, and still converged is True. A comparison with NaN is False: the loop "
    "ends, and it looks like success. Test for success, not for failure: change <= tolerance is "
    "False for NaN. And let NaN be seen: `jnp.nanmax` and `jnp.nan_to_num` hide it."
)
NOT_STARTED = (
    "the loop made no step at all, although limit is {limit}. The first change must be larger "
    "than the tolerance: start with jnp.inf (not -inf, not 0)."
)
NOT_MOVED = (
    "iterations is {got}, but z is where it began. The function that makes the next state must "
    "return the new z, not the one that it was given."
)
FLOAT32 = (
    "it ran to its limit of {limit} steps, although nothing changes after step {high}. Either "
    "nothing tests for convergence, or the tolerance is out of reach: near z = {z:.2f} the numbers "
    "of float32 are {spacing:.1g} apart, and no change is smaller, other than 0. Use a relative "
    "tolerance, such as 1e-5 * (1 + jnp.abs(z))."
)
TOO_EARLY = (
    "it stopped after {got} steps, where z still changes by {change:.2g}. Stop when the largest "
    "change, without its sign (jnp.max(jnp.abs(...))), is below 1e-5 of the size of z."
)
TOO_LATE = "it made {got} steps; after {high} nothing changes any more."
MISCOUNTED = (
    "z is that of {right} steps, but iterations is {got}. Count from 0, and add 1 with every step."
)
WRONG_Z = "z[{place}] is {got:.6g} after {steps} steps, expected {expected:.6g}."
FALSE_SUCCESS = (
    "converged is True after {got} steps, where z still changes by {change:.2g}. Hitting the limit "
    "is no success: return change <= tolerance."
)
FALSE_FAILURE = (
    "converged is False, although after {got} steps nothing changes any more. Return "
    "change <= tolerance, with the tolerance that the loop uses."
)


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, offsets, and a limit: generous, too small, enough, 0; one array has a NaN.

    In one, a single entry of many still moves; in another, one begins far away. The first data come
    with two limits.
    """

    def data(n: int) -> tuple[np.ndarray, np.ndarray]:
        counts = rng.poisson(rng.gamma(0.5, 60.0, size=n)).astype(np.float32)
        offsets = rng.normal(size=n).astype(np.float32)
        counts[:2], offsets[:2] = (0.0, 700.0)[:n], (4.0, 0.0)[:n]
        return counts, offsets

    (missing, at), (far, far_at) = data(12), data(12)
    missing[3] = np.nan
    far[0], far_at[0] = 0.0, 80.0
    table = tuple(a.reshape(LARGER) for a in data(LARGER[0] * LARGER[1]))
    table[0][-1, -1] = rng.integers(3000, 9000)
    first, equal = data(12), [np.full(12, x, np.float32) for x in (rng.integers(1, 90), 0.5)]
    settled = rng.integers(1, 90, size=2000).astype(np.float32)
    settled_at = np.log(settled + 0.5) + 0.5  # where they begin is where they end
    settled[7], settled_at[7] = 0.0, 6.0
    return [
        (*first, LIMIT),
        (*(a.copy() for a in first), 3),
        (*data(12), 0),
        (*equal, LIMIT),
        (missing, at, LIMIT),
        (far, far_at, FAR),
        (*table, LIMIT),
        (*data(1), LIMIT),
        (settled, settled_at.astype(np.float32), LIMIT),
        (equal[1], equal[1].copy(), 1),  # they begin where they end, without a rounding
    ]


def trajectory(counts: np.ndarray, offsets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Float64 iterates z_0, z_1, ..., and the largest relative change of each step."""
    y, o = counts.astype(np.float64), offsets.astype(np.float64)
    iterates, changes = [np.log(y + 0.5) - o], []
    for _ in range(ENOUGH):
        z = iterates[-1]
        rate = np.exp(o + z)
        iterates.append(z + (y - rate - z) / (rate + 1))
        changes.append(np.max(np.abs(iterates[-1] - z) / (1 + np.abs(iterates[-1]))))
    return np.array(iterates), np.array(changes)


def compare(args: tuple, got: list[np.ndarray]) -> str | None:
    """The iterate, the number of steps and the flag, for any sensible tolerance."""
    counts, offsets, limit = args
    if len(got) != 3 or got[0].shape != counts.shape:
        return STRUCTURE
    z, iterations, converged = got
    one_each = not iterations.shape and not converged.shape
    if not one_each or iterations.dtype.kind not in "iu" or converged.dtype.kind != "b":
        shown = ", ".join(f"{x.dtype}[{','.join(map(str, x.shape))}]" for x in got[1:])
        return NOT_INTEGER.format(got=shown)
    steps, success = int(iterations), bool(converged)
    if not 0 <= steps <= limit:
        return OVER_LIMIT.format(got=steps, limit=limit)
    if np.isnan(counts).any():
        return NAN_SUCCESS if success else None
    iterates, changes = trajectory(counts, offsets)
    # Fewest steps of a loose tolerance, most of a strict one that float32 can still reach.
    low, high = (int(np.argmax(changes <= t)) + 1 for t in (1e-3, 1e-8))
    high += 2
    if limit and not steps:
        return NOT_STARTED.format(limit=limit)
    near = np.abs(z - iterates[steps]) <= 1e-4 * (1 + np.abs(iterates[steps]))
    if not near.all() and np.allclose(z, iterates[0], rtol=1e-4, atol=1e-4):
        return NOT_MOVED.format(got=steps)
    if limit > high and steps == limit:
        worst = float(np.max(np.abs(z)))
        spacing = float(np.spacing(np.float32(worst)))
        return FLOAT32.format(limit=limit, high=high - 2, z=worst, spacing=spacing)
    if not near.all():
        fits = np.isclose(z, iterates, rtol=1e-4, atol=1e-4).reshape(len(iterates), -1).all(axis=1)
        if fits.any():
            return MISCOUNTED.format(right=int(np.argmax(fits)), got=steps)
        place = tuple(int(i) for i in np.argwhere(~near)[0])
        shown = ", ".join(map(str, place))
        return WRONG_Z.format(
            place=shown, got=float(z[place]), steps=steps, expected=iterates[steps][place]
        )
    change = changes[steps - 1] if steps else np.inf
    if steps < min(low, limit):
        return TOO_EARLY.format(got=steps, change=change)
    if steps > high:
        return TOO_LATE.format(got=steps, high=high - 2)
    if success and steps < low:
        return FALSE_SUCCESS.format(got=steps, change=change)
    if not success and steps >= low:
        return FALSE_FAILURE.format(got=steps)
    return None


rubric = Rubric(
    lesson="early_stop",
    learned="loops that stop by themselves: while_loop, reachable tolerances, limits, NaN",
    minutes=35,
    exercises=(
        ProgramExercise(
            name="early_stop",
            minutes=10,
            difficulty="medium",
            importance=2,
            entry_points=("latent_mode",),
            draws=draws,
            jaxpr=True,
            points={"outputs": 5, "purity": 1, "compilations": 2},
            reference=Comparison(compare, paths=("[0]", "[1]", "[2]")),
            loop=Loop(2),
            compilations=Compilations(one_function=True),
        ),
    ),
)
