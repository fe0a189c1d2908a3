"""The speed criterion of an exercise, from the rubric to a bundle and back."""

from dataclasses import replace

import numpy as np
import pytest

from autograder.classroom.marks import marks_of
from autograder.criteria.speed.bundle import BundleError, BundleWriter, read_bundle
from autograder.criteria.speed.child import load_exercise
from autograder.criteria.speed.results import read_results
from autograder.criteria.speed.standards import add_to_bundle, without_arrays
from autograder.grading.pipeline import grade_notebook
from autograder.grading.run import calls_to_export
from autograder.lessons.course import find_course
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.model.exercise import ProgramExercise, RubricError, Speed, speed_name
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.programs.exported import export_program
from autograder.render import text_card
from autograder.sandbox.cells import run_cells
from autograder.speed import main as time_bundle
from autograder.tests.helpers.timed_rubric import RIGHT, RUBRIC, UNROLLED


@pytest.fixture
def rubric(tmp_path):
    file = tmp_path / "loops.py"
    file.write_text(RUBRIC)
    return load_rubric(file)


@pytest.fixture
def grade(rubric, judge):
    def grade(source):
        notebook = Notebook("loops", (Cell("solution", source, "solution"),))
        (report,) = grade_notebook(notebook, "loops.ipynb", Terms(rubric, judge)).reports
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
    mark = marks_of(report)[speed_name(report.exercise)]
    assert (mark.points, mark.possible) == (0.0, 3.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "words"),
    [
        (LONG, "The compiled program is too large (10,001 operations): most likely an unrolled lo"),
        (SIDE_EFFECT, "The compiled program has side effects"),
    ],
    ids=["too-large", "side-effect"],
)
def test_what_cannot_be_timed_anywhere_has_failed(rubric, judge, source, words):
    """Only the call to time shows it, and no GPU is needed to see it."""
    notebook = Notebook("loops", (Cell("solution", source, "solution"),))
    graded = grade_notebook(notebook, "loops.ipynb", Terms(rubric, judge))
    (report,) = graded.reports
    assert report.criterion("outputs").status is Status.PASSED
    speed = report.criterion("speed")
    assert (speed.status, speed.earned, report.pending) == (Status.FAILED, 0, 0)
    assert words in speed.findings[0].message
    assert graded.programs == {}
    mark = marks_of(report)[speed_name(report.exercise)]
    assert (mark.points, mark.possible) == (0.0, 3.0)


def test_unrolled_loop(grade):
    report = grade(UNROLLED)
    finding = report.criterion("compilations").findings[0]
    assert finding.rule == "unrolled"
    assert report.criterion("outputs").status is Status.PASSED


KEY = 2**127 + 11
# Right for the calls that are checked; at the timed one it returns at once, or nearly.
ZEROS = RIGHT.replace("    return", "    if n == 20: return x * 0\n    return")
ONE_WRONG = ZEROS.replace("x * 0", "repeat(x, 19).at[:9].mul(2)")
PLATFORM = RIGHT.replace(
    "    return",
    """    if n == 20:
        right = lambda: repeat(x, 21)
        return jax.lax.platform_dependent(cpu=lambda: x, cuda=right)
    return""",
)


@pytest.fixture
def time_programs(rubric, tmp_path, monkeypatch):
    """Return the records of programs that were put in a bundle, and its entries."""
    monkeypatch.setenv("NPROC", "1")

    def time_programs(*sources, solution=()):
        known = replace(rubric, reference_solutions={"repeat": solution})
        drawn = known.draw("repeat", KEY)
        writer, entries = BundleWriter(tmp_path / "bundle"), []
        for source in sources:
            namespace: dict = {}
            exec(source, namespace)
            program = export_program(namespace["repeat"], calls_to_export(drawn)[-1])
            entries.append(add_to_bundle(writer, known, drawn.exercise, program.blob, KEY))
        bundle = writer.close()
        assert read_bundle(bundle).entries == tuple(entries)
        out = tmp_path / "results.json"
        assert time_bundle([str(bundle), "--device", "cpu", "--out", str(out)]) == 0
        records = read_results(out).records
        return [records[entry.result_key] for entry in entries], entries

    return time_programs


@pytest.mark.slow
def test_through_a_bundle(time_programs):
    (record,), (entry,) = time_programs(RIGHT)
    assert (entry.baseline_iterations, entry.program_iterations) == (4, 20)
    assert record["status"] == "pending"  # a CPU gives and takes no points
    assert record["information"] in ("passed", "failed", "inconclusive")
    assert (record["own_ratio"], entry.reference_solution, entry.solution) == (None, "", "")


@pytest.mark.slow
def test_what_is_timed_is_judged(time_programs, capsys):
    """Nothing else shows it: the calls that are checked are right, and it is very fast."""
    records, _ = time_programs(ZEROS, ONE_WRONG, PLATFORM)
    for record, wrong in zip(records, (20_000, None, None), strict=True):
        assert record["information"] == "failed"
        assert record["reason"].startswith("its time does not count, since for the call that is")
        assert wrong is None or f"{wrong} of the 20000 values" in record["reason"]
        assert record["ratio"] is None
    assert capsys.readouterr().out.count("failed") == 3


SLUGGISH = """
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    waste = lambda y: jax.lax.fori_loop(0, 30, lambda j, z: jnp.sin(z), y)
    return jax.lax.fori_loop(0, n, lambda i, y: jnp.sin(y) * 2 + 0 * waste(y), x)
"""


