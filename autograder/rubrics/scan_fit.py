"""Lesson `scan_fit`: level 2, the loop of a fit as `lax.scan` in one program."""

from __future__ import annotations

from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics import _pln
from autograder.rubrics._draws import draw_fits, draw_loops, start


def fit(Y, O, X, n_iterations):
    """The parameters, the largest update of the last iteration, the ELBO before each iteration."""
    params, _, trace, moved = _pln.fit(start(Y, X)[0], Y, O, X, n_iterations)
    return params, moved, trace


rubric = Rubric(
    lesson="scan_fit",
    learned="a loop as lax.scan: the carry's types, one program, compiled once",
    minutes=35,
    exercises=(
        ProgramExercise(
            name="scan_fit",
            minutes=15,
            difficulty="medium",
            entry_points=("fit",),
            draws=draw_fits,
            reference=fit,
            scales={"[1]": 0.02},
            curve=("ELBO", -1),
            speed=_pln.over_no_jit,
            points={"outputs": 3, "purity": 1, "compilations": 3, "speed": 1},
            hints={
                "outputs": (
                    "Which of the three results does the card name?",
                    "`moved` is the largest change of the last iteration. The ELBO has one "
                    "entry for each iteration: `-value`, from before the update.",
                    "`elbos` is what the body returns second, stacked by scan: `(params, _, _, "
                    "moved), elbos = jax.lax.scan(body, carry, length=n_iterations)`.",
                ),
                "carry-type": (
                    "The message names a part of the carry. How does it start, and what is it "
                    "after one iteration?",
                    "`carry[3]` is `moved`: int32 at the start, float32 afterwards.",
                    "moved = jnp.zeros(()) is a float32, like largest(updates).",
                ),
                "purity": (
                    "What does `fit` leave behind, outside of what it returns?",
                    "What is to be kept of each iteration is the second thing that the body "
                    "returns: scan stacks it. No list is needed.",
                    "return (params, Omega, state, moved), -value",
                ),
                "compilations": (
                    "Call `fit` twice with the same sizes. What is compiled the second time?",
                    "`lax.scan` outside jit compiles its body at every call, because `body` is a "
                    "new function each time. Inside a jitted function it is compiled with it.",
                    "Put @jax.jit(static_argnames='n_iterations') above `def fit`.",
                ),
                "speed": (
                    "Does the body compute anything that does not change from step to step?",
                    "The body should hold one gradient, one update and one inverse, no more.",
                    "Compute what stays the same before the scan; use the value that "
                    "value_and_grad returns instead of calling elbo again.",
                ),
            },
            loop=Loop(3, draw_loops),
            compilations=Compilations(one_function=True),
        ),
    ),
)
