"""Lesson `containers`: the model in a NamedTuple, and in a dataclass with a static field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import jax
import numpy as np

from autograder.model.call_text import kind_of
from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._containers import note_changes, take_pair
from autograder.rubrics._draws import (
    LARGER,
    Array,
    Params,
    data,
    draw_fits,
    draw_loops,
    near_counts,
)

FITTED = ("B", "M", "log_S", "Omega")
ARRAYS = ("Y", "O", "X", *FITTED, "rate")

# --- named_tuple_carry: level 3, a NamedTuple that a scan carries -------------------------------

NOT_A_PLN = (
    "`fit` must return two things: a `PLN`, your NamedTuple, with the fields B, M, log_S and Omega "
    "as they are after the last iteration, and the ELBO before each iteration. It returns {got}."
)
NO_NAMED_TUPLE = (
    "`PLN` must stay a NamedTuple: `class PLN(NamedTuple)`. Change its fields, and keep what it is."
)


def open_tuple(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """`fit` with the student's NamedTuple taken apart."""
    fit, cls = namespace["fit"], namespace["PLN"]
    if not (isinstance(cls, type) and issubclass(cls, tuple) and hasattr(cls, "_fields")):
        raise AdapterError(NO_NAMED_TUPLE, cls)

    def fitted(Y, O, X, n_iterations):
        pln, trace = take_pair(fit(Y, O, X, n_iterations), cls, NOT_A_PLN)
        missing = [name for name in FITTED if not hasattr(pln, name)]
        if missing:
            got = f"{kind_of(pln)} first, without {', '.join(missing)}"
            raise AdapterError(NOT_A_PLN.format(got=got))
        return {name: getattr(pln, name) for name in FITTED}, trace

    return fitted


def fit(Y, O, X, n_iterations):
    """The fitted parameters by name, and the ELBO before each iteration."""
    params, Omega = near_counts(Y, O, X)
    params, Omega, trace, _ = _pln.fit(params, Omega, Y, O, X, n_iterations)
    return {**params, "Omega": Omega}, trace


# --- dataclass_pytree: level 3.5, a dataclass with data fields and a static one -----------------

ARRAYS_STATIC = (
    "{names}: static in your `Model`. What is static is part of the compiled program's key: it is "
    "compared at each call, which arrays cannot be, and its numbers are baked into the program. "
    "Arrays are always data; only `covariance`, a name, is static."
)
FORGOTTEN = (
    "Taken apart and put together again, as jit does, a `Model` with covariance {given!r} comes "
    "back with {got!r}. `tree_flatten` has to return it as aux data, and `tree_unflatten` to set "
    "it from there; `@register_dataclass` writes both."
)
NOT_A_MODEL = (
    "`fit_model` must return two things: the `Model` after the last iteration, and the ELBO before "
    "each iteration. It returns {got}."
)
IN_PLACE = (
    "`fit_model` changes the model that it is given: afterwards, its own `{name}` is another one, "
    "and nobody can fit again from the same start. Leave it as it is, and return a new model: "
    "`replace(model, B=B)`."
)
LOST = (
    "The `Model` that `fit_model` returns has {got} as its `{name}`, which was {given}. It is the "
    "whole model, with its data, its rate and its covariance: `replace(model, B=B)` keeps all that "
    "is not named."
)


def _start(Y: Any, X: Any) -> tuple[Params, Array]:
    """Where fits begin: not at zero, nor with the best Omega, so that it matters."""
    (n, p), d = np.shape(Y), np.shape(X)[1]
    starts = {"B": ((d, p), 0.2), "M": ((n, p), 0.3), "log_S": ((n, p), -0.4)}
    params = {name: np.full(shape, at, np.float32) for name, (shape, at) in starts.items()}
    return params, 1.5 * np.eye(p, dtype=np.float32)


def open_dataclass(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """A model made with the task's fields, fitted, and taken apart."""
    Model, fit_model = namespace["Model"], namespace["fit_model"]

    def fitted(Y, O, X, rate, covariance, n_iterations):
        params, Omega = _start(Y, X)
        model = Model(Y=Y, O=O, X=X, **params, Omega=Omega, rate=rate, covariance=covariance)
        leaves = jax.tree.leaves(model)
        # An unregistered class is one leaf itself: jit says so better.
        if not any(leaf is model for leaf in leaves):
            static = [n for n in ARRAYS if not any(getattr(model, n) is leaf for leaf in leaves)]
            if static:
                names = ", ".join(f"`{n}`" for n in static)
                raise AdapterError(ARRAYS_STATIC.format(names=names), Model)
            again = jax.tree.unflatten(jax.tree.structure(model), leaves)
            got = getattr(again, "covariance", None)
            if got != covariance:
                raise AdapterError(FORGOTTEN.format(got=got, given=covariance), Model)
        with note_changes(model, FITTED, IN_PLACE, fit_model):
            new, trace = take_pair(fit_model(model, n_iterations), Model, NOT_A_MODEL)
        for name in ("Y", "O", "X", "rate"):
            if np.shape(getattr(new, name)) != np.shape(getattr(model, name)):
                raise AdapterError(_lost(name, new, "an array"), fit_model)
        if new.covariance != covariance:
            raise AdapterError(_lost("covariance", new, repr(covariance)), fit_model)
        return {name: getattr(new, name) for name in FITTED}, trace

    return fitted


def _lost(name: str, model: Any, given: str) -> str:
    got = getattr(model, name)
    shown = repr(got) if isinstance(got, str) else kind_of(got)
    return LOST.format(name=name, got=shown, given=given)


def draw_models(rng: np.random.Generator) -> list[tuple]:
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


def draw_model_loops(rng: np.random.Generator) -> list[tuple]:
    """Numbers of iterations as for any loop, and one that is larger than the notebook's 300."""
    rate, few = np.float32(rng.uniform(0.05, 0.1)), int(rng.integers(12, 24))
    drawn = data(rng, 12, 3, 1)
    return [(*drawn, rate, "full", few + more) for more in (0, 20, 54, 300)]


def fit_model(Y, O, X, rate, covariance, n_iterations):
    """The fitted parameters by name, and the ELBO before each iteration."""
    params, Omega = _start(Y, X)
    params = {name: array.astype(Y.dtype) for name, array in params.items()}
    diagonal, Omega = covariance == "diagonal", Omega.astype(Y.dtype)
    params, Omega, trace, _ = _pln.fit(
        params, Omega, Y, O, X, n_iterations, rate=rate, diagonal=diagonal
    )
    return {**params, "Omega": Omega}, trace


rubric = Rubric(
    lesson="containers",
    learned="a model in a NamedTuple or a dataclass: changed copies, sizes from shapes, and which "
    "fields may be static",
    minutes=40,
    exercises=(
        ProgramExercise(
            name="named_tuple_carry",
            minutes=5,
            difficulty="medium",
            importance=3,
            entry_points=("fit", "PLN"),
            adapter=open_tuple,
            draws=draw_fits,
            reference=fit,
            curve=("ELBO", -1),
            speed=_pln.over_no_jit,
            points={"outputs": 4, "purity": 1, "compilations": 2, "speed": 1},
            loop=Loop(3, partial(draw_loops, most=1000)),
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="dataclass_pytree",
            minutes=5,
            difficulty="medium",
            importance=3,
            entry_points=("fit_model", "Model"),
            adapter=open_dataclass,
            draws=draw_models,
            reference=fit_model,
            curve=("ELBO", -1),
            points={"outputs": 4, "purity": 1, "compilations": 3},
            loop=Loop(5, draw_model_loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
