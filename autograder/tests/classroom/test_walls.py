"""Where nothing but limits confines submissions: refused, unless asked for, and told each time."""

from __future__ import annotations

import csv
import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from autograder.classroom import messages
from autograder.classroom.class_page import class_page
from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_config import ClassError, read_config
from autograder.classroom.course_grader import CourseGrader, accepted_protections, why_refused
from autograder.classroom.demo import submit
from autograder.classroom.marks import Outcome
from autograder.classroom.packs.grade_upload import main
from autograder.classroom.packs.gradescope_pack import read_pack, write_gradescope
from autograder.classroom.table import csv_rows, csv_text
from autograder.lessons.course import Course
from autograder.model.graded import Graded
from autograder.model.report import CriterionResult, Report, Status
from autograder.sandbox import Protection, protection
from autograder.tests.helpers.courses import (
    ASSIGNMENT,
    RIGHT,
    autograder,
    gradebook_of,
    nbgrader,
    scores,
)
from autograder.tests.helpers.without_walls import machine_without_walls

NAMESPACES, USER, LIMITS = Protection
RESULT = Report(
    ASSIGNMENT,
    ASSIGNMENT,
    (CriterionResult("outputs", Status.PASSED, 9.0, 9.0, "proved"),),
    provisional=False,
)

STEAL = """
import json, sqlite3
key = json.load(open("COURSE/.autograder/key.json"))
with sqlite3.connect("COURSE/gradebook.db") as book:
    book.execute("UPDATE grade SET auto_score = 0")
open("COURSE/stolen", "w").write(str(key))
box_cox.key = key
"""
"""What a submission of the grader's own user can do: read the key, and set everybody's mark."""


@pytest.fixture
def strict_course(course):
    """A course whose config accepts no limits."""
    config = course / "nbgrader_config.py"
    text = config.read_text()
    assert read_config(course).limits_only
    config.write_text(text.replace("c.GradeIsolated.limits_only = True", ""))
    assert not read_config(course).limits_only
    return course


def attack(course: Path) -> Path:
    """Hand in a submission that opens key and gradebook; return what it writes."""
    submit(course, ASSIGNMENT, "mallory", RIGHT + STEAL.replace("COURSE", str(course)))
    return course / "stolen"


@pytest.fixture
def machine(tmp_path):
    return machine_without_walls(tmp_path / "machine")


def test_what_is_accepted():
    assert accepted_protections() == (NAMESPACES, USER)
    assert accepted_protections(limits_only=True) == (NAMESPACES, USER, LIMITS)
    assert accepted_protections(require_sandbox=True) == (NAMESPACES,)
    with pytest.raises(ClassError, match="exclude each other: choose one"):
        accepted_protections(limits_only=True, require_sandbox=True)


def test_why_it_is_refused():
    assert why_refused(USER, accepted_protections()) == ""
    refused = why_refused(LIMITS, accepted_protections())
    assert refused.startswith("nothing was graded. No wall confines submissions here: each could")
    assert "read and change all that you can, such as the key, the gradebook" in refused
    assert "apt install bubblewrap" in refused and "add --limits-only" in refused
    assert "c.GradeIsolated.limits_only = True into nbgrader_config.py" in refused
    assert why_refused(USER, [NAMESPACES]).startswith("--require-sandbox: the strongest")


@pytest.mark.slow
def test_a_submission_that_opens_key_and_gradebook_is_not_run(strict_course, machine):
    stolen = attack(strict_course)
    status, printed = autograder("grade", strict_course, **machine)
    assert status == 1, printed
    assert f"autograder: {messages.LIMITS_REFUSED}" in " ".join(printed.split())
    assert not stolen.exists()


