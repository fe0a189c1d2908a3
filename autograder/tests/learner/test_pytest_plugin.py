"""`pytest exercises` as a learner runs it: a process of its own."""

import subprocess
import sys

import nbformat
import pytest

from autograder.learner.checking import content_digest, grader_digest
from autograder.learner.notebook_record import Record, write_record
from autograder.lessons.authoring import build_exercise, notebook_text
from autograder.lessons.course import open_lessons
from autograder.lessons.scaffolding import new_lesson
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric_files import load_rubric

# One test process is not the place to measure how the plug-in is imported.
NO_JAX = "import sys, autograder.pytest_plugin; sys.exit('jax' in sys.modules)"


@pytest.fixture
def run(tmp_path):
    def run(*arguments):
        command = [sys.executable, "-m", "pytest", "--rootdir", tmp_path, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return run


def squeezed(text):
    """The text without its line breaks, which depend on the width."""
    return " ".join(text.split())


def test_loading_the_plug_in_imports_no_jax():
    assert subprocess.run([sys.executable, "-c", NO_JAX]).returncode == 0


@pytest.mark.slow
def test_one_item_a_criterion_in_order(run, write_notebook):
    write_notebook("static_branch")
    write_notebook("static_reshape")
    listed = run("--collect-only", "-q").stdout.splitlines()[:6]
    assert listed == [
        f"{notebook}::{exercise}::{criterion}"
        for notebook, exercise in (
            ("02_static_branch.ipynb", "static_branch"),
            ("08_static_reshape.ipynb", "static_reshape"),
        )
        for criterion in ("outputs", "purity", "compilations")
    ]


@pytest.mark.slow
@pytest.mark.ordinary_user
def test_starter_says_what_was_seen_and_why_when_asked(run, write_notebook):
    write_notebook("static_branch")
    cure = 'make the argument static with `static_argnames="power"`'
    ask = "Why, and what to do: `autograder hint static_branch`, or `pytest -v`."
    for options, is_whole in ((), False), (("-v",), True):
        done = run(*options)
        assert done.returncode == 1
        assert "3 failed" in done.stdout
        assert "line 3: if power == 0:" in done.stdout
        assert (cure in squeezed(done.stdout)) == is_whole
        assert (ask in squeezed(done.stdout)) != is_whole
        assert "site-packages" not in done.stdout


@pytest.mark.slow
def test_no_hint_is_promised_for_a_drill(run, write_notebook):
    write_notebook("static_branch")
    done = run("--autograder-drills", "-k", "sum_powers and outputs")
    assert "1 failed" in done.stdout
    assert "Why, and what to do: `pytest -v`." in squeezed(done.stdout)
    assert "what to do: `autograder hint" not in squeezed(done.stdout)


@pytest.mark.slow
def test_a_lesson_folder_of_ones_own(run, tmp_path):
    lessons = tmp_path / "mine"
    new_lesson("clip_values", lessons)
    (lesson,) = open_lessons(lessons).lessons()
    (tmp_path / lesson.notebook_name).write_text(notebook_text(build_exercise(lesson)))
    notebook = str(tmp_path / lesson.notebook_name)
    assert "which is not a lesson of the kit" in squeezed(run(notebook).stdout)
    done = run("--autograder-lessons", "mine", notebook)
    assert (
        "3 failed" in done.stdout and f"{lesson.notebook_name}::clip_values::outputs" in done.stdout
    )
    done = run("--autograder-lessons", "nowhere", notebook)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "nowhere/solutions" in done.stderr


@pytest.mark.slow
def test_solution_passes_and_is_remembered(run, write_notebook, tmp_path):
    write_notebook("static_branch", True)
    assert "3 passed" in run().stdout
    (kept,) = (tmp_path / ".autograder").glob("*.json")
    # A forged memory must show: that is how we know that nothing was run again.
    kept.write_text(kept.read_text().replace('"passed"', '"failed"'))
    assert "3 failed" in run().stdout


@pytest.mark.slow
def test_a_gpu_is_left_to_those_who_need_it(run, write_notebook, monkeypatch):
    """No device has this name: what asks JAX for its devices, here or in a helper, would fail."""
    monkeypatch.setenv("JAX_PLATFORMS", "abacus")
    write_notebook("static_branch", True)
    assert "3 passed" in run().stdout


@pytest.mark.slow
def test_one_item_alone(run, write_notebook):
    write_notebook("static_branch", True)
    assert "1 passed" in run("02_static_branch.ipynb::static_branch::outputs").stdout
    assert "1 passed, 2 deselected" in run("-k", "purity").stdout


@pytest.mark.slow
def test_broken_notebook_is_a_sentence(run, write_notebook):
    path = write_notebook("static_branch")
    path.write_text(path.read_text()[:1000])
    done = run()
    assert "could not be graded: the notebook could not be read" in done.stdout
    assert "Open it in JupyterLab" in squeezed(done.stdout)
    assert "Traceback" not in done.stdout


@pytest.mark.slow
def test_other_peoples_notebooks_are_left_alone(run, tmp_path):
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "03_analysis.ipynb")
    assert "no tests ran" in run().stdout


