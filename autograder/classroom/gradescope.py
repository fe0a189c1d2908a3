"""Results as Gradescope's autograders write them: one results.json for each submission.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.outcome import Outcome, says_what
from autograder.classroom.showable import showable
from autograder.classroom.totals import CellMark
from autograder.core.files import write_whole
from autograder.core.report import SCHEMA, CriterionResult, Report, Status
from autograder.render import criterion_text, remark

AFTER = "after_published"
"""When students see it: findings show inputs that others may still be judged on."""

STATUS = {Status.PASSED: "passed", Status.FAILED: "failed", Status.NOT_GRADED: "failed"}


def _test(number: str, report: Report, criterion: CriterionResult) -> dict[str, Any]:
    words = remark(criterion) if criterion.is_open else ""
    name = f"{report.exercise}: {criterion.name}"
    test: dict[str, Any] = {
        "number": number,
        "name": f"{name} ({words})" if words else name,
        "max_score": criterion.possible,
        "output": criterion_text(criterion),
        "visibility": AFTER,
        "extra_data": {"status": str(criterion.status), "evidence": criterion.evidence},
    }
    if not criterion.is_open:  # points that are still to be had are not 0
        test["score"] = criterion.earned
    if criterion.status in STATUS and not criterion.failed_by_kit:
        test["status"] = STATUS[criterion.status]
    return test


def _answer(number: str, answer: CellMark) -> dict[str, Any]:
    """An answer in words, which a person marks in formgrader."""
    test: dict[str, Any] = {
        "number": number,
        "name": answer.name if answer.points is not None else f"{answer.name} (not marked yet)",
        "max_score": answer.possible,
        "visibility": AFTER,
    }
    if answer.points is not None:
        test["score"] = answer.points
    return test


def results(outcome: Outcome) -> dict[str, Any]:
    """The results.json of a submission that was graded.

    What a person should look at is hidden from the student, whatever is published: it has no mark
    yet, and Gradescope asks for a number.
    """
    assert outcome.graded is not None
    look = (*outcome.look, *map(says_what, outcome.waiting))
    notes = dict.fromkeys((*outcome.graded.notes, *outcome.look))
    answers = enumerate(outcome.answers, 1)
    return {
        "score": outcome.totals.earned,
        "execution_time": outcome.graded.seconds,
        "output": "\n".join([outcome.mark(), *notes]),
        "output_format": "text",
        "visibility": AFTER if outcome.has_mark else "hidden",
        "stdout_visibility": "hidden",
        "extra_data": {
            "schema": SCHEMA,
            "graded": outcome.has_mark,
            "pending": outcome.totals.pending if outcome.has_mark else 0,
            "look": list(look),
        },
        "tests": [
            _test(f"{i}.{j}", report, criterion)
            for i, report in enumerate(outcome.reports, 1)
            for j, criterion in enumerate(report.criteria, 1)
        ]
        + [_answer(f"{len(outcome.reports) + 1}.{j}", answer) for j, answer in answers],
    }


def write_results(folder: Path, outcomes: Sequence[Outcome]) -> list[str]:
    """Write ``STUDENT/results.json`` for each submission that was graded.

    Args:
        folder: where the students' folders go; made if need be.
        outcomes: by student.

    Returns:
        Students without a file, because their submission is not graded yet.
    """
    missing = []
    for outcome in showable(outcomes):
        path = folder / outcome.student / "results.json"
        if not outcome.reports:
            path.unlink(missing_ok=True)  # an older one would be out of date
            missing.append(outcome.student)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(results(outcome), indent=1)
        write_whole(path, text + "\n")
    return missing
