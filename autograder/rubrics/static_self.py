"""Lesson `static_self`: methods jitted with a static self; a frozen pytree instead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np
from scipy.special import gammaln

from autograder.model.call_text import kind_of
from autograder.model.exercise import BehaviourExercise, Compilations
from autograder.model.finding import AdapterError, Finding
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.rubrics._draws import LARGER

STALE = "stale-self"
"""A rule of what `decide` finds."""

FIELDS = ("Y", "O", "X", "B", "ridge", "penalized")
STEPS, MORE_STEPS = 3, 5
MOST_STEPS = 53

NOT_A_MODEL = (
    "`{call}` returns {got}, and it should return a model: a `Poisson` that is like `model`, "
    "except for what changed."
)
STALE = (
    "After `changed = model.set({field}=...)`, `changed.loss()` still gives {got:.6g}, the loss "
    "with the old `{field}`. Expected: {right:.6g}. If `self` is static, a program is found by the "
    "key of `self`, and has the values of its first call as constants. Here the key was still the "
    "same. Let jit trace what changes: make the class a pytree, or pass its attributes to a jitted "
    "function as arguments."
)
LOST = (
    "jit takes a model apart and puts it together again, and here it comes back with another "
    "`{field}`. `tree_unflatten` must take the children in the order in which `tree_flatten` "
    "returns them, and the rest from the aux data."
)
STALE_FIT = (
    "After `changed = model.set({field}=...)`, `changed.fit({steps}).B` is what "
    "`model.fit({steps})` gave before, with the old `{field}`. If `self` is static, a program is "
    "found by the key of `self`, and has the values of its first call as constants. Whatever keeps "
    "data or a program for later must notice that `{field}` has changed."
)
WRONG_FIT = (
    "After `changed = model.set({field}=...)`, `changed.fit({steps}).B` is wrong: the steps begin "
    "at `changed.B`, and they use the Y, O, X, ridge and penalized of `changed`."
)
SAME_STEPS = (
    "After `model.fit({steps})`, `model.fit({more})` on the same model returns a wrong `B`: {more} "
    "steps from `model.B` are required. A program that is kept for later must be kept by the "
    "number of its steps, too."
)
SEVERAL = (
    "`model.set(...)` with new values of all six returns a model with the old `{field}`. Return "
    "one copy with all the values that `set` is given, such as `replace(self, **changes)`."
)
UNCHANGED = (
    "`model.set({field}=...)` returns a model with the old `{field}`. Return a copy with all the "
    "values that `set` is given, such as `replace(self, **changes)`."
)
SET_CHANGES = (
    "`model.set({field}=...)` changes `model` itself: afterwards, its own `{field}` is the new "
    "one, and whoever else uses `model` computes with another value. Return a changed copy "
    "instead, such as `replace(self, **changes)`."
)
FIT_CHANGES = (
    "`model.fit({steps})` changes `model` itself: afterwards, its own `B` is the fitted one, so "
    "that nobody can fit again from the same start. Return a changed copy instead: "
    "`self.set(B=...)`, where `set` makes a copy."
)


def _counts(rng: np.random.Generator, n: int, p: int, d: int) -> tuple[np.ndarray, ...]:
    """Counts with a zero, log offsets, and covariates, of which the first is the intercept."""
    O = rng.normal(0.0, 0.5, (n, p))
    X = np.hstack([np.ones((n, 1)), rng.normal(0.0, 0.5, (n, d - 1))])
    Y = rng.poisson(np.exp(O + rng.normal(1.0, 0.5, (n, p))))
    Y[0, 0] = 0
    Y[-1, -1] += 3
    return tuple(a.astype(np.float32) for a in (Y, O, X))


def draws(rng: np.random.Generator) -> list[tuple]:
    """Data of one shape twice, both kinds of penalty, a single site; more than the oaks have.

    The counts of one are all equal, with the covariates of the first. Of two fits, one is longer
    than the notebook's, and one has a larger ridge.
    """
    cases = (
        (8, 4, 2, "all", STEPS),
        (8, 4, 2, "all", STEPS),
        (8, 4, 2, "slopes", STEPS),
        (1, 3, 1, "all", STEPS),
        (*LARGER, 2, "slopes", MOST_STEPS),
    )
    calls = []
    for *size, penalized, steps in cases:
        # With a large ridge, the fit is still on its way after many steps.
        highest = (2, 9) if steps == STEPS else (2, 4e4)
        lowest = (0.5, 4) if steps == STEPS else (0.5, 2e4)
        ridges = [float(ridge) for ridge in rng.uniform(lowest, highest)]
        calls.append((*_counts(rng, *size), *ridges, penalized, steps))
    Y, O, X, ridge, *_ = calls[0]
    equal, large = np.full_like(Y, rng.integers(1, 9)), float(rng.uniform(2e5, 4e5))
    return [*calls, (equal, O.copy(), X.copy(), ridge, large, "slopes", STEPS)]


def _start(Y: Any, X: Any) -> np.ndarray:
    return np.full((X.shape[1], Y.shape[1]), 0.25, np.float32)


def _checked(result: Any, cls: Any, call: str) -> Any:
    if isinstance(result, cls):
        return result
    kind = kind_of(result)
    raise AdapterError(NOT_A_MODEL.format(call=call, got=kind))


def adapter(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """A model with one ridge, a copy of it with another, and two fits of the copy."""
    cls = namespace["Poisson"]

    def use(Y, O, X, ridge, new_ridge, penalized, n_iterations):
        model = cls(Y=Y, O=O, X=X, B=_start(Y, X), ridge=ridge, penalized=penalized)
        before = model.loss()
        changed = _checked(model.set(ridge=new_ridge), cls, "model.set(ridge=...)")
        after = changed.loss()
        fitted = _checked(changed.fit(n_iterations), cls, "model.fit(n_iterations)")
        B = fitted.B  # read before the next fit, which may change a model in place
        again = _checked(fitted.fit(n_iterations), cls, "model.fit(n_iterations)")
        return {"loss": before, "loss after set": after, "fitted B": B, "B fitted again": again.B}

    return use


# --- the reference: NumPy, with the gradient by hand --------------------------------------------


def _loss(Y, O, X, B, ridge, penalized):
    eta = O + X @ B
    shrunk = B if penalized == "all" else B[1:]
    return np.sum(np.exp(eta) - Y * eta + gammaln(Y + 1)) + ridge / 2 * np.sum(shrunk**2)


def _fit(Y, O, X, B, ridge, penalized, n_iterations):
    shrunk = np.ones_like(B)
    shrunk[0] = penalized == "all"
    for _ in range(n_iterations):
        expected = np.exp(O + X @ B)
        slope = X.T @ (expected - Y) + ridge * shrunk * B
        B = B - np.clip(slope / ((X**2).T @ expected + ridge), -1, 1)
    return B


def use(Y, O, X, ridge, new_ridge, penalized, n_iterations):
    """The losses with both ridges, and B after one fit and after two."""
    B, ridge, new_ridge = (np.asarray(a, Y.dtype) for a in (_start(Y, X), ridge, new_ridge))
    once = _fit(Y, O, X, B, new_ridge, penalized, n_iterations)
    return {
        "loss": _loss(Y, O, X, B, ridge, penalized),
        "loss after set": _loss(Y, O, X, B, new_ridge, penalized),
        "fitted B": once,
        "B fitted again": _fit(Y, O, X, once, new_ridge, penalized, n_iterations),
    }


# --- behaviour: each field changed by itself ----------------------------------------------------


def _models() -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a model, and other values of each; all in one shape."""
    rng = np.random.default_rng(PUBLIC_KEY)
    models = []
    for ridge, penalized in ((1.5, "all"), (6.0, "slopes")):
        Y, O, X = _counts(rng, 7, 3, 2)
        B = rng.uniform(0.1, 0.6, (2, 3)).astype(np.float32)
        models.append(dict(zip(FIELDS, (Y, O, X, B, ridge, penalized), strict=True)))
    return models[0], models[1]


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Take a model apart as jit does; change one field of a model after its loss was computed."""
    cls = namespace["Poisson"]
    fields, others = _models()
    model = cls(**others)
    apart = jax.tree.map(lambda leaf: leaf, model)
    for name in FIELDS:
        if not _is_near(getattr(apart, name, None), others[name]):
            yield {"lost": name}
    for name in FIELDS:
        model = cls(**fields)
        model.loss()
        changed = _checked(model.set(**{name: others[name]}), cls, f"model.set({name}=...)")
        yield {
            "field": name,
            "loss": changed.loss(),
            "changed": getattr(changed, name),
            "kept": getattr(model, name),
        }
    together = _checked(cls(**fields).set(**others), cls, "model.set(Y=..., O=..., ...)")
    yield {"together": {name: getattr(together, name) for name in FIELDS}}
    model = cls(**fields)
    model.fit(STEPS)
    yield {"field": "", "kept": model.B, "fitted again": model.fit(MORE_STEPS).B}
    for name in FIELDS:
        model = cls(**fields)
        model.fit(STEPS)
        changed = model.set(**{name: others[name]})
        yield {"refitted": name, "B": changed.fit(STEPS).B}


def _is_near(got: Any, right: Any) -> bool:
    if isinstance(right, str) or isinstance(got, str):
        return got == right
    return np.shape(got) == np.shape(right) and bool(np.allclose(got, right, 1e-4, 1e-4))


def decide(seen: Sequence[Any]) -> dict[str, str | Finding]:
    """Name the field whose change is not noticed, or is made in the model itself."""
    fields, others = _models()
    old = float(_loss(**fields))
    wrong: dict[str, str | Finding] = {}
    for one in seen:
        if "lost" in one:
            wrong.setdefault("outputs", LOST.format(field=one["lost"]))
            continue
        if "together" in one:
            for name in FIELDS:
                if not _is_near(one["together"][name], others[name]):
                    wrong.setdefault("outputs", SEVERAL.format(field=name))
            continue
        if "refitted" in one:
            if "purity" not in wrong and (text := _wrong_fit(one["refitted"], one["B"])):
                wrong.setdefault("outputs", text)
            continue
        name = one["field"]
        if not name:
            if not _is_near(one["kept"], fields["B"]):
                wrong.setdefault("purity", FIT_CHANGES.format(steps=STEPS))
            elif not _is_near(one["fitted again"], _fit(**fields, n_iterations=MORE_STEPS)):
                wrong.setdefault("outputs", SAME_STEPS.format(steps=STEPS, more=MORE_STEPS))
            continue
        right = float(_loss(**{**fields, name: others[name]}))
        if _is_near(one["loss"], old):
            is_set = _is_near(one["changed"], others[name])
            text = (STALE if is_set else UNCHANGED).format(field=name, got=old, right=right)
            rule = STALE if is_set else "wrong-output"
            wrong.setdefault("outputs", Finding.error(rule, text))
        if not _is_near(one["kept"], fields[name]):
            wrong.setdefault("purity", SET_CHANGES.format(field=name))
    return wrong


def _wrong_fit(name: str, B: Any) -> str | Finding | None:
    """What is wrong with the coefficients that were fitted after `name` was set, if anything."""
    fields, others = _models()
    old = _fit(**fields, n_iterations=STEPS)
    right = _fit(**{**fields, name: others[name]}, n_iterations=STEPS)
    if _is_near(B, right):
        return None
    if _is_near(B, old):
        return Finding.error(STALE, STALE_FIT.format(field=name, steps=STEPS))
    return WRONG_FIT.format(field=name, steps=STEPS)


rubric = Rubric(
    lesson="static_self",
    learned="methods and jit: why a static self misses changes; frozen models, changed copies",
    minutes=35,
    exercises=(
        BehaviourExercise(
            name="static_self",
            minutes=10,
            difficulty="medium",
            importance=2,
            entry_points=("Poisson",),
            adapter=adapter,
            draws=draws,
            reference=use,
            probe=probe,
            decide=decide,
            permits=("leaked-tracer",),
            points={"outputs": 3, "purity": 2, "compilations": 3},
            compilations=Compilations(programs=2, dispatches=4),
        ),
    ),
)
