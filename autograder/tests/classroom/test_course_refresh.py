"""A rubric's points change after a course was made from it."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import ClassError, source_notebook
from autograder.classroom.course_folder import REPLACED, make_course, refresh_course
from autograder.cli import app
from autograder.lessons.course import Course
from autograder.tests.helpers.courses import ASSIGNMENT, exports, nbgrader
from autograder.tests.helpers.reference_class import known_only


def give_other_points(path: Path) -> str:
    """As an earlier rubric had them."""
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        marked = cell["metadata"].get("nbgrader", {})
        if marked.get("grade_id") == ASSIGNMENT:
            marked["points"] = 7
    path.write_text(json.dumps(notebook))
    return path.read_text()


@pytest.mark.slow
def test_refresh(tmp_path, root):
    course = tmp_path / "course"
    make_course(course, Course(root))
    taken_out = source_notebook(course, "tracing")
    taken_out.unlink()
    fresh = source_notebook(course, ASSIGNMENT).read_text()
    old = give_other_points(source_notebook(course, ASSIGNMENT))
    own = source_notebook(course, "own")
    own.parent.mkdir()
    own.write_text("the instructor's")

    done = CliRunner().invoke(app, ["course", str(course), "--refresh", "--lessons", str(root)])
    assert done.exit_code == 0, done.output
    assert f"Next: nbgrader generate_assignment {ASSIGNMENT} --force" in done.output
    assert "1 assignments changed; the old files are in" in done.output
    assert source_notebook(course, ASSIGNMENT).read_text() == fresh
    assert not taken_out.exists()
    assert own.read_text() == "the instructor's"
    (kept,) = (course / REPLACED).iterdir()
    assert kept.read_text() == old
    assert (
        len(list(source_notebook(course, ASSIGNMENT).parent.iterdir())) == 1
    )  # students get it all
    assert refresh_course(course, Course(root)) == ([], [])


def test_no_course(tmp_path, root):
    with pytest.raises(ClassError, match="is not a course folder"):
        refresh_course(tmp_path, Course(root))


@pytest.mark.slow
def test_grading_notices(reference, tmp_path, root):
    course = known_only(reference, tmp_path / "course")
    give_other_points(source_notebook(course, ASSIGNMENT))
    words = f"`{ASSIGNMENT}` has 7 points in source/{ASSIGNMENT} and 9 by the rubric"
    with pytest.raises(ClassError, match=words):
        run(course, [ASSIGNMENT])
    done = nbgrader(course, "generate_assignment", ASSIGNMENT, "--force")
    assert done.returncode == 0, done.stderr
    assert refresh_course(course, Course(root)) == ([ASSIGNMENT], [])
    words = f"`{ASSIGNMENT}` has 7 points in the gradebook and 9 by the rubric"
    with pytest.raises(ClassError, match=words):
        run(course, [ASSIGNMENT])
    # nbgrader's own command says it too, in its log, and records no mark.
    done = nbgrader(course, "autograde", ASSIGNMENT, "--student", "ada")
    assert done.returncode == 1
    words = f"`{ASSIGNMENT}` has 7 points in the gradebook and 9 by the rubric"
    assert words in done.stderr
    assert not list(course.glob("autograded/*/*"))
    assert exports(course) != reference.exports
    assert nbgrader(course, "generate_assignment", ASSIGNMENT, "--force").returncode == 0
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert exports(course) == reference.exports
    assert nbformat.read(course / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb", as_version=4)
