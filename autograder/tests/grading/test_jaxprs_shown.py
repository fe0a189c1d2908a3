"""Beside right outputs, a notebook's card shows how the jaxpr differs from the lesson's own."""

from __future__ import annotations

import pytest

from autograder.grading.pipeline import grade_attempts
from autograder.lessons.solutions import lesson_cells, own_solution, with_reference_solutions
from autograder.lessons.verification.in_process import as_notebook
from autograder.model.figures import JaxprDiff, JaxprLine
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.terms import Terms
from autograder.sandbox.cells import run_cells
from autograder.sandbox.exercise_observation import observe
from autograder.sandbox.worker_part import worker_part
from autograder.tests.helpers.drawn import whole_notebook

NAME = "traced_branch"
WITH_WHERE = """
@jax.jit
def latent_variance(counts):
    mean, variance = counts.mean(), counts.var()
    return jnp.where(variance > mean, jnp.log(1 + (variance - mean) / mean**2), 0.0)
"""


@pytest.fixture
def figure(lessons, judge, tmp_path):
    """Return the figure beside the outputs of a solution cell."""
    lesson = lessons[NAME]
    only = with_reference_solutions(lesson).only([NAME])

    class Observer:
        def __init__(self, module):
            self.module = module

        def observe(self, attempt, calls):
            return {drawn.name: observe(drawn, self.module, some) for drawn, some in calls.items()}

    def grade(source, *, key=PUBLIC_KEY):
        with as_notebook():
            module, errors = run_cells(lesson_cells(lesson, NAME, source), tmp_path)
            assert not errors
            terms = Terms(only, judge, key, timed=False, with_figures=True)
            graded = grade_attempts([whole_notebook((), NAME)], terms, Observer(module))
        return graded.reports[0].criterion("outputs").figure

    return grade


@pytest.mark.slow
def test_the_lessons_solution_does_not_differ(figure, lessons):
    assert figure(own_solution(lessons[NAME], NAME)) == JaxprDiff(())


@pytest.mark.slow
def test_where_instead_of_cond(figure):
    lines = figure(WITH_WHERE).lines
    assert JaxprLine("lesson", "float32[] = cond") in lines
    assert JaxprLine("yours", "float32[] = where") in lines


@pytest.mark.slow
def test_nothing_is_shown_of_wrong_outputs_or_to_a_grader(figure):
    assert figure(WITH_WHERE.replace("0.0", "1.0")) is None
    assert figure(WITH_WHERE, key=2**100) is None


def test_a_worker_of_a_class_traces_nothing_for_it(lessons):
    drawn = lessons[NAME].rubric.draw(NAME, PUBLIC_KEY)
    assert drawn.exercise.jaxpr
    assert not worker_part(drawn).exercise.jaxpr
