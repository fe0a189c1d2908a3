"""A course with lessons of one's own: its config, what is released, what a refresh adds."""

from __future__ import annotations

import json
from typing import Any

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_config import CONFIG_FILE, ClassError, read_config, source_notebook
from autograder.classroom.course_folder import make_course, refresh_course
from autograder.cli import app
from autograder.lessons.course import Course, open_lessons
from autograder.lessons.scaffolding import new_lesson
from autograder.nbgrader_bridge import PutStarters
from autograder.tests.helpers.courses import accept_limits, nbgrader


@pytest.fixture
def lessons(tmp_path):
    new_lesson("scale_signal", tmp_path / "mine")
    return tmp_path / "mine"


@pytest.fixture
def own(tmp_path, lessons):
    make_course(tmp_path / "course", open_lessons(lessons))
    return accept_limits(tmp_path / "course")


def assignments(course):
    return sorted(path.name for path in (course / "source").iterdir())


def configure(course, value):
    file = course / CONFIG_FILE
    file.write_text(f"{file.read_text()}\nc.GradeIsolated.lessons = {value!r}\n")


def test_the_config_names_the_folder(own, lessons):
    assert "c.GradeIsolated.lessons = ['../mine']" in (own / CONFIG_FILE).read_text()
    assert read_config(own).lesson_folders == (lessons,)
    assert read_config(own).lessons().rubric("scale_signal").file.parent == lessons / "rubrics"
    assert read_config(own).lessons().rubric("timing").lesson == "timing"


def test_a_refresh_adds_what_is_new_and_not_what_was_removed(own, lessons):
    assert refresh_course(own, open_lessons(lessons)) == ([], [])
    new_lesson("second_one", lessons)
    assert refresh_course(own, open_lessons(lessons)) == ([], ["second_one"])
    assert assignments(own) == ["scale_signal", "second_one"]
    (source_notebook(own, "second_one")).unlink()
    assert refresh_course(own, open_lessons(lessons)) == ([], [])
    assert not source_notebook(own, "second_one").exists()


def test_a_changed_rubric_changes_what_students_get(own, lessons):
    rubric = lessons / "rubrics" / "scale_signal.py"
    rubric.write_text(rubric.read_text().replace("size=5", "size=6"))
    assert refresh_course(own, open_lessons(lessons)) == (["scale_signal"], [])
    (kept,) = (own / ".autograder" / "replaced").iterdir()
    assert kept.name.endswith(".check.json")
    assert refresh_course(own, open_lessons(lessons)) == ([], [])


def test_own_lessons_join_a_course_of_the_kits(tmp_path, root, lessons):
    course = tmp_path / "course"
    small = tmp_path / "kit"
    (small / "solutions").mkdir(parents=True)
    name = "08_static_reshape.py"
    (small / "solutions" / name).write_text((root / "solutions" / name).read_text())
    make_course(course, Course(small))
    done = CliRunner().invoke(app, ["course", str(course), "--refresh", "--lessons", str(lessons)])
    assert done.exit_code == 0, done.output
    assert "Added scale_signal. Next: nbgrader generate_assignment scale_signal" in done.output
    assert {"scale_signal", "static_reshape"} <= set(assignments(course))
    assert read_config(course).lesson_folders == (lessons,)


def test_another_folder_is_added_by_hand(own, tmp_path):
    new_lesson("second_one", tmp_path / "more")
    with pytest.raises(ClassError, match=r"Add this one to c\.Grade.*'\.\./more'"):
        refresh_course(own, open_lessons(tmp_path / "more"))


@pytest.mark.parametrize("value", ["../mine", [1], [""], 5])
def test_settings_that_are_no_folders(own, value):
    configure(own, value)
    with pytest.raises(ClassError, match=r"c\.GradeIsolated\.lessons is .*give a list of folders"):
        read_config(own)


def test_a_folder_without_lessons(own):
    configure(own, ["../gone"])
    done = CliRunner().invoke(app, ["grade", str(own)])
    assert done.exit_code == 1
    assert "c.GradeIsolated.lessons names" in done.stderr and "there are no lessons" in done.stderr


