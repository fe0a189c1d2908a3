"""Lateness in nbgrader's gradebook: from what can be read now, never from what was before."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import pytest

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import CONFIG_FILE
from autograder.classroom.demo import submit
from autograder.classroom.report_command import write_report
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, gradebook_of, nbgrader

OWN_POLICY = """
from nbgrader.plugins import LateSubmissionPlugin


class PointPerTenMinutes(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return total_seconds_late / 600


c.AssignLatePenalties.plugin_class = PointPerTenMinutes
c.Exchange.timezone = "Europe/Berlin"
"""
GARBAGE = "half past eight"


@pytest.fixture
def dated(course: Path) -> Path:
    """A course whose assignment is due on 20 July 2026 at 18:00 UTC, which is 20:00 in Berlin."""
    with (course / CONFIG_FILE).open("a") as file:
        file.write(OWN_POLICY)
    with gradebook_of(course) as gradebook:
        due = datetime(2026, 7, 20, 18)
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate=due)
    for student in ("ada", "bo", "cy"):
        submit(course, ASSIGNMENT, student, RIGHT)
    return course


def hand_in_at(course: Path, times: Mapping[str, str | None]) -> None:
    for student, time in times.items():
        file = course / "submitted" / student / ASSIGNMENT / "timestamp.txt"
        file.unlink(missing_ok=True)
        if time is not None:
            file.write_text(time)


def found(course: Path) -> dict[str, tuple[datetime | None, float]]:
    """When each handed in, and the points off."""
    with gradebook_of(course) as gradebook:
        submissions = gradebook.assignment_submissions(ASSIGNMENT)
        return {s.student.id: (s.timestamp, s.late_submission_penalty) for s in submissions}


IN_TIME = {
    "ada": "2026-07-20 19:30:00.000000 CEST",
    "bo": "2026-07-20 20:30:00 +0200",
    "cy": "2026-07-20 18:20:00 UTC",
}
READ = {
    "ada": (datetime(2026, 7, 20, 17, 30), 0),
    "bo": (datetime(2026, 7, 20, 18, 30), 3),
    "cy": (datetime(2026, 7, 20, 18, 20), 2),
}
GONE = {"ada": READ["ada"], "bo": (None, 0), "cy": (None, 0)}


@pytest.mark.slow
def test_autograder_grade(dated, capsys):
    hand_in_at(dated, IN_TIME)
    assert run(dated, [ASSIGNMENT]) == 0
    assert found(dated) == READ
    hand_in_at(dated, {"bo": GARBAGE, "cy": None})
    capsys.readouterr()
    assert run(dated, [ASSIGNMENT]) == NEEDS_REVIEW
    assert found(dated) == GONE
    printed = " ".join(capsys.readouterr().out.split())
    assert "9 / 11 (3 off" not in printed and "1 of 3 submissions need your review" in printed
    assert f"bo: timestamp.txt holds '{GARBAGE}', which is not a time" in printed
    page = write_report(dated, ASSIGNMENT).read_text()
    assert "which is not a time" in page and "no lateness was counted" in page
    copies = sorted(dated.glob("autograded/*/*/timestamp.txt"))
    assert [(p.parent.parent.name, p.read_text()) for p in copies] == [
        ("ada", "2026-07-20 17:30:00.000000 UTC")
    ]
    # A time that is right again counts again, and the old complaint is gone.
    hand_in_at(dated, {"bo": IN_TIME["bo"]})
    assert run(dated, [ASSIGNMENT]) == 0
    assert found(dated) == {**READ, "cy": (None, 0)}


@pytest.mark.slow
def test_nbgrader_autograde(dated):
    def autograde() -> None:
        done = nbgrader(dated, "autograde", ASSIGNMENT, "--force")
        assert done.returncode == 0, done.stderr

    hand_in_at(dated, IN_TIME)
    autograde()
    assert found(dated) == READ
    hand_in_at(dated, {"bo": GARBAGE, "cy": None})
    autograde()
    assert found(dated) == GONE
    card = dated / "autograded" / "bo" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    assert "which is not a time such as" in card.read_text()
    # What lies beside the graded notebook is read by nbgrader's other commands.
    assert not card.with_name("timestamp.txt").exists()
    for _ in range(2):
        done = nbgrader(dated, "generate_feedback", ASSIGNMENT)
        assert done.returncode == 0, done.stderr
