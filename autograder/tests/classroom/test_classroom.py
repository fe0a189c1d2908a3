"""A class with every defect seen in the wild, through `autograder grade` and plain nbgrader."""

from __future__ import annotations

import csv
import errno
import json
import shutil
from pathlib import Path

import nbformat
import pytest

from autograder.classroom import command
from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import ClassError, lock_course, read_key
from autograder.classroom.demo import submit
from autograder.model.report import CriterionResult, Status
from autograder.render.score import REPORT_MIME
from autograder.sandbox import Processes
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    RIGHT,
    all_graded,
    gradebook_of,
    nbgrader,
    scores,
)


def edit(path: Path, change) -> None:
    notebook = json.loads(path.read_text())
    change(notebook["cells"])
    path.write_text(json.dumps(notebook))


def named(cells, name):
    return next(c for c in cells if c["metadata"].get("nbgrader", {}).get("grade_id") == name)


def hand_in_defects(course: Path) -> None:
    """One student a defect; all wrote the right solution."""

    def path(student: str) -> Path:
        return submit(course, ASSIGNMENT, student, RIGHT)

    edit(path("doubled"), lambda cells: cells.append(named(cells, ASSIGNMENT)))
    edit(path("deleted"), lambda cells: cells.remove(named(cells, ASSIGNMENT)))
    edit(
        path("points"),
        lambda cells: named(cells, ASSIGNMENT)["metadata"]["nbgrader"].update(points=99),
    )
    edit(path("stripped"), lambda cells: [c.update(metadata={}) for c in cells] and None)
    edit(path("print2"), lambda cells: named(cells, ASSIGNMENT).update(source="print(9)"))
    utf16 = path("utf16")
    utf16.write_bytes(utf16.read_text().encode("utf-16"))
    path("broken").write_text("{")
    path("empty").write_text("")
    renamed = path("renamed")
    renamed.rename(renamed.with_name("my homework.ipynb"))
    late = path("timestamp")
    (late.parent / "timestamp.txt").write_text("half past eight")
    linked = path("linked")
    (linked.parent / "marks.db").symlink_to(course / "gradebook.db")
    # What the function does not need is not run.
    needed = "import os\nshift = os._exit(0)\n" + RIGHT.replace("+ 1", "+ shift")
    exits = submit(course, ASSIGNMENT, "exits", needed)
    assert exits.exists()
    submit(course, ASSIGNMENT, "unsolved", None)


FULL = {"doubled", "deleted", "points", "stripped", "print2", "utf16", "linked"}
STAGED = {"renamed", "timestamp"}
REVIEW = {"broken", "empty", "exits", "timestamp"}


@pytest.mark.slow
@pytest.mark.ordinary_user
def test_autograder_grade(course, capsys, monkeypatch):
    hand_in_defects(course)
    # nbgrader's preprocessors take over the results: nothing is read or graded a second time.
    for second in ("CourseGrader", "Assignment"):
        monkeypatch.delattr(f"autograder.nbgrader_bridge.grade.{second}")
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    found = scores(course)
    for student in FULL | STAGED:
        assert found[student] == (9.0, False), student
    for student in REVIEW - {"timestamp"}:
        assert found[student] == (None, True), student
    assert found["unsolved"] == (0.0, False)
    shown = capsys.readouterr().out
    assert "4 of 13 submissions need your review" in shown
    assert "exits: static_branch: could not be graded: the notebook ended Python" in shown
    with (course / f"{ASSIGNMENT}.csv").open() as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert rows["broken"]["static_branch.outputs"] == "could not be graded"
    assert rows["unsolved"]["static_branch.outputs"] == "0"
    assert rows["doubled"]["earned"] == "9"
    assert "half past eight" in rows["timestamp"]["review"]
    # Nothing that a link points at, and nothing else that was handed in, is copied.
    assert [p.name for p in (course / "autograded" / "linked" / ASSIGNMENT).iterdir()] == [
        f"{ASSIGNMENT}.ipynb"
    ]
    # Feedback tells the student.
    assert nbgrader(course, "generate_feedback", ASSIGNMENT).returncode == 0
    page = (course / "feedback" / "renamed" / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text()
    assert "The notebook was handed in as my homework.ipynb" in page
    page = (course / "feedback" / "broken" / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text()
    assert "static_branch.ipynb cannot be read as a notebook" in page

    # A second run grades and records nothing, and says the same.
    before = {p: p.stat().st_mtime_ns for p in (course / "autograded").rglob("*.ipynb")}
    graded = (course / ".autograder" / "results.jsonl").read_bytes()
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert "(known)" in capsys.readouterr().out
    assert {p: p.stat().st_mtime_ns for p in (course / "autograded").rglob("*.ipynb")} == before
    assert (course / ".autograder" / "results.jsonl").read_bytes() == graded


@pytest.mark.slow
def test_plain_nbgrader(course):
    hand_in_defects(course)
    for student in STAGED:  # what nbgrader itself stumbles over before our part begins
        shutil.rmtree(course / "submitted" / student)
    done = nbgrader(course, "autograde", ASSIGNMENT)
    assert done.returncode == 0, done.stderr
    found = scores(course)
    for student in FULL:
        assert found[student] == (9.0, False), student
    for student in REVIEW - {"timestamp"}:
        assert found[student] == (None, True), student
    assert found["unsolved"] == (0.0, False)


@pytest.mark.slow
def test_what_could_not_be_graded_needs_review(course, capsys):
    submit(course, ASSIGNMENT, "renamed", RIGHT.replace("box_cox", "boxcox"))
    submit(course, ASSIGNMENT, "syntax", "def box_cox(counts, power)")
    submit(course, ASSIGNMENT, "wrong", RIGHT.replace("+ 1", "+ 2"))
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    shown = capsys.readouterr().out
    assert "2 of 3 submissions need your review" in shown
    assert "renamed: static_branch: could not be graded: the function is missing" in shown
    assert "syntax: static_branch: could not be graded: a cell before the check" in shown


@pytest.mark.slow
def test_code_that_was_graded_before_is_not_run_again(course, monkeypatch):
    observe, observed = Processes.observe, []

    def count(worker, attempt, calls):
        observed.append(attempt)
        return observe(worker, attempt, calls)

    monkeypatch.setattr(Processes, "observe", count)
    students = ["ada", "bela", "chen", "dora"]
    for some in students[:1], students[1:]:
        for student in some:
            submit(course, ASSIGNMENT, student, RIGHT)
        assert run(course, [ASSIGNMENT]) == all_graded()
        assert len(observed) == 1
    assert scores(course) == dict.fromkeys(students, (9.0, False))
    assert len((course / ".autograder" / "results.jsonl").read_text().splitlines()) == 1


@pytest.mark.slow
def test_a_folder_that_cannot_be_written(course, monkeypatch):
    submit(course, ASSIGNMENT, "ada", None)

    def refuse(path, *args):
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(command, "write_csv", refuse)
    with pytest.raises(ClassError, match=r"\.csv cannot be written \(Permission denied\)\. Fix"):
        run(course, [ASSIGNMENT])


@pytest.mark.slow
def test_marks_by_hand_survive(course):
    submit(course, ASSIGNMENT, "ada", RIGHT)
    run(course, [ASSIGNMENT])
    with gradebook_of(course) as gradebook:
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "ada")
        grade.manual_score, grade.needs_manual_grade = 5.0, False
        gradebook.db.commit()
    run(course, [ASSIGNMENT], force=True)
    with gradebook_of(course) as gradebook:
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "ada")
        assert (grade.manual_score, grade.auto_score, grade.needs_manual_grade) == (5.0, 9.0, False)
        assert grade.score == 5.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((["nothing"],), "has no assignment 'nothing' of the kit"),
        (([ASSIGNMENT],), "nobody has handed in 'static_branch'"),
        (([ASSIGNMENT], ["zoe"]), "nothing was handed in by zoe"),
    ],
)
@pytest.mark.slow
def test_what_cannot_be_graded(course, arguments, words):
    with pytest.raises(ClassError, match=words):
        run(course, *arguments)


