"""Lesson `purity_hunt`: histories, settings, random numbers and donated memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer

from autograder.model.exercise import (
    BehaviourExercise,
    Comparison,
    Compilations,
    ProgramExercise,
)
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, large_table
from autograder.rubrics._probes import error_of

STEPS = 10


def fits(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, offsets and a rate, which is data; several shapes, and a single count.

    One table is larger than the oaks, in one all counts are equal; offsets come twice.
    """

    def data(n: int, p: int) -> tuple:
        counts = rng.poisson(rng.gamma(1.0, 3.0, size=(n, p))).astype(np.float32)
        counts.flat[0] = 0.0
        offsets = rng.normal(scale=0.3, size=(n, p)).astype(np.float32)
        return counts, offsets, np.asarray(rng.uniform(0.02, 0.1), np.float32)

    calls, rate = [data(6, 4), data(6, 4), data(1, 1)], np.asarray(0.2, np.float32)
    large = large_table(rng), rng.normal(scale=0.3, size=LARGER).astype(np.float32)
    Y, O, _ = calls[0]
    return [
        *calls,
        (*large, np.asarray(rng.uniform(0.0005, 0.002), np.float32)),
        (np.full_like(Y, rng.integers(1, 9)), O.copy(), rate),
    ]


def fit(Y: np.ndarray, O: np.ndarray, rate: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Gradient descent on the Poisson loss, and the loss before each step."""
    B, losses = np.zeros_like(Y[0]), []
    for _ in range(STEPS):
        eta = O + B
        losses.append((np.exp(eta) - Y * eta).sum(axis=1).mean())
        B = B - rate * (np.exp(eta) - Y).mean(axis=0)
    return B, np.stack(losses)


def noises(rng: np.random.Generator) -> list[tuple]:
    """Two different keys (as key data), means and standard deviations.

    In one call, the keys are those of two integers in a row. The means of the first come with
    other keys, and with equal deviations.
    """

    def data(n: int, p: int) -> tuple:
        mean = rng.normal(size=(n, p)).astype(np.float32)
        keys = rng.integers(0, 2**32, size=(2, 2), dtype=np.uint32)
        return keys, mean, np.exp(rng.uniform(-3, 0.5, size=(n, p))).astype(np.float32)

    first, (_, *more) = data(60, 30), data(60, 30)
    seed = rng.integers(0, 2**31)
    neighbours = np.array([[0, seed], [0, seed + 1]], np.uint32)
    again = first[1].copy(), np.full_like(first[2], rng.uniform(0.5, 2))
    keys, *_ = data(1, 1)
    return [first, (neighbours, *more), (keys, *again), data(140, 9), data(1, 600)]


def with_two_keys(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's function called with one key and then with another."""
    two_draws = namespace["two_draws"]

    def both(keys: Any, M: Any, S: Any) -> tuple:
        wrapped = jax.random.wrap_key_data(jnp.asarray(keys))
        return two_draws(wrapped[0], M, S), two_draws(wrapped[1], M, S)

    return both


TWO_DRAWS = "two_draws must return two arrays, each of the shape of M."
KEY_UNUSED = (
    "another key gives the same numbers{where}. The numbers do not depend on the key: they were "
    "drawn once, while tracing, or come from a fixed seed. Draw with "
    "jax.random.normal(key_1, M.shape), where key_1 comes from the argument `key`."
)
SAME_TWICE = (
    "the two draws of one call are the same noise. A key gives the same numbers each time it is "
    "used: split it, key_1, key_2 = jax.random.split(key), and use each one once."
)
KEY_USED_AGAIN = (
    "the {which} draw is made with `key` itself, and what the other one needs is made of that key "
    "as well. A key that was drawn with must not be used again, nor split: split first, "
    "key_1, key_2 = jax.random.split(key), and draw with these two."
)
NEIGHBOURS = (
    "a draw with one key is also a draw with another key: numbers that are made of the key's data "
    "meet again. Make keys of a key with `jax.random.split` alone."
)
SHUFFLED = (
    "the two draws are the same noise in another order, so they are not independent. Use a key of "
    "its own for each: key_1, key_2 = jax.random.split(key)."
)
REPEATED = (
    "the same random number is used for several entries. Draw as many as there are entries: "
    "jax.random.normal(key_1, M.shape)."
)
NOT_NORMAL = (
    "(draw - M) / S should have mean 0 and standard deviation 1, but has {mean:.2f} and {std:.2f}. "
    "A draw is M + S * (standard normal noise)."
)
NOT_BELL = (
    "(draw - M) / S has mean 0 and standard deviation 1, but is not normal: the mean of its fourth "
    "powers is {fourth:.2f}, and should be 3. Draw with jax.random.normal(key_1, M.shape)."
)
SHARED = (
    "some of the random numbers of one draw come back in the other, so the two are not "
    "independent. Draw all of each with a key of its own: key_1, key_2 = jax.random.split(key)."
)
DEPENDENT = (
    "the two draws are not independent: their noise has correlation {r:.2f}. Use a key of its own "
    "for each."
)


def compare_draws(args: tuple, got: list[np.ndarray]) -> str | None:
    """Two keys, two draws each: all different, normal, independent."""
    keys, mean, deviation = args
    if len(got) != 4 or any(leaf.shape != mean.shape for leaf in got):
        return TWO_DRAWS
    first, second, other, last = noise = [(leaf - mean) / deviation for leaf in got]
    if np.allclose(first, second, atol=1e-4):
        is_used = not np.allclose(first, other, atol=1e-4)
        return SAME_TWICE if is_used else KEY_UNUSED.format(where="")
    for draw, again, which in ((first, other, "first"), (second, last, "second")):
        if np.allclose(draw, again, atol=1e-4):
            return KEY_UNUSED.format(where=f" in the {which} draw")
    sorted_noise = [np.sort(z, axis=None) for z in (first, second)]
    if np.allclose(*sorted_noise, atol=1e-4):
        return SHUFFLED
    if np.allclose(first, last, atol=1e-4) or np.allclose(second, other, atol=1e-4):
        return NEIGHBOURS
    for z in noise:
        if np.unique(z.round(4)).size < 0.9 * z.size:
            return REPEATED
        five_sigma = 5 / np.sqrt(z.size)
        if not abs(z.mean()) < five_sigma or not abs(z.std() - 1) < five_sigma:
            return NOT_NORMAL.format(mean=z.mean(), std=z.std())
        if z is not first:
            r = np.corrcoef(first.ravel(), z.ravel())[0, 1]
            if abs(r) > five_sigma:
                return DEPENDENT.format(r=r)
    pooled = np.concatenate([z.ravel() for z in noise]).astype(np.float64)
    fourth = np.mean((pooled / pooled.std()) ** 4)
    if abs(fourth - 3) > 6 * np.sqrt(24 / pooled.size):  # six standard errors
        return NOT_BELL.format(fourth=fourth)
    if np.mean(_distances(second, first) < 3e-6) > 0.05:
        return SHARED
    numbers = _numbers_of(keys[0], 4 * first.size)
    for draw, rest, which in ((first, second, "first"), (second, first, "second")):
        whole = np.allclose(draw.ravel(), numbers[: draw.size], atol=1e-3)
        if whole and not _are_among(rest, numbers):  # one draw of both is fine
            return KEY_USED_AGAIN.format(which=which)
    return None


def _numbers_of(key: np.ndarray, count: int) -> np.ndarray:
    """The first numbers that a key gives, for whatever shape."""
    return np.asarray(jax.random.normal(jax.random.wrap_key_data(jnp.asarray(key)), (count,)))


def _are_among(some: np.ndarray, numbers: np.ndarray) -> bool:
    return bool((_distances(some, numbers) < 1e-3).all())


def _distances(some: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """How far each of some numbers is from the nearest of others."""
    ordered = np.sort(numbers, axis=None)
    right = np.clip(np.searchsorted(ordered, some), 1, len(ordered) - 1)
    return np.minimum(abs(some - ordered[right]), abs(some - ordered[right - 1]))


def smoothings(rng: np.random.Generator) -> list[tuple]:
    """Arrays of some shapes; one, several, many and no steps. A target comes twice."""

    def pair(*shape: int) -> tuple[np.ndarray, np.ndarray]:
        M, target = rng.normal(size=(2, *shape)).astype(np.float32)
        return M, target

    calls = [(*pair(5, 3), 3), (*pair(5, 3), 3), (*pair(1), 1), (*pair(4), 0), (*pair(*LARGER), 20)]
    equal, target = np.full((5, 3), rng.normal(), np.float32), calls[0][1]
    return [*calls, (equal, target.copy(), 1)]


def smooth(M: np.ndarray, target: np.ndarray, steps: int) -> np.ndarray:
    """Steps that halve the distance to the target."""
    for _ in range(steps):
        M = M + np.float32(0.5) * (target - M)
    return M


NO_DONATION = (
    "relax no longer donates: after `relax(M, target)` its M is still there, so each step "
    "allocates a new array. Keep donate_argnums=0 on relax; what has to change is smooth, which "
    "must use what relax returns (M = relax(M, target)), on a copy of its own."
)
COPIED = (
    "smooth makes a new array at each step, or hands relax another than the one that relax has "
    "just returned and the target itself: a copy at each step allocates as much memory as no "
    "donation would. Copy M once, before the loop; in it, M = relax(M, target) is enough."
)
ONE_STEP = (
    "smooth(M, target, 1) gives the caller's M away: afterwards, M is deleted. Copy it whatever "
    "`steps` is, M = M.copy(), before the first call of relax."
)
RELAX_GONE = "There is no function `relax` any more: keep it, jitted, with donate_argnums=0."


def _copies(namespace: Any) -> bool:
    """Whether `smooth` gives `relax` anything but what `relax` has returned, and one target, or
    keeps an array of each step."""
    relax, seen, targets, held = namespace["relax"], [], [], []

    def watched(*args: Any, **kwargs: Any) -> Any:
        given = args[0] if args else kwargs.get("M")
        targets.append(args[1] if len(args) > 1 else kwargs.get("target"))
        result = relax(*args, **kwargs)
        if not isinstance(given, Tracer):
            seen.append((given, result))
            held.append(sum(array.shape == result.shape for array in jax.live_arrays()))
        return result

    namespace["relax"] = watched
    failed = error_of(namespace["smooth"], jnp.zeros(64) + 1, jnp.zeros(64), 4)
    namespace["relax"] = relax
    copies = any(M is not made for (_, made), (M, _) in pairwise(seen))
    copies |= any(target is not targets[0] for target in targets)
    return not failed and (copies or max(held, default=0) > 1 + min(held, default=0))


def _gives_away(smooth: Callable[..., Any]) -> bool:
    """Whether a single step deletes the array of the caller."""
    M = jnp.zeros(64) + 1
    return error_of(smooth, M, jnp.zeros(64), 1) is None and M.is_deleted()


def probe_donation(namespace: Mapping[str, Any]) -> Iterable[bool]:
    """Yield whether `relax` takes its argument's memory over, whether `smooth` gives away that of
    its caller, and whether each step copies.

    Nothing if there is no `relax`.
    """
    relax = namespace.get("relax")
    if callable(relax):
        M = jnp.zeros(64) + 1
        jax.block_until_ready(relax(M, jnp.zeros(64)))
        yield M.is_deleted()
        yield _gives_away(namespace["smooth"])
        yield _copies(namespace)


def decide_donation(seen: Sequence[Any]) -> dict[str, str]:
    """Whether the step still takes its argument's memory over."""
    if not seen:
        return {"outputs": RELAX_GONE}
    if seen[0] is not True:
        return {"outputs": NO_DONATION}
    wrong = {"purity": ONE_STEP} if seen[1] is True else {}
    return wrong | ({"outputs": COPIED} if True in seen[2:] else {})


rubric = Rubric(
    lesson="purity_hunt",
    learned="side effects: histories, settings, NumPy's random numbers, donated memory",
    minutes=40,
    exercises=(
        ProgramExercise(
            name="purity_hunt",
            minutes=4,
            difficulty="medium",
            importance=3,
            entry_points=("fit",),
            draws=fits,
            reference=fit,
            points={"outputs": 2, "purity": 3, "compilations": 1},
        ),
        ProgramExercise(
            name="purity_hunt_noise",
            minutes=3,
            difficulty="easy",
            importance=3,
            entry_points=("two_draws",),
            draws=noises,
            adapter=with_two_keys,
            points={"outputs": 3, "purity": 1},
            reference=Comparison(compare_draws, paths=("[0][0]", "[0][1]", "[1][0]", "[1][1]")),
            compilations=Compilations(dispatches=2),
        ),
        BehaviourExercise(
            name="purity_hunt_donation",
            minutes=4,
            difficulty="hard",
            importance=1,
            entry_points=("smooth", "relax"),
            draws=smoothings,
            reference=smooth,
            probe=probe_donation,
            decide=decide_donation,
            points={"outputs": 2, "purity": 2},
        ),
    ),
)
