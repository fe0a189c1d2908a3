"""The speed criterion of an exercise, from the rubric to a bundle and back."""

from dataclasses import replace

import jax
import numpy as np
import pytest

from autograder.classroom.marks import speed_mark
from autograder.core.notebook import Cell, Notebook
from autograder.core.program import export_program
from autograder.core.report import Status
from autograder.core.rubric import PUBLIC_KEY, Exercise, RubricError, Speed
from autograder.core.rubric_files import load_rubric
from autograder.criteria.speed.bundle import (
    BundleError,
    BundleWriter,
    add_to_bundle,
    read_bundle,
    without_arrays,
)
from autograder.criteria.speed.results import read_results
from autograder.criteria.speed.timing_child import load_eager
from autograder.grading.pipeline import grade_cells
from autograder.grading.run import calls_to_export
from autograder.lessons.course import find_course
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.render import text_card
from autograder.sandbox.cells import run_cells
from autograder.speed import main as time_bundle
from autograder.tests.loops import RIGHT, RUBRIC, UNROLLED


@pytest.fixture
def rubric(tmp_path):
    file = tmp_path / "loops.py"
    file.write_text(RUBRIC)
    return load_rubric(file)


@pytest.fixture
def grade(rubric, judge):
    def grade(source):
        notebook = Notebook("loops", (Cell("solution", source, "solution"),))
        (report,) = grade_cells(notebook, "loops.ipynb", rubric, judge, PUBLIC_KEY).reports
        return report

    return grade


def test_pending_without_a_gpu(grade):
    report = grade(RIGHT)
    assert report.mark() == "3 / 3 (+3 pending)"
    assert report.status is Status.PENDING
    speed = report.criterion("speed")
    assert (speed.status, speed.reason) == (Status.PENDING, "needs a GPU")
    assert speed.findings == ()  # timing takes long, and must be asked for
    assert "needs a GPU" in text_card(report)


WRONG = RIGHT.replace("* 2", "* 3")
# Fifteen thousand operations for the call to time, a few for those that are judged.
LONG = UNROLLED.replace("range(n)", "range(n if n < 20 else 5000)")
SIDE_EFFECT = RIGHT.replace("    return", "    if n == 20: jax.debug.print('{x}', x=x)\n    return")


def test_wrong_outputs_are_never_timed(grade):
    """No GPU will say more: the points are lost, not pending."""
    report = grade(WRONG)
    speed = report.criterion("speed")
    assert (speed.status, speed.reason, speed.earned) == (Status.NOT_GRADED, "outputs-first", 0)
    assert (report.mark(), report.pending, report.status) == ("0 / 6", 0, Status.FAILED)
    assert (speed_mark(report).points, speed_mark(report).possible) == (0.0, 3.0)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (LONG, "The compiled program is too large (15,001 operations): most likely an unrolled lo"),
        (SIDE_EFFECT, "The compiled program has side effects"),
    ],
    ids=["too-large", "no-export"],
)
def test_what_cannot_be_timed_anywhere_has_failed(rubric, judge, source, said):
    """Only the call to time shows it, and no GPU is needed to see it."""
    notebook = Notebook("loops", (Cell("solution", source, "solution"),))
    graded = grade_cells(notebook, "loops.ipynb", rubric, judge, PUBLIC_KEY)
    (report,) = graded.reports
    assert report.criterion("outputs").status is Status.PASSED
    speed = report.criterion("speed")
    assert (speed.status, speed.earned, report.pending) == (Status.FAILED, 0, 0)
    assert said in speed.findings[0].message
    assert graded.programs == {}
    assert (speed_mark(report).points, speed_mark(report).possible) == (0.0, 3.0)


def test_unrolled_loop(grade):
    report = grade(UNROLLED)
    finding = report.criterion("compilations").findings[0]
    assert finding.rule == "unrolled"
    assert report.criterion("outputs").status is Status.PASSED


