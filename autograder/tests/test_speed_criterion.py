"""The speed criterion of an exercise, from the rubric to a bundle and back."""

import ast
import subprocess
import sys
from dataclasses import replace

import jax
import numpy as np
import pytest

from autograder.authoring import find_lessons, kit_root
from autograder.card import text_card
from autograder.cells import run_cells
from autograder.grading import calls_to_export
from autograder.intake import Cell, Notebook
from autograder.program import Program, export_program
from autograder.report import Report, Status
from autograder.rubric import PUBLIC_KEY, Exercise, RubricError, Speed, load_rubric
from autograder.speed.__main__ import main as time_bundle
from autograder.speed.bundle import BundleError, BundleWriter, read_bundle
from autograder.speed.eager import load_eager, without_arrays
from autograder.speed.results import read_results
from autograder.speed_criterion import add_to_bundle, cpu_speed
from autograder.submission import grade_cells
from autograder.verification.graded import lesson_cells, own_solution

RUBRIC = """
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from autograder import Exercise, Rubric, Speed

def reference(x, n):
    for _ in range(n):
        x = np.sin(x) * 2
    return x

def slow(x, n):  # ten times the work
    step = lambda i, x: lax.fori_loop(0, 10, lambda j, y: jnp.sin(x) * 2, x)
    return lax.fori_loop(0, n, step, x)

rubric = Rubric("loops", (Exercise(
    name="repeat",
    draws=lambda rng: [(rng.normal(size=4).astype(np.float32), n) for n in (1, 3)],
    reference=reference,
    iterations=1,
    speed=Speed(
        baseline=slow,
        threshold=3.0,
        draw=lambda rng: (rng.normal(size=20_000).astype(np.float32), 20),
        baseline_iterations=4,
    ),
    points={"outputs": 2, "compilations": 1, "speed": 3},
),))
"""
RIGHT = """
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    return jax.lax.fori_loop(0, n, lambda i, x: jnp.sin(x) * 2, x)
"""
UNROLLED = """
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    for _ in range(n):
        x = jnp.sin(x) * 2
    return x
"""


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


def test_the_cpus_ratio_as_information(rubric, tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        f"{RIGHT}\nfrom autograder import check\n"
        "print(check('repeat', 'speed', rubric='loops.py').report.to_json())\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""
    report = Report.from_json(ast.literal_eval(done.stdout))
    (speed,) = report.criteria
    assert speed.status is Status.PENDING
    (finding,) = speed.findings
    assert finding.severity == "warning"
    assert "On this CPU" in finding.message
    assert "the points are given on a GPU, for 3 times" in finding.message


def test_a_baseline_that_fails_is_told(rubric):
    def broken(x, n):
        raise TypeError("no")

    exercise = rubric.exercise("repeat")
    exercise = replace(exercise, speed=replace(exercise.speed, baseline=broken, eager=True))
    (call,) = exercise.speed_calls(PUBLIC_KEY)
    program = export_program(jax.jit(lambda x, n: x * 2, static_argnums=1), call)
    finding, bars = cpu_speed(exercise, program, PUBLIC_KEY)
    assert (finding.rule, bars) == ("cpu-speed-failed", None)
    assert "TypeError." in finding.message


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
    entry = add_to_bundle(writer, rubric, exercise, program, 5)
    writer.close()
    assert read_bundle(tmp_path / "bundle").entries == (entry,)
    assert (entry.baseline_iterations, entry.program_iterations) == (4, 20)
    out = tmp_path / "results.json"
    assert time_bundle([str(tmp_path / "bundle"), "--device", "cpu", "--out", str(out)]) == 0
    record = read_results(out).records[entry.result_key]
    assert record["status"] == "pending"  # a CPU gives and takes no points
    assert record["information"] in ("passed", "failed", "inconclusive")


ABSENT = ("nbgrader", "torch", "pyPLNmodels", "jupyterlab", "jupytext", "typer", "rich", "pandas")


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
    entry = add_to_bundle(writer, rubric, exercise, program, 5)
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
        add_to_bundle(BundleWriter(tmp_path / "b"), rubric, eager, Program(b"", ()), 5)


def lesson_named(name):
    return next(lesson for lesson in find_lessons(kit_root()) if lesson.name == name)


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
