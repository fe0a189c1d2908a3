"""Lesson `dataclass_pytree`: level 3.5, a dataclass with data fields and a static one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from autograder.model.call_text import kind_of
from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._containers import note_changes, take_pair
from autograder.rubrics._draws import LARGER, Array, Params, data, draw_loops

ARRAYS = ("Y", "O", "X", "B", "M", "log_S", "Omega", "rate")
FITTED = ("B", "M", "log_S", "Omega")

ARRAYS_STATIC = (
    "{names}: static in your `PLN`. What is static is part of the compiled program's key: it is "
    "compared at each call, which arrays cannot be, and its numbers are baked into the program. "
    "Arrays are always data; only `covariance`, a name, is static."
)
FORGOTTEN = (
    "Taken apart and put together again, as jit does, a `PLN` with covariance {given!r} comes back "
    "with {got!r}. `tree_flatten` has to return it as aux data, and `tree_unflatten` to set it "
    "from there; `@register_dataclass` writes both."
)
NOT_A_PLN = (
    "`fit` must return two things: the `PLN` after the last iteration, and the ELBO before each "
    "iteration. It returns {got}."
)
IN_PLACE = (
    "`fit` changes the model that it is given: afterwards, its own `{name}` is another one, and "
    "nobody can fit again from the same start. Leave it as it is, and return a new model: "
    "`replace(pln, B=B)`."
)
LOST = (
    "The `PLN` that `fit` returns has {got} as its `{name}`, which was {given}. It is the whole "
    "model, with its data, its rate and its covariance: `replace(pln, B=B)` keeps all that is not "
    "named."
)


def _start(Y: Any, X: Any) -> tuple[Params, Array]:
    """Where fits begin: not at zero, nor with the best Omega, so that it matters."""
    (n, p), d = np.shape(Y), np.shape(X)[1]
    starts = {"B": ((d, p), 0.2), "M": ((n, p), 0.3), "log_S": ((n, p), -0.4)}
    params = {name: np.full(shape, at, np.float32) for name, (shape, at) in starts.items()}
    return params, 1.5 * np.eye(p, dtype=np.float32)


def adapter(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """A model made with the task's fields, fitted, and taken apart."""
    PLN, fit = namespace["PLN"], namespace["fit"]

    def fitted(Y, O, X, rate, covariance, n_iterations):
        params, Omega = _start(Y, X)
        model = PLN(Y=Y, O=O, X=X, **params, Omega=Omega, rate=rate, covariance=covariance)
        leaves = jax.tree.leaves(model)
        # An unregistered class is one leaf itself: jit says so better.
        if not any(leaf is model for leaf in leaves):
            static = [n for n in ARRAYS if not any(getattr(model, n) is leaf for leaf in leaves)]
            if static:
                names = ", ".join(f"`{n}`" for n in static)
                raise AdapterError(ARRAYS_STATIC.format(names=names), PLN)
            again = jax.tree.unflatten(jax.tree.structure(model), leaves)
            got = getattr(again, "covariance", None)
            if got != covariance:
                raise AdapterError(FORGOTTEN.format(got=got, given=covariance), PLN)
        with note_changes(model, FITTED, IN_PLACE, fit):
            pln, trace = take_pair(fit(model, n_iterations), PLN, NOT_A_PLN)
        for name in ("Y", "O", "X", "rate"):
            if np.shape(getattr(pln, name)) != np.shape(getattr(model, name)):
                raise AdapterError(_lost(name, pln, "an array"), fit)
        if pln.covariance != covariance:
            raise AdapterError(_lost("covariance", pln, repr(covariance)), fit)
        return {name: getattr(pln, name) for name in FITTED}, trace

    return fitted


def _lost(name: str, pln: Any, given: str) -> str:
    got = getattr(pln, name)
    shown = repr(got) if isinstance(got, str) else kind_of(got)
    return LOST.format(name=name, got=shown, given=given)


def draws(rng: np.random.Generator) -> list[tuple]:
    """Two data sets and rates of one size, a single sample; diagonal models of two sizes.

    One is larger than the oaks. The counts of the last are all equal, with covariates of the first.
    """
    cases = (
        (6, 5, 2, "full", 3),
        (6, 5, 2, "full", 3),
        (6, 5, 2, "diagonal", 3),
        (1, 3, 1, "full", 3),
        (*LARGER, 1, "diagonal", 1),
    )
    calls = [
        (*data(rng, n, p, d), np.float32(rng.uniform(0.05, 0.3)), covariance, iterations)
        for n, p, d, covariance, iterations in cases
    ]
    Y, O, X, _, *setting = calls[0]
    equal, rate = np.full_like(Y, rng.integers(1, 9)), np.float32(rng.uniform(0.05, 0.3))
    return [*calls, (equal, O.copy(), X.copy(), rate, *setting)]


def loops(rng: np.random.Generator) -> list[tuple]:
    """Numbers of iterations as for any loop, and one that is larger than the notebook's 200."""
    calls, rate = draw_loops(rng), np.float32(rng.uniform(0.05, 0.1))
    return [(*drawn, rate, "full", iterations) for *drawn, iterations in calls]


def fit(Y, O, X, rate, covariance, n_iterations):
    """The fitted parameters by name, and the ELBO before each iteration."""
    params, Omega = _start(Y, X)
    params = {name: array.astype(Y.dtype) for name, array in params.items()}
    diagonal, Omega = covariance == "diagonal", Omega.astype(Y.dtype)
    params, Omega, trace, _ = _pln.fit(
        params, Y, O, X, n_iterations, rate=rate, diagonal=diagonal, begin=Omega
    )
    return {**params, "Omega": Omega}, trace


rubric = Rubric(
    lesson="dataclass_pytree",
    learned="a dataclass as a pytree: data fields, static fields, and why arrays are never static",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="dataclass_pytree",
            minutes=15,
            difficulty="medium",
            entry_points=("fit", "PLN"),
            adapter=adapter,
            draws=draws,
            reference=fit,
            curve=("ELBO", -1),
            points={"outputs": 4, "purity": 1, "compilations": 3},
            loop=Loop(5, loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
