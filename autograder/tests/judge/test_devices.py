"""Exercises for several devices: in the worker, in the judge, and in a notebook's kernel."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.grading.pipeline import grade_notebook
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge, JudgePool
from autograder.model.exercise import ProgramExercise, RubricError, Speed
from autograder.model.notebook import Cell, Notebook
from autograder.model.program import ProgramError
from autograder.model.report import Report, Status
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.programs.exported import load_program
from autograder.programs.runner import LocalRunner
from autograder.render.score import REPORT_MIME
from autograder.sandbox import PlainWorkers, Processes, Zygotes, shared_zygotes
from autograder.sandbox.runner_client import ConfinedRunner, runner_limits
from autograder.tests.helpers.drawn import whole_notebook

RUBRIC = """
import numpy as np
from autograder import ProgramExercise, Rubric

rubric = Rubric(
    "column_sums",
    (
        ProgramExercise(
            name="column_sums",
            devices=4,
            draws=lambda rng: [(rng.normal(size=(8, 3)).astype(np.float32),)],
            reference=lambda counts: counts.sum(axis=0),
            points={"outputs": 2, "purity": 1, "compilations": 1},
        ),
    ),
)
"""
DEVICES = 'import jax\njax.config.update("jax_num_cpu_devices", 4)\n'
RIGHT = """
import jax, jax.numpy as jnp
from functools import partial
from jax.sharding import AxisType, PartitionSpec as P

mesh = jax.make_mesh((4,), ("samples",), (AxisType.Auto,))

@jax.jit
@partial(jax.shard_map, mesh=mesh, in_specs=P("samples"), out_specs=P(), check_vma=False)
def column_sums(counts):
    return jax.lax.psum(counts.sum(axis=0), "samples")
"""
OWN_PART = RIGHT.replace('jax.lax.psum(counts.sum(axis=0), "samples")', "counts.sum(axis=0)")
ONE_DEVICE = """
import jax
@jax.jit
def column_sums(counts):
    return counts.sum(axis=0)
"""


@pytest.fixture
def rubric(tmp_path: Path) -> Rubric:
    file = tmp_path / "column_sums.py"
    file.write_text(RUBRIC)
    return load_rubric(file)


def grade(
    rubric: Rubric,
    source: str,
    judge: Judge | JudgePool,
    workers: PlainWorkers | None = None,
    key: int = PUBLIC_KEY,
) -> Report:
    notebook = Notebook(rubric.lesson, (Cell("solution", source, "solution"),))
    terms, worker = Terms(rubric, judge, key), Processes(workers=workers or shared_zygotes())
    return grade_notebook(notebook, "x.ipynb", terms, worker).reports[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "status"),
    [(RIGHT, Status.PASSED), (OWN_PART, Status.FAILED), (ONE_DEVICE, Status.PASSED)],
)
def test_graded_with_four_devices(
    rubric: Rubric, judge: Judge, source: str, status: Status
) -> None:
    report = grade(rubric, source, judge, key=7)
    assert report.criterion("outputs").status is status
    assert judge.devices == 4


@pytest.mark.gate
def test_cells_may_set_the_number_that_they_have(rubric: Rubric, judge: Judge) -> None:
    assert grade(rubric, DEVICES + RIGHT, judge).status is Status.PASSED
    other = grade(rubric, DEVICES.replace("4", "2") + RIGHT, judge)
    assert "before backends are initialized" in str(other.criteria)


@pytest.mark.slow
def test_a_learners_worker_has_four_devices_too(rubric: Rubric, judge: Judge) -> None:
    workers = PlainWorkers()
    try:
        assert grade(rubric, RIGHT, judge, workers).status is Status.PASSED
    finally:
        workers.close()


@pytest.mark.slow
def test_a_classs_judges_have_as_many_devices_as_each_lesson_needs(rubric: Rubric) -> None:
    pool = JudgePool()
    shape = load_rubric("static_reshape")
    flat = "import jax, jax.numpy as jnp\n@jax.jit\ndef rank_abundance(counts):\n" + (
        "    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)"
    )
    try:
        assert grade(rubric, RIGHT, pool, key=7).status is Status.PASSED
        (judge,) = pool._all
        assert judge.devices == 4
        assert grade(shape, flat, pool, key=7).status is Status.PASSED
        assert judge.devices == 1
    finally:
        pool.close()


@pytest.mark.slow
def test_a_program_for_four_devices_needs_an_exercise_for_four(rubric: Rubric) -> None:
    drawn = rubric.draw("column_sums", PUBLIC_KEY)
    attempt = whole_notebook([Cell("solution", RIGHT, "solution")], drawn.name)
    seen = Processes(second=False).observe(attempt, {drawn: calls_to_export(drawn)})
    program = seen[drawn.name].programs[0]
    assert program is not None
    assert load_program(program.blob, 4).nr_devices == 4
    zygotes = Zygotes(("runner",))
    try:
        with ConfinedRunner(zygotes, runner_limits(60.0)) as confined:
            for refuse in (load_program, LocalRunner(2).inspect, confined.inspect):
                with pytest.raises(ProgramError, match="made for 4 x") as error:
                    refuse(program.blob)
                assert error.value.rule == "foreign"
        with ConfinedRunner(zygotes, runner_limits(60.0), devices=4) as confined:
            assert confined.run(program.blob, rubric.draw("column_sums", 3).calls[0])[0].shape == (
                3,
            )
    finally:
        zygotes.close()


def test_speed_is_measured_on_one_device() -> None:
    def draws(rng: object) -> list[tuple]:
        return [()]

    speed = Speed(baseline=len, threshold=2.0, draw=lambda rng: ())
    for devices, timed, words in (
        (0, None, "it needs at least one device"),
        (2, speed, "`speed` is measured on one device"),
    ):
        with pytest.raises(RubricError, match=words):
            ProgramExercise(
                name="f",
                points={"outputs": 1, "speed": 1} if timed else {"outputs": 1},
                draws=draws,
                reference=len,
                speed=timed,
                devices=devices,
            )


def run_in_kernel(*sources: str, folder: Path = Path()) -> Report:
    """Run cells in a kernel, in a folder, and return the report that the last one shows."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    options: dict[str, Any] = {"timeout": 300, "kernel_name": "python3", "allow_errors": True}
    where = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, resources=where, **options).execute()
    (result,) = notebook["cells"][-1]["outputs"]
    return Report.from_json(result["data"][REPORT_MIME])


