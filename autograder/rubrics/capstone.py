"""Lesson `capstone`: a Poisson regression in NumPy becomes one pure, jitted program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

import plnkit
from autograder.model.exercise import Comparison, Compilations, Loop, ProgramExercise, Speed
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, data

ITERATIONS = 40
NEVER = -1e6
"""A tolerance with which no fit stops before its limit."""
SOON = 1e6
"""A tolerance with which each fit stops after its second iteration."""

ROUNDINGS = 16
"""By how many roundings of the summands of a loss float32 may be off, or decide about a stop."""
RELATIVE = 1e-3
"""How far a coefficient may be from the right one, relative to one more than its size."""

STRUCTURE = (
    "`fit` must return three results, B, history and iterations, in this order; it returns {count}."
)
SHAPE = "{name} has shape {got}, expected {expected}."
NOT_INTEGER = "iterations must be one integer; it is {got}."
NOT_FINITE = (
    "{name} holds inf or NaN. Where `mask` is False, Y is NaN, and NaN times zero is NaN: choose "
    "with `jnp.where` before anything is summed."
)
NO_STEP = "iterations is {got}, and must be between 1 and n_iterations, {limit}."
PADDING = (
    "{made} iterations were made, but history[{place}] is {got:.6g}: the entries after the last "
    "iteration must be zero."
)
LOST = (
    "iterations is {made}, but history has {kept} losses and then zeros. `iterations` is the "
    "number of losses in it."
)
OTHER_LOSS = "history[{i}] is {got:.6g}, expected {right:.6g}.{why}"
OTHER_B = "B[{place}] is {got:.6g}, expected {right:.6g}.{why}"
AT_ONCE = (
    "it stopped after the first iteration of {limit}. There is no loss before that one to compare "
    "with: it makes two iterations at least."
)
TOO_EARLY = (
    "it stopped after iteration {made} of {limit}, whose loss is {fall:.3g} below the one before, "
    "and the tolerance is {tolerance:.3g}. It stops if that is less than the tolerance."
)
TOO_LATE = (
    "it made {made} iterations, but the loss of iteration {right} is only {fall:.3g} below the one "
    "before, and the tolerance is {tolerance:.3g}. It must stop there: {right} iterations."
)

OTHER_STEP = (
    " That is the B of {made} iterations: the B that is returned must be that of the last loss."
)
BEFORE = " That is the loss before the step: `history[i]` is the loss after it."
SWAPPED = " That is what the two keys give in the other order: the first one is for B."
SAME_KEY = (
    " That is what one key for both gives: each draw needs a key of its own, "
    "key_B, key_held = jax.random.split(key)."
)
HELD_FITTED = " That is what fitting the held-out counts as well gives: leave them out of the step."
OTHERS_HELD = (
    " That is what holding out the other three quarters gives: a count is held out where "
    "`jax.random.bernoulli(key_held, 0.25, (n, p))` is True."
)
MISSING_HELD = (
    " That is what missing counts give that are held out as zeros: the loss is that of counts "
    "where `mask` is True, too."
)
MISSING_FITTED = (
    " That is what missing counts give that are fitted as zeros: what is expected there must not "
    "enter slope and curvature either."
)
SUMMED = " That is the sum of the losses: divide by the number of held-out counts."
OTHER_COUNT = (
    " That was divided by another number than that of the held-out counts (and not missing)."
)
LATER = (
    "{start} The first losses are right, those from this iteration on are not: does each iteration "
    "begin with what the one before it returned?"
)


# --- draws --------------------------------------------------------------------------------------


def _call(
    rng: np.random.Generator, n: int, p: int, d: int, tolerance: float, n_iterations: int
) -> tuple:
    """Data with missing counts, which are NaN, a key as its data, and settings.

    The offsets of a taxon are far too small or too large, so that B has a way to go.
    """
    Y, O, X = data(rng, n, p, d)
    O = (O + rng.choice([-2.5, 3.5], size=p) + rng.normal(size=p)).astype(np.float32)
    mask = rng.uniform(size=Y.shape) < 0.8
    return (np.where(mask, Y, np.float32(np.nan)), O, X, mask, *_rest(rng, tolerance, n_iterations))


def _rest(rng: np.random.Generator, tolerance: float, n_iterations: int) -> tuple:
    key = rng.integers(0, 2**32, size=2, dtype=np.uint32)
    return key, float(rng.uniform(0.2, 3)), tolerance, n_iterations


def draws(rng: np.random.Generator) -> list[tuple]:
    """Tables of one size, with tolerances that stop early, soon, and never; one iteration; a single
    taxon; more than the oaks have, and more iterations than the notebook's.

    The data of the first come again with another key. In one, no count is missing and all are
    equal.
    """

    def tolerance() -> float:
        return float(np.exp(rng.uniform(np.log(1e-3), np.log(1e-2))))

    size = 40, 6, 2
    first = _call(rng, *size, tolerance(), ITERATIONS)
    Y, O, X, mask, *_ = first
    equal, present = np.full_like(Y, rng.integers(1, 9)), np.ones_like(mask)
    return [
        first,
        _call(rng, *size, SOON, ITERATIONS),
        (*map(np.copy, (Y, O, X, mask)), *_rest(rng, NEVER, ITERATIONS)),
        (equal, O.copy(), X.copy(), present, *_rest(rng, tolerance(), ITERATIONS)),
        (*map(np.copy, (Y, O, X, mask)), *_rest(rng, NEVER, 1)),
        _call(rng, 90, 1, 1, tolerance(), ITERATIONS),
        _call(rng, *LARGER, 3, tolerance(), 600),
    ]


def loops(rng: np.random.Generator) -> list[tuple]:
    """One table for three numbers of iterations, none of which stops it early."""
    first, few = _call(rng, 40, 6, 2, NEVER, 1), int(rng.integers(12, 24))
    return [(*first[:-1], few + more) for more in (0, 20, 54)]


def speed_sizes(rng: np.random.Generator) -> tuple[int, int]:
    """How many of the oaks' leaves to take, and iterations."""
    return int(rng.integers(104, 117)), int(rng.integers(200, 241))


