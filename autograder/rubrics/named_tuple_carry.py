"""Lesson `named_tuple_carry`: level 3, the model in a NamedTuple that a scan carries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from autograder.model.call_text import kind_of
from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
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
        result = fit(Y, O, X, n_iterations)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise AdapterError(NOT_A_PLN.format(got=kind_of(result)))
        pln, trace = result
        if not hasattr(pln, "_fields"):
            got = f"{kind_of(pln)} first, which is no NamedTuple"
            raise AdapterError(NOT_A_PLN.format(got=got))
        if not isinstance(pln, cls):
            got = f"{kind_of(pln)} first, which is no `PLN`"
            raise AdapterError(NOT_A_PLN.format(got=got))
        missing = [name for name in FITTED if name not in getattr(pln, "_fields", ())]
        if missing:
            got = f"{kind_of(pln)} first, without {', '.join(missing)}"
            raise AdapterError(NOT_A_PLN.format(got=got))
        return {name: getattr(pln, name) for name in FITTED}, trace

    return fitted


def fit(Y, O, X, n_iterations):
    """The fitted parameters by name, and the ELBO before each iteration."""
    params, Omega, trace, _ = _pln.fit(start(Y, X)[0], Y, O, X, n_iterations)
    return {**params, "Omega": Omega}, trace


SIZES = (
    "Which fields of the NamedTuple are no arrays, and what are they inside the scan?",
    "`n` and `p` are Python integers when the tuple is made; in the carry of a scan every field is "
    "traced, and no array can be made with a traced size.",
    "Take sizes from shapes: `pln.Y.shape` is a tuple of plain integers, even while tracing. "
    "jnp.eye(pln.Y.shape[1]); n and p need no fields at all.",
)
REPLACE = (
    "Which line changes a field of `pln`?",
    "A NamedTuple cannot be changed. `pln._replace(B=..., M=...)` gives a new one with these "
    "fields exchanged.",
    "pln = pln._replace(B=B, M=M, log_S=log_S), and then "
    "pln = pln._replace(Omega=best_Omega(pln)): do not forget the `pln =`.",
)

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
            hints={
                "outputs": (
                    "Read the error: is it about changing a field, or about a size?",
                    "Fields are exchanged with `pln._replace(...)`, which returns a new tuple; "
                    "sizes come from `pln.Y.shape`, not from the fields n and p.",
                    "pln = pln._replace(B=B, M=M, log_S=log_S); pln = "
                    "pln._replace(Omega=best_Omega(pln)); and jnp.eye(pln.Y.shape[1]).",
                ),
                "immutable-container": REPLACE,
                "traced-shape": SIZES,
                "concrete-value": SIZES,
                "purity": (
                    "Does `fit` leave anything behind, besides what it returns?",
                    "No global model, no list: the new PLN goes into the carry and is returned.",
                    "return (pln, state), -value at the end of the body, and nothing else.",
                ),
                "compilations": (
                    "Is the scan inside a jitted function?",
                    "`fit` as given is jitted, with `n_iterations` static. Keep that.",
                    "Put @jax.jit(static_argnames='n_iterations') above `def fit`, and leave the "
                    "scan in it.",
                ),
                "speed": (
                    "Does the body compute anything that does not change from step to step?",
                    "One gradient, one update and one inverse an iteration are enough.",
                    "Use the value that value_and_grad returns instead of calling elbo again.",
                ),
            },
            loop=Loop(3, draw_loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
