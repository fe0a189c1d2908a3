"""Lesson `named_tuple_carry`: level 3, the model in a NamedTuple that a scan carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograder.model.call_text import kind_of
from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._containers import take_pair
from autograder.rubrics._draws import draw_fits, draw_loops, start

FITTED = ("B", "M", "log_S", "Omega")
NOT_A_PLN = (
    "`fit` must return two things: a `PLN`, your NamedTuple, with the fields B, M, log_S and Omega "
    "as they are after the last iteration, and the ELBO before each iteration. It returns {got}."
)
NO_NAMED_TUPLE = (
    "`PLN` must stay a NamedTuple: `class PLN(NamedTuple)`. Change its fields, and keep what it is."
)


def adapter(namespace: Mapping[str, Any]) -> Callable[..., Any]:
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
    params, Omega, trace, _ = _pln.fit(start(Y, X)[0], Y, O, X, n_iterations)
    return {**params, "Omega": Omega}, trace


rubric = Rubric(
    lesson="named_tuple_carry",
    learned="a model as NamedTuple in the carry: `_replace`, and why sizes are no fields",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="named_tuple_carry",
            minutes=15,
            difficulty="medium",
            entry_points=("fit", "PLN"),
            adapter=adapter,
            draws=draw_fits,
            reference=fit,
            curve=("ELBO", -1),
            speed=_pln.over_no_jit,
            points={"outputs": 4, "purity": 1, "compilations": 2, "speed": 1},
            loop=Loop(3, draw_loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
