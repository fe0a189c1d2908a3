"""Judges what `compile_fit` of lesson `timing` returns: a program, compiled ahead of time."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from autograder.model.rubric import PUBLIC_KEY
from autograder.programs import jax_access
from autograder.rubrics._draws import LARGER
from autograder.rubrics._probes import count_programs

NOT_CALLABLE = (
    "`compile_fit` returns {got}, and it should return the compiled program, to be called as "
    "`fit(Y, O)`: `return poisson_fit.lower(Y, O, steps).compile()`."
)
ONLY_LOWERED = (
    "`compile_fit` returns what `.lower(...)` gives: the compiler's input, which can be read and "
    "not called. Go on with `.compile()`."
)
ONLY_TRACED = (
    "`compile_fit` returns what `.trace(...)` gives, which is not compiled: a call of it runs one "
    "operation after the other. Go on with `.lower().compile()`."
)
NOT_CALLED = (
    "`compile_fit` returns the method `compile`, and does not call it: write `.compile()`, with "
    "parentheses."
)
UNUSED = (
    "`compile_fit` returns the jitted function: what `.compile()` gave is thrown away. The jitted "
    "function still wants `steps`, and compiles again for whatever else it is given. Return the "
    "compiled object, which takes `Y` and `O` alone."
)
COMPILES = (
    "Calling what `compile_fit` returned compiled {count}. Either it still goes through "
    "`jax.jit`, and does not run what `compile_fit` compiled; or it computes something beside that "
    "program, and each operation outside of it is a program too. Compile inside `compile_fit`, "
    "keep the object that `.compile()` returns, and call that alone."
)
NOT_KEPT = (
    "What `compile_fit` returned for counts of shape {shape} and {steps} steps worked until "
    "`compile_fit` was called again, for other shapes or steps. The program must not stand in one "
    "place for all, such as a global name: return the compiled object itself."
)
UNFINISHED = {"traced": ONLY_TRACED, "lowered": ONLY_LOWERED, "method": NOT_CALLED}
SHAPE = (
    "Called with counts of shape {shape} and {steps} steps, what `compile_fit` returned gives "
    "{got}, expected {expected}. Lower with the `Y`, `O` and `steps` that `compile_fit` is given."
)
VALUE = (
    "What `compile_fit` returned computes other results than a right `poisson_fit`. Lower "
    "`poisson_fit` itself, with the arguments in their order: Y, O, steps."
)


def poisson_fit(Y: np.ndarray, O: np.ndarray, steps: int) -> tuple[np.ndarray, np.ndarray]:
    """Newton steps for the means of Poisson counts with a standard normal prior on each."""
    means = np.log((Y.sum(0) + 1) / np.exp(O).sum(0)) + 1
    likelihoods = []
    for _ in range(steps):
        expected = np.exp(O + means)
        means = means + (np.sum(Y - expected, axis=0) - means) / (expected.sum(0) + 1)
        likelihoods.append(np.sum(Y * (O + means) - np.exp(O + means)) - np.sum(means**2) / 2)
    return means, np.array(likelihoods, Y.dtype)


def _fits() -> list[tuple]:
    """What is fitted: data of one shape, with two numbers of steps, and more than the oaks."""
    rng = np.random.default_rng(PUBLIC_KEY)

    def data(n: int, p: int) -> tuple[np.ndarray, np.ndarray]:
        offsets = rng.normal(0.0, 0.5, size=(n, p))
        counts = rng.poisson(3.0 * np.exp(offsets))
        counts[0, 0] = 0
        return counts.astype(np.float32), offsets.astype(np.float32)

    (Y, O), large = data(6, 4), data(*LARGER)
    return [(Y, O, 3), (Y.copy(), O.copy(), 5), (*large, 3)]


def _unfinished(fit: Any) -> str:
    """Which stage on the way to a program `fit` is, if it is one."""
    if isinstance(fit, jax_access.Traced):
        return "traced"
    if isinstance(fit, jax_access.Lowered):
        return "lowered"
    return "method" if isinstance(getattr(fit, "__self__", None), jax_access.Lowered) else ""


def _wants_steps(fit: Any, data: tuple) -> bool:
    """Whether `fit` is a jitted function that cannot be called without `steps`."""
    if not hasattr(fit, "lower"):
        return False
    try:
        inspect.signature(fit).bind(*data)
    except TypeError:
        return True
    except ValueError:  # a callable without a signature
        return False
    return False


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Compile for shapes, or once for arrays, call with arrays and count compilations.

    All are called once more when all are there. Caches are cleared before `compile_fit` and not
    after it: lowering and compiling a jitted function fills its own cache, and what was compiled
    earlier must not count.
    """
    made = []
    jax_access.clear_caches()
    for at, (Y, O, steps) in enumerate(_fits()):
        data = jax.numpy.asarray(Y), jax.numpy.asarray(O)
        shapes = (jax.ShapeDtypeStruct(Y.shape, Y.dtype),) * 2
        fit = namespace["compile_fit"](*(data if at == 1 else shapes), steps)
        wants_steps = callable(fit) and _wants_steps(fit, data)
        one = {
            "type": type(fit).__name__,
            "unfinished": _unfinished(fit),
            "callable": callable(fit),
            "wants_steps": wants_steps,
        }
        if one["unfinished"] or not one["callable"]:
            yield one
            return
        arguments = (*data, *((steps,) if wants_steps else ()))
        count, leaves = _called(fit, arguments)
        made.append((fit, arguments, {**one, "compiled": count, "leaves": leaves}))
    for fit, arguments, one in made:
        try:
            count, leaves = _called(fit, arguments)
        except Exception:
            yield {**one, "kept": False}
            return
        same = len(leaves) == len(one["leaves"]) and all(map(_is_near, leaves, one["leaves"]))
        yield {**one, "kept": same, "compiled": one["compiled"] + count}


def _called(fit: Callable, arguments: tuple) -> tuple[int, list[np.ndarray]]:
    count, results = count_programs(fit, *arguments)
    return count, [np.asarray(leaf) for leaf in jax.tree.leaves(results)]


def _is_near(got: np.ndarray, before: np.ndarray) -> bool:
    return np.shape(got) == np.shape(before) and np.allclose(got, before, equal_nan=True)


def _describe(leaves: list[np.ndarray]) -> str:
    return ", ".join(f"an array of shape {np.shape(leaf)}" for leaf in leaves)


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """Compare what was compiled with a right fit; none of its calls may compile."""
    wrong: dict[str, str] = {}
    for at, (Y, O, steps) in enumerate(_fits()):
        one = seen[at]
        if one["unfinished"]:
            return {"outputs": UNFINISHED[one["unfinished"]]}
        if not one["callable"]:
            return {"outputs": NOT_CALLABLE.format(got=f"a {one['type']}")}
        got, expected = one["leaves"], list(poisson_fit(Y, O, steps))
        if [np.shape(leaf) for leaf in got] != [leaf.shape for leaf in expected]:
            shapes = {"got": _describe(got), "expected": _describe(expected)}
            text = SHAPE.format(shape=Y.shape, steps=steps, **shapes)
            return {"outputs": text}
        if not all(map(np.allclose, got, expected, (1e-3, 1e-3))):
            return {"outputs": VALUE}
        if not one["kept"]:
            return {"outputs": NOT_KEPT.format(shape=Y.shape, steps=steps)}
        if one["wants_steps"]:
            wrong = {"compilations": UNUSED}
        elif one["compiled"]:
            count = one["compiled"]
            programs = f"{count} program" + ("" if count == 1 else "s")
            wrong = {"compilations": COMPILES.format(count=programs)}
    return wrong