@pytest.mark.slow
def test_asked_for_by_name_it_is_reported_each_time(strict_course, machine):
    """The attack then gains what the refusal says, and what it did is undone behind walls."""
    submit(strict_course, ASSIGNMENT, "bela", RIGHT)
    stolen = attack(strict_course)
    done = nbgrader(strict_course, "autograde", ASSIGNMENT, **machine)
    assert done.returncode and messages.LIMITS_REFUSED in done.stderr
    assert not stolen.exists()

    status, printed = autograder("grade", strict_course, "--limits-only", **machine)
    assert status == NEEDS_REVIEW, printed
    assert printed.rstrip().endswith(messages.LIMITS_WARNING)
    assert stolen.read_text() == str(
        json.loads((strict_course / ".autograder/key.json").read_text())
    )
    with sqlite3.connect(strict_course / "gradebook.db") as book:
        book.execute("UPDATE grade SET auto_score = 0")  # so that the order does not matter

    status, printed = autograder("report", strict_course, ASSIGNMENT, **machine)
    assert status == 0 and printed.rstrip().endswith(messages.LIMITS_WARNING)
    assert messages.LIMITS_WARNING in (strict_course / f"{ASSIGNMENT}.html").read_text()
    rows = csv.DictReader((strict_course / f"{ASSIGNMENT}.csv").read_text().splitlines())
    assert all(messages.LIMITS_ROW in row["review"] for row in rows)

    if protection() is LIMITS:
        return
    stolen.unlink()
    status, printed = autograder("grade", strict_course)
    assert "(known)" not in printed and messages.LIMITS_WARNING not in printed
    assert scores(strict_course)["bela"] == (9.0, False)
    if protection() is NAMESPACES:
        assert not stolen.exists()
    status, printed = autograder("grade", strict_course, "--limits-only", **machine)
    assert printed.count("(known)") == 2, "both kinds of results are in the store by now"
    assert messages.LIMITS_WARNING in printed


@pytest.mark.slow
def test_nbgraders_own_commands_ask_in_the_config(course, machine):
    submit(course, ASSIGNMENT, "bela", RIGHT)
    done = nbgrader(course, "autograde", ASSIGNMENT, **machine)
    assert done.returncode == 0, done.stderr
    assert messages.LIMITS_WARNING in done.stderr
    with gradebook_of(course) as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "bela").score == 9


def test_results_of_another_protection_are_not_taken_up(course):
    for strength in Protection:
        grader = CourseGrader(read_config(course), accepted=(strength,))
        assert grader.find_result("digest") is None
        graded = Graded((RESULT,), confined_by=strength)
        grader.keep_result("digest", graded)
        assert grader.find_result("digest") == graded
    shown = CourseGrader(read_config(course)).find_result("digest")
    assert shown is not None and shown.confined_by == protection()


def test_table_and_page_name_it():
    weak = Outcome("ada", Graded((RESULT,), confined_by=LIMITS))
    others = [Outcome("bo", Graded((RESULT,), confined_by=s)) for s in (NAMESPACES, USER, "")]
    assert messages.LIMITS_WARNING in class_page("c", ASSIGNMENT, [*others, weak])
    assert messages.LIMITS_WARNING not in class_page("c", ASSIGNMENT, others)
    rows = list(csv.DictReader(csv_text(csv_rows(ASSIGNMENT, [*others, weak])).splitlines()))
    assert [row["review"] for row in rows] == ["", "", "", "graded with limits only"]


def test_gradescope_refuses_too(root, tmp_path, write_notebook, capsys, monkeypatch):
    """Where another user confines the submission, that is said in its results."""
    for name in ("source", "submission", "results"):
        (tmp_path / name).mkdir()
    write_gradescope(Course(root), ASSIGNMENT, tmp_path / "pack.zip")
    zipfile.ZipFile(tmp_path / "pack.zip").extractall(tmp_path / "source")
    assert not read_pack(tmp_path / "source").limits_only
    write_notebook(ASSIGNMENT, True, folder=tmp_path / "submission")
    monkeypatch.setattr("autograder.classroom.packs.grade_upload.protection", lambda: LIMITS)
    main(tmp_path)
    result = json.loads((tmp_path / "results" / "results.json").read_text())
    assert (result["score"], result["visibility"]) == (0, "hidden")
    assert "No wall confines a submission here: neither" in capsys.readouterr().err