@pytest.mark.slow
def test_the_lessons_own_solution_decides(time_programs):
    """Many times its time is too slow, though the ratio to the baseline can be had by chance."""
    records, entries = time_programs(RIGHT, SLUGGISH, solution=(RIGHT,))
    assert all(entry.reference_solution and entry.solution for entry in entries)
    right, slow = records
    assert right["information"] in ("passed", "inconclusive"), right
    assert slow["information"] in ("failed", "inconclusive"), slow
    for record in records:
        if record["ratio"] is not None:
            assert record["own_ratio"] > 0 and record["factor"] == 3
            assert record["slower_low"] <= record["slower"] <= record["slower_high"]


@pytest.mark.slow
def test_a_solution_that_fails_is_the_rubrics_error(rubric, tmp_path):
    known = replace(rubric, reference_solutions={"repeat": ("1 / 0",)})
    exercise = known.exercise("repeat")
    with pytest.raises(RubricError, match="own solution of 'repeat' fails: ZeroDivisionError"):
        add_to_bundle(BundleWriter(tmp_path / "b"), known, exercise, b"", KEY)


GARBAGE = UNROLLED.replace(
    "    for _",
    """    if n > 3:
        return jax.lax.fori_loop(0, n, lambda i, x: jnp.sin(x) * 3, x)
    for _""",
)
LISTED = UNROLLED.replace(
    "    for _",
    """    if n in (8, 16, 20):
        return jax.lax.fori_loop(0, n, lambda i, x: jnp.sin(x) * 2, x)
    for _""",
)
RAISES = UNROLLED.replace("    for _", "    if n > 3: raise ValueError('not now')\n    for _")


@pytest.mark.parametrize(
    ("source", "criterion", "rule"),
    [
        (GARBAGE, "outputs", "wrong-output"),
        (LISTED, "compilations", "unrolled"),
        (RAISES, "compilations", "error"),
    ],
    ids=["garbage", "listed", "raises"],
)
@pytest.mark.parametrize("key", [PUBLIC_KEY, 2**128 - 5, 77])
def test_an_unrolled_loop_hides_at_no_length(rubric, judge, source, criterion, rule, key):
    """Where sizes are compared, results are too."""
    notebook = Notebook("loops", (Cell("solution", source, "solution"),))
    (report,) = grade_notebook(notebook, "loops.ipynb", Terms(rubric, judge, key)).reports
    found = report.criterion(criterion)
    assert (found.status, found.findings[0].rule) == (Status.FAILED, rule)
    assert report.criterion("compilations").earned == 0


ABSENT = ("nbgrader", "torch", "pyPLNmodels", "jupyterlab", "jupytext", "typer", "rich", "pandas")


@pytest.mark.slow
def test_eager_baseline_in_a_bundle(tmp_path, monkeypatch):
    """No program, but the rubric's function: found again by its lesson, refused if it changed.

    The machine that times it has JAX, NumPy, Optax and the kit, and cannot draw the oaks.
    """
    rubric = find_course().rubric("pytree_class")
    drawn = rubric.draw("pytree_class", 5)
    exercise = drawn.exercise
    assert exercise.speed is not None and exercise.speed.eager
    lesson = lesson_named("pytree_class")
    source = own_solution(lesson, "pytree_class")
    module, errors = run_cells(lesson_cells(lesson, "pytree_class", source), tmp_path)
    assert not errors
    program = export_program(exercise.function(vars(module)), calls_to_export(drawn)[-1])
    writer = BundleWriter(tmp_path / "bundle")
    entry = add_to_bundle(writer, rubric, exercise, program.blob, 5)
    writer.close()
    assert (entry.baseline, entry.eager, entry.lesson) == ("", True, "pytree_class")
    assert entry.reference_solution and entry.expected
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
    if record.get("ratio"):
        assert (
            record["own_ratio"] > 1 and 0.2 < record["slower"] < 5
        )  # it is the reference_solution
    with pytest.raises(BundleError, match="install the release of the kit that wrote the bundle"):
        load_exercise(replace(entry, rubric="0" * 64))


def test_an_eager_baseline_is_called_with_plain_values():
    assert without_arrays((np.zeros(3), 7, "exact")) == (None, 7, "exact")
    with pytest.raises(RubricError, match="called with arrays, numbers and strings, not with a di"):
        without_arrays((np.zeros(3), {"steps": 7}))


def test_an_eager_baseline_needs_a_lesson_of_the_kit(rubric, tmp_path):
    exercise = rubric.exercises[0]
    eager = replace(exercise, speed=replace(exercise.speed, eager=True))
    with pytest.raises(RubricError, match="must be of one of the kit's lessons"):
        add_to_bundle(BundleWriter(tmp_path / "b"), rubric, eager, b"", 5)


def lesson_named(name):
    return next(lesson for lesson in find_course().lessons() if lesson.name == name)


def test_points_and_baseline_go_together(rubric):
    with pytest.raises(RubricError, match=r"points for speed and `speed=Speed\(...\)` go together"):
        ProgramExercise(
            name="x",
            draws=lambda rng: [],
            reference=abs,
            points={"speed": 1},
        )
    with pytest.raises(RubricError, match="go together"):
        ProgramExercise(
            name="x",
            draws=lambda rng: [],
            reference=abs,
            points={"outputs": 1},
            speed=Speed(abs, 3.0, lambda rng: ()),
        )
