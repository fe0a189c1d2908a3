"""Lateness as nbgrader decides it, with the roster's extensions, up to the files for an LMS."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path

import pytest

from autograder.classroom.command import run
from autograder.classroom.course_config import CONFIG_FILE, ClassError
from autograder.classroom.demo import submit
from autograder.classroom.report_command import write_report
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, autograder, gradebook_of

ROSTER = "student_id,canvas_id,email,extra_days,extension:static_branch\n"
IDS = {"ada": "ada,1,a@x.org", "bo": "bo,2,b@x.org", "cy": "cy,3,c@x.org"}


def set_duedate(course: Path, duedate: datetime | None) -> None:
    """As formgrader does."""
    with gradebook_of(course) as gradebook:
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate=duedate)


def penalties(course: Path) -> dict[str, float]:
    with gradebook_of(course) as gradebook:
        submissions = gradebook.assignment_submissions(ASSIGNMENT)
        return {s.student.id: s.late_submission_penalty for s in submissions}


def write_roster(course: Path, **times: str) -> Path:
    file = course / "roster.csv"
    lines = [f"{ids},{times.get(student, ',')}\n" for student, ids in IDS.items()]
    file.write_text(ROSTER + "".join(lines))
    return file


@pytest.mark.slow
def test_extensions_move_the_due_date_that_nbgraders_plugin_sees(course, tmp_path, capsys):
    with (course / CONFIG_FILE).open("a") as file:
        file.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    for student, time in {"ada": "2026-12-01 17:00", "bo": "2026-12-03 17:00"}.items():
        notebook = submit(course, ASSIGNMENT, student, RIGHT)
        notebook.with_name("timestamp.txt").write_text(f"{time}:00 UTC\n")
    dated = write_roster(course, bo=",2026-12-03 18:00")
    with pytest.raises(ClassError, match="extends static_branch for bo, but the gradebook has no"):
        run(course, [ASSIGNMENT], roster=dated)
    set_duedate(course, datetime(2026, 12, 1, 18))
    run(course, [ASSIGNMENT])
    assert penalties(course) == {"ada": 0, "bo": 9}
    assert "off for lateness" in capsys.readouterr().out

    run(course, [ASSIGNMENT], roster=dated)  # the result is known, the penalty is not
    assert penalties(course) == {"ada": 0, "bo": 0}
    recorded = course / ".autograder" / f"recorded-{ASSIGNMENT}.json"
    before = recorded.stat().st_mtime_ns
    run(course, [ASSIGNMENT])  # without a roster, what the gradebook says stays
    assert penalties(course) == {"ada": 0, "bo": 0} and recorded.stat().st_mtime_ns == before

    run(course, [ASSIGNMENT], roster=write_roster(course, bo="1.5,"))
    assert penalties(course) == {"ada": 0, "bo": 9}
    set_duedate(course, datetime(2026, 12, 2, 18))  # everybody's moves: bo's 1.5 days too
    run(course, [ASSIGNMENT])
    assert penalties(course) == {"ada": 0, "bo": 0}

    canvas, moodle = tmp_path / "canvas.csv", tmp_path / "moodle.csv"
    roster = course / "roster.csv"
    where = ("report", course, ASSIGNMENT, "--canvas", canvas, "--moodle", moodle)
    status, printed = autograder(*where)
    assert status == 1 and "--canvas and --moodle need --roster FILE" in printed
    status, printed = autograder(*where, "--roster", roster)
    assert status == 0, printed
    assert f"For Canvas: {canvas}" in printed and f"For Moodle: {moodle}" in printed
    assert "empty, as nothing was handed in: cy" in printed
    rows = list(csv.DictReader(canvas.read_text().splitlines()))
    assert [row[ASSIGNMENT] for row in rows] == ["11", "9", "9", ""]
    assert [row["ID"] for row in rows] == ["", "1", "2", "3"]
    rows = list(csv.DictReader(moodle.read_text().splitlines()))
    assert [row[ASSIGNMENT] for row in rows] == ["9", "9", ""]

    written = canvas.read_bytes()
    roster.write_text("student_id,canvas_id\nada,1\n")
    with pytest.raises(ClassError, match=r"not in the roster .*: bo\. Nothing was written"):
        write_report(course, ASSIGNMENT, canvas=canvas, roster=roster)
    assert canvas.read_bytes() == written
