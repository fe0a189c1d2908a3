"""Only names of lessons are lessons: a file that a notebook's metadata names is never run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.classroom.course_config import CourseConfig
from autograder.classroom.course_grader import CourseGrader
from autograder.cli import app
from autograder.learner.folder import LessonNotebook, find_notebooks
from autograder.learner.standing import check_lesson
from autograder.model.exercise import RubricError
from autograder.model.rubric_files import load_lesson

RUBRIC = """\
from pathlib import Path

Path(__file__).with_suffix(".ran").touch()

from autograder.rubrics.static_branch import rubric
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A learner's folder, and a rubric file beside it and in it that tells when it is run."""
    folder = tmp_path / "mine"
    (folder / "sub").mkdir(parents=True)
    for place in (tmp_path, folder):
        (place / "theirs.py").write_text(RUBRIC)
    monkeypatch.chdir(folder)
    return folder


def lure(path: Path, lesson: object, write_notebook) -> Path:
    """A lesson's notebook whose metadata names something else as its lesson."""
    notebook = nbformat.read(write_notebook("static_branch", True), as_version=4)
    notebook["metadata"]["autograder"]["lesson"] = lesson
    nbformat.write(notebook, path)
    return path


def names(folder: Path) -> list[str]:
    return [
        "theirs.py",
        "./theirs.py",
        "../theirs.py",
        "sub/../theirs.py",
        str(folder / "theirs.py"),
        str(folder.parent / "theirs.py"),
    ]


def ran(folder: Path) -> list[Path]:
    return list(folder.parent.rglob("*.ran"))


@pytest.mark.slow
def test_the_lure_works_where_a_caller_names_the_file(folder):
    subprocess.run(
        [
            sys.executable,
            "-c",
            "from autograder.model.rubric_files import load_rubric as l; l('theirs.py')",
        ],
        check=True,
    )
    assert ran(folder)


@pytest.mark.parametrize("option", [[], ["--collect-only"]])
@pytest.mark.slow
def test_pytest_runs_no_file_that_a_notebook_names(folder, write_notebook, option):
    count = len(names(folder))
    for number, name in enumerate(names(folder)):
        lure(folder / f"{number}_lure.ipynb", name, write_notebook)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--rootdir",
            ".",
            *option,
            *sorted(folder.glob("*.ipynb")),
        ],
        capture_output=True,
        text=True,
    )
    assert not ran(folder)
    assert done.returncode != 0
    assert f"{count} errors" in done.stdout
    assert "0_lure.ipynb names 'theirs.py' as its lesson" in " ".join(done.stdout.split())


@pytest.mark.gate
@pytest.mark.parametrize("command", [["next"], ["progress"], ["watch"], ["hint"]])
def test_no_command_runs_a_file_that_a_notebook_names(folder, write_notebook, command):
    for name in names(folder):
        lure(folder / "03_lure.ipynb", name, write_notebook)
        # Wide, so that no name is cut in two.
        done = CliRunner().invoke(app, command, env={"COLUMNS": "1000", "TERMINAL_WIDTH": "1000"})
        assert not ran(folder)
        assert done.exit_code == 1
        printed = " ".join(done.output.split())
        # A long name is cut.
        assert f"03_lure.ipynb names {name[:60]!r}"[:-1] in printed, done.output
        assert "which is not a lesson of the kit" in printed
        assert "The notebook was not run" in printed


@pytest.mark.parametrize("command", [["solution"], ["reset"], ["hint"]])
def test_nor_does_a_command_that_is_told_the_lesson(folder, write_notebook, command):
    lure(folder / "03_lure.ipynb", "theirs.py", write_notebook)
    done = CliRunner().invoke(app, [*command, "theirs.py"])
    assert done.exit_code == 1
    assert not ran(folder)


def test_watching_checks_no_such_notebook(folder, write_notebook):
    path = lure(folder / "03_lure.ipynb", "theirs.py", write_notebook)
    (notebook,) = find_notebooks(folder)
    with pytest.raises(RubricError, match=r"03_lure\.ipynb names 'theirs\.py' as its lesson"):
        check_lesson(notebook)
    assert notebook.path == path
    assert not ran(folder)


def test_what_a_notebook_names_is_shown_without_control_characters_and_not_at_length(tmp_path):
    with pytest.raises(RubricError) as caught:
        LessonNotebook("\x1b[2J" + "x" * 10_000, tmp_path / "a.ipynb").rubric()
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("name", ["theirs.py", "_pln", "../rubrics/timing", "timing.py", "", "."])
def test_only_names_of_lessons_are_lessons(folder, name):
    with pytest.raises(RubricError, match="the lessons are"):
        load_lesson(name)
    assert not ran(folder)


def test_grading_runs_no_file_that_a_notebook_names(folder):
    grader = CourseGrader(CourseConfig(folder))
    for name in names(folder):
        with pytest.raises(RubricError):
            grader.lessons.rubric(name)
    assert not ran(folder)


@pytest.mark.slow
def test_the_author_of_a_script_may_name_a_rubric_file(folder):
    shutil.copy(folder / "theirs.py", folder / "own.py")
    script = folder / "script.py"
    script.write_text(
        "import jax\nimport jax.numpy as jnp\nfrom functools import partial\n"
        "from autograder import check\n"
        "@partial(jax.jit, static_argnames='power')\n"
        "def box_cox(counts, power):\n"
        "    if power == 0:\n        return jnp.log(counts + 1)\n"
        "    return ((counts + 1) ** power - 1) / power\n"
        "import json\n"
        "print(json.dumps(check('static_branch', rubric='own.py').report.to_json()))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["earned"] == 9