@pytest.fixture
def two_lessons(write_notebook):
    write_notebook("static_branch", True)
    write_notebook("early_stop")


@pytest.mark.slow
def test_the_end_says_how_far_the_course_is_and_what_comes_next(run, two_lessons):
    done = run()
    lines = done.stdout.splitlines()
    (bar,) = (line for line in lines if "1 of 2 lessons, 9 of 17 points" in line)
    assert bar.startswith("█" * 16 + "░" * 16)
    next_up = lines[lines.index(bar) + 1]
    assert next_up.startswith("Next: 09_early_stop.ipynb (early_stop, outputs).")
    assert "autograder hint early_stop" in next_up
    # The first failure is told at once, above the list of all failures.
    first = done.stdout.index("the first to fix: 09_early_stop.ipynb::early_stop::outputs")
    assert first < done.stdout.index("= FAILURES =")


@pytest.mark.slow
def test_x_lf_and_sw_as_usual(run, two_lessons, write_notebook):
    assert "1 failed, 3 passed" in run("-x").stdout
    assert "3 failed, 3 passed" in run().stdout
    assert "3 failed, 3 deselected" in run("--lf").stdout
    assert "1 failed, 3 passed" in run("--sw").stdout
    write_notebook("early_stop", True)
    assert "3 passed, 3 deselected" in run("--sw").stdout
    done = run()
    assert done.returncode == 0 and "6 passed" in done.stdout
    assert "All checks pass" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("distribution", ["loadfile", "load"])
def test_parallel_workers_run_each_notebook_once(run, two_lessons, tmp_path, distribution):
    done = run("-n", "2", "--dist", distribution)
    assert "3 failed, 3 passed" in done.stdout
    assert "1 of 2 lessons, 9 of 17 points" in done.stdout
    assert "the first to fix" in done.stdout
    assert "3 failed, 3 passed" in run().stdout  # from what the workers remembered


@pytest.mark.slow
def test_speed_is_pending_with_the_reason(run, write_notebook):
    path = write_notebook("scan_fit", True)
    rubric = load_rubric("scan_fit")
    # Remembered as a check would have it: fitting takes long, and is not what is tested here.
    criteria = tuple(
        CriterionResult(
            name,
            Status.PENDING if name == "speed" else Status.PASSED,
            0 if name == "speed" else p,
            p,
            "proved",
            "needs a GPU" if name == "speed" else "",
        )
        for name, p in rubric.exercise("scan_fit").points.items()
    )
    record = Record(
        content_digest(path.read_bytes()),
        grader_digest(rubric),
        (Report("scan_fit", "scan_fit", criteria),),
    )
    write_record(path, record)
    done = run()
    assert done.returncode == 0
    assert "3 passed, 1 skipped" in done.stdout
    assert "scan_fit::speed pending: needs a GPU" in done.stdout
    assert "1 of 1 lessons, 7 of 7 points (+1 pending)" in done.stdout


@pytest.mark.slow
def test_without_a_place_to_remember_it_works_all_the_same(run, write_notebook, tmp_path):
    write_notebook("static_branch", True)
    (tmp_path / ".autograder").write_text("in the way")
    done = run()
    assert "3 passed" in done.stdout and done.returncode == 0
    assert "so your progress is not kept" in done.stdout


@pytest.mark.slow
def test_a_failure_of_the_kit_is_not_the_learner_s(run, write_notebook, tmp_path):
    path = write_notebook("static_branch", True)
    conftest = tmp_path / "conftest.py"
    conftest.write_text(
        "from autograder.sandbox import Processes\n"
        "def fail(*args):\n"
        "    raise OSError('the disk is gone')\n"
        "Processes.observe = fail\n"
    )
    done = run("-q")
    assert done.returncode == 1
    printed = squeezed(done.stdout)
    assert "The kit itself failed here (OSError: the disk is gone" in printed
    assert "issue tracker" in printed
    assert "the first to fix" not in printed
    assert "outputs: 0 of" not in printed
    assert "line 3: " not in printed
    conftest.unlink()
    assert "3 passed" in run("-q").stdout  # nothing of it was remembered
    assert path.exists()