def test_through_a_bundle(rubric, tmp_path):
    exercise = rubric.exercises[0]
    namespace: dict = {}
    exec(RIGHT, namespace)
    program = export_program(namespace["repeat"], calls_to_export(exercise, 5)[-1])
    writer = BundleWriter(tmp_path / "bundle")
    entry = add_to_bundle(writer, rubric, exercise, program.blob, 5)
    writer.close()
    assert read_bundle(tmp_path / "bundle").entries == (entry,)
    assert (entry.baseline_iterations, entry.program_iterations) == (4, 20)
    out = tmp_path / "results.json"
    assert time_bundle([str(tmp_path / "bundle"), "--device", "cpu", "--out", str(out)]) == 0
    record = read_results(out).records[entry.result_key]
    assert record["status"] == "pending"  # a CPU gives and takes no points
    assert record["information"] in ("passed", "failed", "inconclusive")


ABSENT = ("nbgrader", "torch", "pyPLNmodels", "jupyterlab", "jupytext", "typer", "rich", "pandas")


@pytest.mark.slow
def test_eager_baseline_in_a_bundle(tmp_path, monkeypatch):
    """No program, but the rubric's function: found again by its lesson, refused if it changed.

    The machine that times it has JAX, NumPy, Optax and the kit, and cannot draw the oaks.
    """
    rubric = load_rubric("pytree_class")
    exercise = rubric.exercises[0]
    assert exercise.speed is not None and exercise.speed.eager
    lesson = lesson_named("pytree_class")
    source = own_solution(lesson, "pytree_class")
    module, errors = run_cells(lesson_cells(lesson, "pytree_class", source), tmp_path)
    assert not errors
    program = export_program(exercise.function(vars(module)), calls_to_export(exercise, 5)[-1])
    writer = BundleWriter(tmp_path / "bundle")
    entry = add_to_bundle(writer, rubric, exercise, program.blob, 5)
    writer.close()
    assert (entry.baseline, entry.eager) == ("", "pytree_class")
    assert read_bundle(tmp_path / "bundle").entries == (entry,)
    for name in ABSENT:
        file = tmp_path / "absent" / f"{name}.py"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"raise ModuleNotFoundError({name!r}, name={name!r})")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "absent"))
    out = tmp_path / "results.json"
    assert time_bundle([str(tmp_path / "bundle"), "--device", "cpu", "--out", str(out)]) == 0
    record = read_results(out).records[entry.result_key]
    assert record["status"] == "pending"
    assert "could not begin" not in record["reason"]  # more than that, a busy machine cannot tell
    assert record["information"] in ("passed", "inconclusive"), record["reason"]
    with pytest.raises(BundleError, match="install the release of the kit that wrote the bundle"):
        load_eager(replace(entry, rubric="0" * 64), jax.devices("cpu")[0])


def test_an_eager_baseline_is_called_with_plain_values():
    assert without_arrays((np.zeros(3), 7, "exact")) == (None, 7, "exact")
    with pytest.raises(RubricError, match="called with arrays, numbers and strings, not with a di"):
        without_arrays((np.zeros(3), {"steps": 7}))


def test_an_eager_baseline_needs_a_lesson_of_the_kit(rubric, tmp_path):
    exercise = rubric.exercises[0]
    eager = replace(exercise, speed=replace(exercise.speed, eager=True))
    with pytest.raises(RubricError, match="an eager baseline must be of one of the kit's lessons"):
        add_to_bundle(BundleWriter(tmp_path / "b"), rubric, eager, b"", 5)


def lesson_named(name):
    return next(lesson for lesson in find_course().lessons() if lesson.name == name)


def test_points_and_baseline_go_together(rubric):
    with pytest.raises(RubricError, match=r"points for speed and `speed=Speed\(...\)` go together"):
        Exercise(name="x", draws=lambda rng: [], reference=abs, points={"speed": 1})
    with pytest.raises(RubricError, match="go together"):
        Exercise(
            name="x",
            draws=lambda rng: [],
            reference=abs,
            points={"outputs": 1},
            speed=Speed(abs, 3.0, lambda rng: ()),
        )
