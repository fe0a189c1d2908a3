"""Points for what was only observed: listed for the instructor, and held back when asked for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.classroom.class_page import class_page
from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.demo import submit
from autograder.classroom.marks import Outcome, hold_back, marks_of, reasons_to_review
from autograder.model.graded import Graded
from autograder.model.report import CriterionResult, Evidence, Report, Status, UnprovedLine
from autograder.render import text_card
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded, scores

FOUND = UnprovedLine("static_branch-solution", 3, "import os", "`os` is not known to compute.")


def criterion(name: str, earned: float, possible: float, evidence: Evidence) -> CriterionResult:
    status = Status.PASSED if earned else Status.FAILED
    return CriterionResult(name, status, earned, possible, evidence)


def report(evidence: Evidence) -> Report:
    criteria = (
        criterion("outputs", 4, 4, "proved"),
        criterion("purity", 2, 2, evidence),
        criterion("compilations", 0, 3, evidence),
    )
    unproved = FOUND if evidence == "observed" else None
    return Report("static_branch", "static_branch", criteria, False, unproved=unproved)


def test_points_that_could_have_been_forged_wait_for_a_person():
    held = hold_back(report("observed"))
    assert [c.earned for c in held.criteria] == [4, 0, 0]
    assert held.mark() == "4 / 7 (+2 pending)"
    assert marks_of(held)["static_branch"].points is None
    assert reasons_to_review([held]) == [
        "static_branch: pending: it was only observed, and a person decides"
    ]


def test_proved_points_do_not_wait():
    assert hold_back(report("proved")) == report("proved")
    assert marks_of(report("proved"))["static_branch"].points == 6


def test_nothing_earned_is_nothing_to_hold_back():
    failed = report("observed")
    failed = replace(failed, criteria=(failed.criteria[0], failed.criteria[2]))
    assert hold_back(failed) == failed


def test_the_class_page_names_the_line():
    outcomes = [
        Outcome("ada", Graded((report("proved"),))),
        Outcome("eve", Graded((report("observed"),))),
    ]
    page = class_page("a course", "static_branch", outcomes)
    listed = page.partition("<h2>Only observed</h2>")[2].partition("<h2>")[0]
    assert "<b>eve</b>" in listed and "import os" in listed and "ada" not in listed
    assert "`os` is not known to compute." in listed.replace("<code>", "`").replace("</code>", "`")
    assert "no evidence against somebody who\nwants to cheat" in listed
    assert "Only observed" not in class_page("a course", "static_branch", outcomes[:1])


def test_the_card_says_what_the_marks_stand_on():
    assert "outputs, purity, compilations: proved" in text_card(report("proved"))
    assert "outputs: proved; purity, compilations: observed" in text_card(report("observed"))


@pytest.mark.slow
def test_in_a_class(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    submit(course, ASSIGNMENT, "ada", RIGHT)
    # Left alone, the import would not be run: the function needs it.
    used = RIGHT.replace("if power == 0:", "if os.strerror(0) and power == 0:")
    submit(course, ASSIGNMENT, "eve", "import os\n" + used)
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert scores(course) == {"ada": (9.0, False), "eve": (9.0, False)}
    assert run(course, [ASSIGNMENT], strict=True) == NEEDS_REVIEW
    assert scores(course) == {"ada": (9.0, False), "eve": (None, True)}
    printed = capsys.readouterr().out
    assert "eve: static_branch: pending: it was only observed, and a person decides" in printed
    # The instructor has looked, and grades without.
    run(course, [ASSIGNMENT])
    assert scores(course) == {"ada": (9.0, False), "eve": (9.0, False)}