@pytest.mark.slow
@pytest.mark.parametrize("source", [RIGHT, OWN_PART])
def test_a_kernel_with_one_device_has_the_cells_run_again(rubric: Rubric, source: str) -> None:
    check = f"check('column_sums', rubric={rubric.source!r})"
    late = ("from autograder import check", "import jax; jax.numpy.ones(3)", "%time 1")
    report = run_in_kernel(*late, DEVICES, source, check, "1 / 0", check)
    assert report.criterion("outputs").status is (
        Status.PASSED if source is RIGHT else Status.FAILED
    )
    assert "have run again in a process with 4" in " ".join(report.notes)
    early = run_in_kernel("from autograder import check", DEVICES, source, check)
    assert [c.status for c in early.criteria] == [c.status for c in report.criteria]
    assert "again" not in " ".join(early.notes)


@pytest.mark.slow
def test_cells_that_run_again_find_the_files_beside_them(rubric: Rubric, tmp_path: Path) -> None:
    (tmp_path / "axis.txt").write_text("0")
    source = 'AXIS = int(open("axis.txt").read())\n' + RIGHT.replace("axis=0", "axis=AXIS")
    check = f"check('column_sums', rubric={rubric.source!r})"
    report = run_in_kernel("from autograder import check", source, check, folder=tmp_path)
    assert "have run again in a process with 4" in " ".join(report.notes)
    assert report.status is Status.PASSED, report


@pytest.mark.slow
def test_a_script_with_one_device_is_told_how_to_have_four(rubric: Rubric, tmp_path: Path) -> None:
    script = tmp_path / "mine.py"
    lines = (
        "from autograder import check",
        ONE_DEVICE,
        f"check('column_sums', rubric={str(rubric.file)!r})",
    )
    script.write_text("\n".join(lines))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert 'jax.config.update("jax_num_cpu_devices", 4)' in done.stderr
    script.write_text(DEVICES + "\n".join(lines))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stdout.startswith("✓ column_sums  4 / 4"), done.stdout + done.stderr