def draw_speed(rng: np.random.Generator, leaves: int, iterations: int) -> tuple:
    """Leaves of the oaks, in any order, with missing counts; the fit does not stop early."""
    oaks = plnkit.load_oaks("tree")
    rows = rng.permutation(len(oaks.Y))[:leaves]
    mask = rng.uniform(size=(leaves, oaks.Y.shape[1])) < 0.9
    Y = np.where(mask, oaks.Y[rows], np.float32(np.nan))
    return Y, oaks.O[rows], oaks.X[rows], mask, *_rest(rng, NEVER, iterations)


def with_key(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's function, called with a key that is made of its data."""
    fit = namespace["fit"]

    def use(Y, O, X, mask, key, ridge, tolerance, n_iterations):
        made = jax.random.wrap_key_data(jnp.asarray(key))
        return fit(Y, O, X, mask, made, ridge, tolerance, n_iterations)

    return use


# --- what is right, in float64 ------------------------------------------------------------------


class _Step(NamedTuple):
    B: np.ndarray
    loss: float
    noise: float
    """Of the loss in float32."""


class _Fit:
    """A fit of one call, iteration by iteration, right or with a mistake in it."""

    def __init__(self, call: tuple, mistake: str = "") -> None:
        Y, O, X, mask, key, ridge, *_ = call
        keys = mistake if mistake in (SWAPPED, SAME_KEY) else ""
        start, held = _random_numbers(key.tobytes(), (X.shape[1], Y.shape[1]), Y.shape, keys)
        held = ~held if mistake == OTHERS_HELD else held
        self.Y = np.where(mask, Y, 0).astype(np.float64)
        self.O, self.X, self.ridge = O.astype(np.float64), X.astype(np.float64), ridge
        missing_held, missing_fitted = mistake == MISSING_HELD, mistake == MISSING_FITTED
        self.held_out = held if missing_held else mask & held
        self.fitted = ~held if missing_fitted else mask & ~held
        if mistake == HELD_FITTED:
            self.fitted = mask
        self.count = 1 if mistake == SUMMED else int(self.held_out.sum())
        self.mistake, self.start = mistake, start.astype(np.float64)

    def steps(self) -> Iterator[_Step]:
        """Yield B and its loss after each iteration."""
        B = self.start
        while True:
            before = B
            expected = np.where(self.fitted, np.exp(self.O + self.X @ B), 0)
            slope = self.X.T @ (np.where(self.fitted, self.Y, 0) - expected) - self.ridge * B
            curvature = (self.X**2).T @ expected + self.ridge
            B = B + np.clip(0.5 * slope / curvature, -1, 1)
            yield _Step(B, *self._loss(before if self.mistake == BEFORE else B))

    def _loss(self, B: np.ndarray) -> tuple[float, float]:
        eta = self.O + self.X @ B
        mean, linear = (np.where(self.held_out, a, 0) for a in (np.exp(eta), self.Y * eta))
        summands = (mean * (1 + np.abs(eta)) + np.abs(linear)).sum() / self.count
        eps = float(np.finfo(np.float32).eps)
        return float((mean - linear).sum() / self.count), ROUNDINGS * eps * float(summands)


@lru_cache(maxsize=256)
def _random_numbers(
    key: bytes, shape: tuple, table: tuple, mistake: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return where B begins, and which counts are held out."""
    whole = jax.random.wrap_key_data(jnp.asarray(np.frombuffer(key, np.uint32)))
    key_B, key_held = jax.random.split(whole)
    if mistake == SWAPPED:
        key_B, key_held = key_held, key_B
    if mistake == SAME_KEY:
        key_B = key_held = whole
    start = 0.1 * jax.random.normal(key_B, shape)
    return np.asarray(start), np.asarray(jax.random.bernoulli(key_held, 0.25, table))


MISTAKES = (
    *(BEFORE, SWAPPED, SAME_KEY, HELD_FITTED, OTHERS_HELD, MISSING_HELD, MISSING_FITTED),
    SUMMED,
)


def _mistake(call: tuple, got: float) -> str:
    """The known mistake that gives `got` as the first loss, if one does."""
    for mistake in MISTAKES:
        first = next(_Fit(call, mistake).steps())
        if abs(got - first.loss) <= first.noise + 1e-6 * abs(first.loss):
            return mistake
    fit = _Fit(call)
    total, held = next(fit.steps()).loss * fit.count, fit.held_out
    counts = (held.size, call[3].sum(), fit.fitted.sum(), 0.25 * held.size, 0.25 * call[3].sum())
    return OTHER_COUNT if np.isclose(got * np.array(counts), total, rtol=1e-4).any() else ""


def _malformed(call: tuple, got: list[np.ndarray]) -> str | None:
    Y, _, X, *_, limit = call
    if len(got) != 3:
        return STRUCTURE.format(count=f"{len(got)} array{'s' * (len(got) != 1)}")
    B, history, iterations = got
    for name, leaf, expected in (
        ("B", B, (X.shape[1], Y.shape[1])),
        ("history", history, (limit,)),
        ("iterations", iterations, ()),
    ):
        if leaf.shape != expected:
            return SHAPE.format(name=name, got=leaf.shape, expected=expected)
    if iterations.dtype.kind not in "iu":
        return NOT_INTEGER.format(got=iterations.dtype)
    for name, leaf in (("B", B), ("history", history[: int(iterations)])):
        if not np.isfinite(leaf).all():
            return NOT_FINITE.format(name=name)
    if not 1 <= int(iterations) <= limit:
        return NO_STEP.format(got=int(iterations), limit=limit)
    return None


def compare(call: tuple, got: list[np.ndarray]) -> str | None:
    """The losses one by one, where it stopped, and the coefficients."""
    wrong = _malformed(call, got)
    if wrong is not None:
        return wrong
    *_, tolerance, limit = call
    B, history, made = got[0], got[1], int(got[2])
    after = np.flatnonzero(history[made:] != 0)  # NaN is not 0
    if after.size:
        place = made + int(after[0])
        return PADDING.format(made=made, place=place, got=float(history[place]))
    kept = int(np.max(np.flatnonzero(history), initial=-1)) + 1
    steps = list(islice(_Fit(call).steps(), made))
    for i, step in enumerate(steps):
        if not abs(history[i] - step.loss) <= step.noise:
            if i == kept and i:
                return LOST.format(made=made, kept=kept)
            why = _mistake(call, float(history[i])) if i == 0 else ""
            start = OTHER_LOSS.format(i=i, got=float(history[i]), right=step.loss, why=why)
            return LATER.format(start=start) if i else start
    wrong = _wrong_stop(steps, tolerance, limit)
    if wrong is not None:
        return wrong
    right = steps[-1].B
    near = np.abs(B - right) <= RELATIVE * (1 + np.abs(right))
    if near.all():
        return None
    place = tuple(int(i) for i in np.argwhere(~near)[0])
    why = ""
    for i, step in enumerate(islice(_Fit(call).steps(), limit), 1):
        if i != made and np.allclose(B, step.B, rtol=RELATIVE, atol=RELATIVE):
            why = OTHER_STEP.format(made=i)
    shown = ", ".join(map(str, place))
    return OTHER_B.format(place=shown, got=float(B[place]), right=float(right[place]), why=why)


def _wrong_stop(steps: list[_Step], tolerance: float, limit: int) -> str | None:
    """What is wrong with the number of iterations; rounding decides where a fall is close."""
    made = len(steps)
    falls = [(a.loss - b.loss, a.noise + b.noise) for a, b in pairwise(steps)]
    for i, (fall, noise) in enumerate(falls[:-1], 2):
        if fall < tolerance - noise:
            return TOO_LATE.format(made=made, right=i, fall=fall, tolerance=tolerance)
    if made == 1 < limit:
        return AT_ONCE.format(limit=limit)
    fall, noise = falls[-1] if falls else (np.inf, 0.0)
    if made < limit and not fall < tolerance + noise:
        return TOO_EARLY.format(made=made, limit=limit, fall=fall, tolerance=tolerance)
    return None


def agree(call: tuple, leaves: list[np.ndarray], others: list[np.ndarray]) -> bool:
    """Whether two results are both right: they may stop one iteration apart."""
    return not compare(call, leaves) and not compare(call, others)


def in_numpy(Y, O, X, mask, key, ridge, tolerance, n_iterations):
    """The fit of the notebook's class: loops over taxa, and NumPy's random numbers."""
    Y, O, X, mask = (np.asarray(a) for a in (Y, O, X, mask))
    held = np.random.default_rng(0).uniform(size=Y.shape) < 0.25
    B, history = np.zeros((X.shape[1], Y.shape[1])), np.zeros(n_iterations)
    for i in range(n_iterations):
        total = 0.0
        for j in range(Y.shape[1]):
            rows = mask[:, j] & ~held[:, j]
            x = X[rows]
            expected = np.exp(O[rows, j] + x @ B[:, j])
            slope = x.T @ (Y[rows, j] - expected) - ridge * B[:, j]
            B[:, j] += np.clip(0.5 * slope / ((x**2).T @ expected + ridge), -1, 1)
        for j in range(Y.shape[1]):
            rows = mask[:, j] & held[:, j]
            eta = O[rows, j] + X[rows] @ B[:, j]
            total += np.sum(np.exp(eta) - Y[rows, j] * eta)
        history[i] = total / np.sum(mask & held)
        if i and history[i - 1] - history[i] < tolerance:
            break
    return B, history


rubric = Rubric(
    lesson="capstone",
    exercises=(
        ProgramExercise(
            name="capstone",
            minutes=25,
            difficulty="hard",
            importance=3,
            entry_points=("fit",),
            draws=draws,
            adapter=with_key,
            points={"outputs": 7, "purity": 3, "compilations": 5, "speed": 3},
            reference=Comparison(compare, paths=("[0]", "[1]", "[2]"), agree=agree),
            loop=Loop(7, loops),
            speed=Speed(
                baseline=in_numpy,
                threshold=10.0,
                draw=draw_speed,
                sizes=speed_sizes,
                baseline_iterations=2,
                eager=True,
            ),
            compilations=Compilations(one_function=True),
        ),
    ),
    learned="a NumPy class with state, masks, early stop and random numbers as one pure program",
    minutes=60,
)