def test_a_rubric_beside_a_notebook_is_found(own, lessons):
    folder = own / "source" / "scale_signal"
    (folder / "helpers.py").write_text("x = 1")
    resources: Any = {"metadata": {"path": str(folder)}}
    notebook = nbformat.v4.new_notebook()
    PutStarters().preprocess(notebook, resources)
    (folder / "answers.py").write_text((lessons / "rubrics" / "scale_signal.py").read_text())
    with pytest.raises(ClassError, match=r"answers\.py holds a rubric.*Nothing was released"):
        PutStarters().preprocess(notebook, resources)


@pytest.mark.slow
def test_a_rubric_is_never_released(own, lessons):
    folder = own / "source" / "scale_signal"
    rubric = lessons / "rubrics" / "scale_signal.py"
    (folder / "rubric.py").write_text(rubric.read_text())
    done = nbgrader(own, "generate_assignment", "scale_signal")
    assert done.returncode != 0
    assert "rubric.py holds a rubric, and so the right answers" in done.stderr
    assert not (own / "release" / "scale_signal").exists()


def by_hand(course, name):
    """A notebook as made with nbgrader's toolbar: no starter, no metadata of the kit's."""

    def mark(cell, grade_id, **more):
        cell["metadata"]["nbgrader"] = {
            "grade_id": grade_id,
            "cell_type": cell["cell_type"],
            "grade": False,
            "solution": False,
            "locked": False,
            "task": False,
            "schema_version": 3,
            **more,
        }
        return cell

    v4 = nbformat.v4
    solution = f"### BEGIN SOLUTION\ndef {name}(x):\n    return x\n### END SOLUTION"
    cells = [
        v4.new_code_cell("import jax, jax.numpy as jnp\nfrom autograder import check"),
        mark(v4.new_code_cell(solution), "a-cell", solution=True),
        mark(v4.new_code_cell(f'check("{name}")'), name, grade=True, locked=True, points=4),
        mark(v4.new_code_cell("assert False"), "own-test", grade=True, locked=True, points=3),
    ]
    target = source_notebook(course, name)
    target.parent.mkdir()
    nbformat.write(v4.new_notebook(cells=cells), target)


@pytest.mark.slow
def test_an_assignment_made_by_hand(own, lessons):
    new_lesson("clip", lessons)
    (lessons / "solutions" / "02_clip.py").unlink()
    by_hand(own, "clip")
    assert refresh_course(own, open_lessons(lessons)) == (["clip"], [])
    done = nbgrader(own, "generate_assignment", "clip")
    assert done.returncode == 0, done.stderr
    released = own / "release" / "clip" / "clip.ipynb"
    assert "YOUR CODE HERE" in released.read_text()
    for student, text in {"ada": "jnp.where(x.sum() > 0, x / x.sum(), x)", "bob": "x"}.items():
        notebook = nbformat.read(released, as_version=4)
        notebook["cells"][1]["source"] = f"@jax.jit\ndef clip(x):\n    return {text}\n"
        target = own / "submitted" / student / "clip" / "clip.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
    done = CliRunner().invoke(app, ["grade", str(own), "clip"])
    # nbgrader's own test cells are not run here, and get no points for that.
    assert done.exit_code == NEEDS_REVIEW, done.output
    assert "4 / 4 (+3 pending)" in done.output and "0 / 4 (+3 pending)" in done.output
    assert "own-test, 3 points to give in formgrader: ada, bob" in done.output


def test_an_assignment_without_a_rubric_is_reported(own):
    by_hand(own, "unknown")
    (own / "submitted" / "ada" / "unknown").mkdir(parents=True)
    done = CliRunner().invoke(app, ["grade", str(own), "unknown"])
    assert done.exit_code == 1
    assert "source/unknown/unknown.ipynb is there, but" in done.stderr
    assert "knows no rubric 'unknown'" in done.stderr


def test_what_is_known_is_json(own):
    data = json.loads((own / ".autograder" / "lessons.json").read_text())
    assert data == {"schema": 1, "lessons": ["scale_signal"], "kits": False}
