"""Results in the format of Gradescope's autograders: one results.json for each submission.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
It knows no pending points. So what is still open has a test with 0 of 0 points, whose text says how
many points wait, and why: the score is what is decided, and lowers nobody.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.marks import CellMark, Outcome, marking_tasks
from autograder.classroom.packs import messages
from autograder.criteria.speed.decision import SPEED
from autograder.model.printable import printable
from autograder.model.report import SCHEMA, CriterionResult, Status
from autograder.processes.files import write_whole
from autograder.render import criterion_text, remark

AFTER = "after_published"
"""Students see it when marks are published: others may still be judged on the inputs shown."""

STATUS = {Status.PASSED: "passed", Status.FAILED: "failed", Status.NOT_GRADED: "failed"}


def _open_points(points: float, why: str) -> dict[str, Any]:
    """Return the points of a test that is still open."""
    text = messages.NOT_COUNTED.format(points=points, why=why) if points else ""
    return {"score": 0.0, "max_score": 0.0, "output": text}


def _criterion_test(number: str, exercise: str, criterion: CriterionResult) -> dict[str, Any]:
    is_open = criterion.is_open or criterion.waits_for_person
    words = remark(criterion) if is_open else ""
    name = f"{exercise}: {criterion.name}"
    test: dict[str, Any] = {
        "number": number,
        "name": f"{name} ({words})" if words else name,
        "score": criterion.earned,
        "max_score": criterion.possible,
        "output": "",
        "extra_data": {"status": str(criterion.status), "evidence": criterion.evidence},
    }
    if is_open:
        waits_for_gpu = criterion.name == SPEED and not criterion.waits_for_person
        why = messages.SPEED_WAITS if waits_for_gpu else messages.STILL_OPEN
        test |= _open_points(criterion.possible, why)
    elif criterion.status in STATUS:
        test["status"] = STATUS[criterion.status]
    test["output"] = printable("\n".join(filter(None, [test["output"], criterion_text(criterion)])))
    return test


def _answer_test(number: str, answer: CellMark) -> dict[str, Any]:
    test = {"number": number, "name": answer.name}
    if answer.points is not None:
        return {**test, "score": answer.points, "max_score": answer.possible}
    test["name"] = f"{answer.name} (not marked yet)"
    return {**test, **_open_points(answer.possible, messages.PERSON_MARKS)}


def results(
    outcome: Outcome, *, visibility: str = AFTER, notes: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the results.json of a submission that was graded.

    Gradescope requires a score. So a submission without a mark, which a person should review, is
    always hidden from the student, who reads no more than that.

    Args:
        outcome: of the submission.
        visibility: when students see it, in Gradescope's words.
        notes: what the student should know beside the marks.
    """
    assert outcome.graded is not None
    tests = [
        _criterion_test(f"{i}.{j}", report.exercise, criterion)
        for i, report in enumerate(outcome.reports, 1)
        for j, criterion in enumerate(report.criteria, 1)
    ]
    for j, answer in enumerate(outcome.answers, 1):
        tests.append(_answer_test(f"{len(outcome.reports) + 1}.{j}", answer))
    seen = visibility if outcome.has_mark else "hidden"
    tests = [{**test, "visibility": seen} for test in tests]
    if not outcome.has_mark:
        tests.append(_notice(_why_no_mark(outcome)))
    remarks = dict.fromkeys((*notes, *outcome.graded.notes, *outcome.review))
    extra = {
        "graded": outcome.has_mark,
        "confined_by": outcome.graded.confined_by,
        "pending": outcome.totals.pending if outcome.has_mark else 0,
        "review": [*outcome.review, *marking_tasks([outcome])],
    }
    output = "\n".join([outcome.mark(), *remarks])
    result = _result(outcome.totals.earned, output, seen, tests, extra)
    return {**result, "execution_time": outcome.graded.seconds}


def _result(
    score: float, output: str, visibility: str, tests: list[dict[str, Any]], extra: dict[str, Any]
) -> dict[str, Any]:
    return {
        "score": score,
        "output": printable(output),
        # Gradescope shows it as it is. In its other formats, a student's text could act as markup.
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": visibility,
        "stdout_visibility": "hidden",
        "extra_data": {"schema": SCHEMA, **extra},
        "tests": tests,
    }


def _why_no_mark(outcome: Outcome) -> str:
    """Return what the student can do about a submission that could not be graded."""
    if any(report.failed_by_kit for report in outcome.reports):
        return messages.NO_MARK
    first = next(c for r in outcome.reports for c in r.criteria if c.waits_for_person)
    return f"{criterion_text(first)}\n{messages.REVIEWED}"


def refusal(text: str, visibility: str) -> dict[str, Any]:
    """Return the results.json of a submission that was not graded; its student sees the text."""
    extra = {"graded": False, "pending": 0, "review": [printable(text)]}
    return _result(0.0, text, visibility, [_notice(text)], extra)


def _notice(text: str) -> dict[str, Any]:
    """Return a test without points that the student always sees."""
    points = {"score": 0.0, "max_score": 0.0}
    return {"name": "no mark yet", **points, "visibility": "visible", "output": printable(text)}


def write_results(folder: Path, outcomes: Sequence[Outcome]) -> list[str]:
    """Write ``STUDENT/results.json`` for each graded submission; return the other students."""
    missing = []
    for outcome in outcomes:
        path = folder / outcome.student / "results.json"
        if not outcome.reports:
            path.unlink(missing_ok=True)  # an older one would be out of date
            missing.append(outcome.student)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(results(outcome), indent=1)
        write_whole(path, text + "\n")
    return missing
