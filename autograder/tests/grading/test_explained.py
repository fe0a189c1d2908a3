"""Hints and figures in a report, from the student's cell to the JSON; no mark hangs on them."""

import json

import jax
import numpy as np
import pytest

from autograder.criteria.outputs.references import draw_curve
from autograder.criteria.speed.decision import with_speed
from autograder.grading.pipeline import grade_observation
from autograder.grading.run import calls_to_export
from autograder.judge.client import judge_curve
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.lessons.verification.in_process import as_notebook
from autograder.model.figures import MAX_POINTS, CallEffect, Curve, SpeedBars, Timeline
from autograder.model.notebook import Cell
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.programs.exported import abstract, export_program
from autograder.programs.runner import LocalRunner
from autograder.sandbox.cells import run_cells
from autograder.sandbox.exercise_observation import observe
from autograder.tests.helpers.fast_tier import mostly_slow

RUBRIC = """
import numpy as np
from autograder import Loop, ProgramExercise, Rubric


def halved(x, n):
    sizes = []
    for _ in range(n):
        sizes.append(np.sum(x))
        x = x / 2
    return x, np.array(sizes, x.dtype)


rubric = Rubric(
    "halves",
    (
        ProgramExercise(
            name="halved",
            draws=lambda rng: [(rng.uniform(1, 2, size=4).astype(np.float32), 3)] * 2,
            reference=halved,
            curve=("size", -1),
            points={"outputs": 2, "compilations": 1},
            hints={"outputs": ("one", "two", "three")},
            loop=Loop(1),
        ),
    ),
)
"""
RIGHT = """
import jax, jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnums=1)
def halved(x, n):
    return jax.lax.scan(lambda x, _: (x / 2, jnp.sum(x)), x, length=n)
"""
WRONG = RIGHT.replace("x / 2,", "x / 4,")
UNROLLED = """
import jax, jax.numpy as jnp
from functools import partial

@partial(jax.jit, static_argnums=1)
def halved(x, n):
    sizes = []
    for _ in range(n):
        sizes.append(jnp.sum(x))
        x = x / 2
    return x, jnp.array(sizes)
"""


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    file = tmp_path_factory.mktemp("rubric") / "halves.py"
    file.write_text(RUBRIC)
    return load_rubric(file)


@pytest.fixture(scope="module")
def graded(rubric, judge, tmp_path_factory):
    def graded(source: str, with_figures: bool = True, key: int = PUBLIC_KEY) -> Report:
        drawn = rubric.draw("halved", key)
        cells = [Cell("solution", source, "solution")]
        with as_notebook():
            module, errors = run_cells(cells, tmp_path_factory.mktemp("cells"))
        assert errors == []
        seen = observe(drawn, module, calls_to_export(drawn))
        terms = Terms(rubric, judge, key, timed=False, with_figures=with_figures)
        return grade_observation(drawn, seen, terms)

    return graded


def finite(values: tuple[float | None, ...]) -> list[float]:
    """The values of a curve, of which none is missing."""
    assert None not in values
    return [value for value in values if value is not None]


def test_right_program(graded):
    report = graded(RIGHT)
    assert report.status is Status.PASSED
    outputs, compilations = report.criteria
    assert isinstance(outputs.figure, Curve)
    assert len(outputs.figure.values) >= 24
    values, reference = finite(outputs.figure.values), finite(outputs.figure.reference)
    np.testing.assert_allclose(values, reference, rtol=1e-5)
    assert isinstance(compilations.figure, Timeline)
    assert [seen.effect for seen in compilations.figure.calls] == [
        CallEffect.COMPILED,
        CallEffect.REUSED,
        CallEffect.REUSED,
    ]
    assert outputs.hints == compilations.hints == ()
    assert Report.from_json(json.loads(json.dumps(report.to_json()))) == report


def test_wrong_program(graded):
    outputs, compilations = graded(WRONG).criteria
    assert outputs.hints == ("one", "two", "three")
    assert isinstance(outputs.figure, Curve)
    values, reference = finite(outputs.figure.values[:2]), finite(outputs.figure.reference[:2])
    assert values[1] == pytest.approx(reference[1] / 2, rel=1e-4)
    assert (compilations.status, compilations.figure) == (Status.NOT_GRADED, None)


def test_an_unrolled_loop_has_no_curve(graded):
    outputs, compilations = graded(UNROLLED).criteria
    assert outputs.figure is None
    assert compilations.status is Status.FAILED
    assert compilations.hints == ()  # the rubric has none


def test_the_same_submission_gives_the_same_report(graded):
    first, second = (json.dumps(graded(WRONG).to_json()) for _ in range(2))
    assert first == second


def test_where_nobody_looks_no_curve_is_drawn(graded):
    assert graded(RIGHT, key=2**100).criterion("outputs").figure is None
    without, with_figures = graded(RIGHT, with_figures=False), graded(RIGHT)
    assert without.criterion("outputs").figure is None
    assert without.earned == with_figures.earned == 3


@pytest.mark.slow
def test_a_program_that_does_not_end_has_no_curve(rubric, judge):
    endless = lambda x: jax.lax.while_loop(lambda y: y[0] > 0, lambda y: y + 1, x)
    program = export_program(jax.jit(endless), (np.ones(4, np.float32),))
    assert judge_curve(judge, rubric.draw("halved", PUBLIC_KEY), program.blob, seconds=1.0) is None


def test_a_program_with_other_results_has_no_curve(rubric, judge):
    program = export_program(jax.jit(lambda x: (x, x)), (np.ones(4, np.float32),))
    assert judge_curve(judge, rubric.draw("halved", PUBLIC_KEY), program.blob, seconds=60.0) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    mostly_slow(["pytree_class", "scan_fit", "named_tuple_carry", "dataclass_pytree"]),
)
def test_a_lessons_solution_lies_on_the_reference(name, lessons, tmp_path):
    having = [one for one in lessons.values() if name in {e.name for e in one.rubric.exercises}]
    (lesson,) = having
    drawn = lesson.rubric.draw(name, PUBLIC_KEY)
    cells = lesson_cells(lesson, name, own_solution(lesson, name))
    with as_notebook():
        module, errors = run_cells(cells, tmp_path)
        assert not errors
        call = abstract(drawn.unrolling_calls[-1])
        program = export_program(drawn.exercise.function(vars(module)), call)
    curve = draw_curve(drawn, program.blob, LocalRunner())
    assert curve is not None
    assert curve.name == "ELBO"
    assert len(curve.values) == min(call[drawn.exercise.loop.argument], MAX_POINTS)
    values = finite(curve.values)
    np.testing.assert_allclose(values, finite(curve.reference), rtol=1e-4)
    assert values[-1] > values[0]  # it climbs


def test_what_a_gpu_measured_is_drawn():
    speed = CriterionResult("speed", Status.PENDING, 0.0, 3.0, "proved")
    timed = {"status": "passed", "ratio": 20.0, "low": 18.0, "high": 21.0, "threshold": 10.0}
    report = with_speed(Report("l", "e", (speed,)), timed)
    assert report.criterion("speed").figure == SpeedBars(20.0, 18.0, 21.0, 10.0, "GPU")
    failed = with_speed(Report("l", "e", (speed,)), {"status": "failed", "reason": "It ran away."})
    assert failed.criterion("speed").figure is None