def test_no_course_folder(tmp_path):
    with pytest.raises(ClassError, match="is not a course folder"):
        run(tmp_path, [ASSIGNMENT])


@pytest.mark.slow
def test_two_graders_at_once(course):
    submit(course, ASSIGNMENT, "ada", RIGHT)
    with lock_course(course), pytest.raises(ClassError, match="another grader is running"):
        run(course, [ASSIGNMENT])


@pytest.mark.slow
def test_a_key_that_was_spoilt(course):
    assert read_key(course) == read_key(course)
    (course / ".autograder" / "key.json").write_text("{}")
    with pytest.raises(ClassError, match="does not hold a key"):
        read_key(course)


@pytest.mark.slow
def test_notebooks_that_are_not_the_kits(course):
    """An assignment of the instructor's own is executed by nbgrader as ever."""
    cells = [
        nbformat.v4.new_code_cell(
            "1 + 1",
            metadata={
                "nbgrader": {
                    "grade": True,
                    "grade_id": "two",
                    "locked": True,
                    "points": 3,
                    "schema_version": 3,
                    "solution": False,
                    "task": False,
                    "cell_type": "code",
                }
            },
        )
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
    folder = course / "source" / "own"
    folder.mkdir()
    nbformat.write(notebook, folder / "own.ipynb")
    assert nbgrader(course, "generate_assignment", "own").returncode == 0
    target = course / "submitted" / "ada" / "own"
    target.mkdir(parents=True)
    shutil.copy(course / "release" / "own" / "own.ipynb", target)
    # One who claims to be a lesson, and one whose output claims to be a report.
    forged = nbformat.read(course / "release" / "own" / "own.ipynb", as_version=4)
    forged["metadata"]["autograder"] = {"schema": 1, "lesson": str(course / "rubric.py")}
    (course / "rubric.py").write_text("raise SystemExit('a submission chose the rubric')")
    report = {"schema": 1, "lesson": "own", "exercise": "two", "provisional": False, "notes": []}
    outputs = CriterionResult("outputs", Status.PASSED, 1000.0, 1000.0, "proved")
    report["criteria"] = [outputs.to_json()]
    data = {"text/plain": "2", REPORT_MIME: report}
    code = f"get_ipython().display_formatter.format = lambda *a, **k: ({data}, {{}})"
    forged["cells"].insert(0, nbformat.v4.new_code_cell(code, id="forger"))
    bob = course / "submitted" / "bob" / "own" / "own.ipynb"
    bob.parent.mkdir(parents=True)
    nbformat.write(forged, bob)
    done = nbgrader(course, "autograde", "own")
    assert done.returncode == 0, done.stderr
    for student in ("ada", "bob"):
        graded = nbformat.read(course / "autograded" / student / "own" / "own.ipynb", as_version=4)
        assert graded["cells"][-1]["outputs"][0]["data"]["text/plain"] == "2"
    assert REPORT_MIME in graded["cells"][-1]["outputs"][0]["data"]
    with gradebook_of(course) as gradebook:
        marks = [gradebook.find_submission("own", who).score for who in ("ada", "bob")]
        assert marks == [2.0, 2.0]
