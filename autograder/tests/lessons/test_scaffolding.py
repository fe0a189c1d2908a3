"""`autograder new-lesson`, and lesson folders that commands name."""

from __future__ import annotations

import os

import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import LessonError, course_with, find_course, open_lessons
from autograder.lessons.exercises import check_exercises, write_exercises
from autograder.lessons.scaffolding import new_lesson
from autograder.lessons.verification.requirements import hint_problems, missing_submissions
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.exercise import RubricError
from autograder.model.rubric import KITS_FOLDER
from autograder.model.rubric_files import LESSONS, find_exercise, load_lesson

runner = CliRunner()


@pytest.fixture
def folder(tmp_path):
    new_lesson("scale_signal", tmp_path)
    return tmp_path


def test_a_new_lesson_is_whole(folder):
    new_lesson("second_one", folder)
    course = open_lessons(folder)
    assert [(one.number, one.name) for one in course.lessons()] == [
        (1, "scale_signal"),
        (2, "second_one"),
    ]
    for lesson in course.lessons():
        assert missing_submissions(lesson, folder) == []
        assert [p for e in lesson.rubric.exercises for p in hint_problems(e)] == []
        kinds = {s.kind for s in find_submissions(folder, lesson.name)}
        assert kinds == {"starter", "empty", "right", "wrong"}
        assert "BEGIN" not in str(build_exercise(lesson))


@pytest.mark.parametrize(
    "name",
    ["", "Bad", "1st", "a-b", "a b", "../up", "class", "match", "jnp", "drills", "x" * 41, "é"],
)
def test_names_that_cannot_be_used(tmp_path, name):
    with pytest.raises(LessonError, match=r"cannot be the name of a lesson.*lowercase letters"):
        new_lesson(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(folder):
    rubric = folder / "rubrics" / "scale_signal.py"
    rubric.write_text("# mine\n")
    (folder / "solutions" / "01_scale_signal.py").unlink()
    done = runner.invoke(app, ["new-lesson", "scale_signal", "--in", str(folder)])
    assert done.exit_code == 1
    assert f"{rubric} already exists; nothing was written" in done.stderr
    assert rubric.read_text() == "# mine\n"
    assert list((folder / "solutions").iterdir()) == []


def test_a_name_of_the_kits_and_a_checkout_of_the_kit(tmp_path, root):
    with pytest.raises(LessonError, match="the kit has a lesson 'timing' already"):
        new_lesson("timing", tmp_path)
    with pytest.raises(LessonError, match=r"is a checkout of the kit.*name one with --in"):
        new_lesson("scale_signal", root)


def test_a_hundredth_lesson(folder):
    (folder / "solutions" / "99_last.py").touch()
    with pytest.raises(LessonError, match="has a lesson 99 already"):
        new_lesson("another", folder)


def test_build_writes_what_students_get(folder):
    course = open_lessons(folder)
    write_exercises(course)
    names = sorted(path.name for path in (folder / "exercises").iterdir())
    assert names == ["01_scale_signal.ipynb", "README.md", "scale_signal.check.json"]
    assert check_exercises(course) == []
    assert "colab" not in (folder / "exercises" / "README.md").read_text().split("| --- |")[-1]
    rubric = folder / "rubrics" / "scale_signal.py"
    rubric.write_text(rubric.read_text().replace('"outputs": 2', '"outputs": 3'))
    (folder / "exercises" / "old.check.json").write_text("{}")
    assert [p for p in check_exercises(open_lessons(folder)) if "check.json" in p] == [
        "exercises/scale_signal.check.json is not what solutions/ generates: run `autograder "
        "build`",
        "exercises/old.check.json belongs to no lesson: delete it",
    ]


def test_a_script_without_rubric_says_where_it_belongs(folder):
    rubric = folder / "rubrics" / "scale_signal.py"
    rubric.unlink()
    done = runner.invoke(app, ["build", "--lessons", str(folder)])
    assert done.exit_code == 1
    assert f"01_scale_signal.py has no rubric yet: write {rubric}" in done.stderr


def test_a_checkout_has_its_own_rubrics(tmp_path):
    (tmp_path / "solutions").mkdir()
    (tmp_path / "autograder" / "rubrics").mkdir(parents=True)
    assert find_course(tmp_path).rubrics == tmp_path / "autograder" / "rubrics"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("x = (", r"scale_signal\.py, line 1: '\(' was never closed"),
        ("x = 1\ny = unknown", r"scale_signal\.py, line 2: NameError: name 'unknown' is not def"),
        ("import no_such_module", r"line 1: ModuleNotFoundError: No module named 'no_such_module'"),
        ("x = 1", r"scale_signal\.py must define `rubric = Rubric\(\.\.\.\)`"),
    ],
)
def test_a_rubric_that_cannot_be_used(folder, text, words):
    (folder / "rubrics" / "scale_signal.py").write_text(text)
    with pytest.raises(RubricError, match=words):
        open_lessons(folder).lessons()


def test_lessons_are_found_where_a_command_or_the_environment_names_them(folder, monkeypatch):
    monkeypatch.delenv(LESSONS, raising=False)
    with pytest.raises(RubricError, match="there is no exercise 'scale_signal'"):
        find_exercise("scale_signal")
    done = runner.invoke(app, ["build", "--lessons", str(folder)])
    assert done.exit_code == 0, done.output
    assert LESSONS not in os.environ
    monkeypatch.setenv(LESSONS, str(folder))
    rubric, _ = find_exercise("scale_signal")
    assert rubric.source == str(folder / "rubrics" / "scale_signal.py")
    assert find_exercise("static_branch")[0].source == "static_branch"
    with pytest.raises(RubricError, match="there is no exercise 'scale_signal'"):
        load_lesson("scale_signal")  # the kit's own


def test_a_folder_is_searched_before_the_kits_lessons(folder):
    course = course_with([folder])
    assert "scale_signal" in course.names() and "timing" in course.names()
    assert [one.name for one in course.lessons()] == ["scale_signal"]
    assert course.own_roots() == [folder]
    assert course.script("scale_signal") == folder / "solutions" / "01_scale_signal.py"
    script = course.script("static_branch")
    assert script is not None and script.name == "02_static_branch.py"
    assert course.rubric("static_branch").file.parent == KITS_FOLDER
    for bad in ("../rubrics/scale_signal", "scale_signal.py", "./scale_signal", ""):
        with pytest.raises(RubricError, match="the lessons are"):
            course.rubric(bad)


def test_rubrics_of_a_folder_that_is_found_by_chance_are_not_run(folder, monkeypatch):
    monkeypatch.delenv(LESSONS, raising=False)
    trap = folder / "autograder" / "rubrics"
    trap.mkdir(parents=True)
    (trap / "timing.py").write_text("raise SystemExit('it was run')")
    monkeypatch.chdir(folder)
    course = find_course()
    assert course.root == folder and course.rubrics == KITS_FOLDER
    course.rubric("timing")


def test_a_starter_that_is_missing_is_named(folder):
    script = folder / "solutions" / "01_scale_signal.py"
    text = script.read_text()
    script.write_text(text[: text.index("### BEGIN STARTER")] + "\n# %% check='scale_signal'\n")
    done = runner.invoke(app, ["build", "--lessons", str(folder)])
    assert done.exit_code == 1
    assert "01_scale_signal.py: cell scale_signal-solution: a solution cell needs" in done.stderr


def test_verify_names_an_unknown_lesson(folder):
    done = runner.invoke(app, ["verify", "no_such", "--lessons", str(folder)])
    assert done.exit_code == 1
    assert "there is no lesson 'no_such'; the lessons are: ['scale_signal']" in done.stderr
