"""Lesson `scan_fit`: level 2, the loop of a fit as `lax.scan` in one program."""

from __future__ import annotations

from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._draws import draw_fits, draw_loops, near_counts


def fit(Y, O, X, n_iterations):
    """The parameters, the largest update of the last iteration, the ELBO before each iteration."""
    params, Omega = near_counts(Y, O, X)
    params, _, trace, moved = _pln.fit(params, Omega, Y, O, X, n_iterations)
    return params, moved, trace


rubric = Rubric(
    lesson="scan_fit",
    learned="a loop as lax.scan: the carry's types, one program, compiled once",
    minutes=35,
    exercises=(
        ProgramExercise(
            name="scan_fit",
            minutes=8,
            difficulty="medium",
            importance=3,
            entry_points=("fit",),
            draws=draw_fits,
            reference=fit,
            scales={"[1]": 0.02},
            curve=("ELBO", -1),
            speed=_pln.over_no_jit,
            points={"outputs": 3, "purity": 1, "compilations": 3, "speed": 1},
            loop=Loop(3, draw_loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
