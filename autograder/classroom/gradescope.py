"""Results in the format of Gradescope's autograders: one results.json for each submission.

The format: https://gradescope-autograders.readthedocs.io/en/latest/specs/#output-format
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.classroom.marks import CellMark
from autograder.classroom.outcome import Outcome, marking_task
from autograder.core.files import write_whole
from autograder.core.report import SCHEMA, CriterionResult, Status
from autograder.render import criterion_text, remark

AFTER = "after_published"
"""Students see it when marks are published: others may still be judged on the inputs shown."""

STATUS = {Status.PASSED: "passed", Status.FAILED: "failed", Status.NOT_GRADED: "failed"}


def _criterion_test(number: str, exercise: str, criterion: CriterionResult) -> dict[str, Any]:
    words = remark(criterion) if criterion.is_open else ""
    name = f"{exercise}: {criterion.name}"
    test: dict[str, Any] = {
        "number": number,
        "name": f"{name} ({words})" if words else name,
        "max_score": criterion.possible,
        "output": criterion_text(criterion),
        "visibility": AFTER,
        "extra_data": {"status": str(criterion.status), "evidence": criterion.evidence},
    }
    if not criterion.is_open:  # open points are not 0
        test["score"] = criterion.earned
    if criterion.status in STATUS and not criterion.has_no_mark:
        test["status"] = STATUS[criterion.status]
    return test


def _answer_test(number: str, answer: CellMark) -> dict[str, Any]:
    marked = answer.points is not None
    return {
        "number": number,
        "name": answer.name if marked else f"{answer.name} (not marked yet)",
        "max_score": answer.possible,
        "visibility": AFTER,
        **({"score": answer.points} if marked else {}),
    }


def results(outcome: Outcome) -> dict[str, Any]:
    """Return the results.json of a submission that was graded.

    Gradescope requires a score. So a submission without a mark, which a person should review, is
    always hidden from the student.
    """
    assert outcome.graded is not None
    tests = [
        _criterion_test(f"{i}.{j}", report.exercise, criterion)
        for i, report in enumerate(outcome.reports, 1)
        for j, criterion in enumerate(report.criteria, 1)
    ]
    for j, answer in enumerate(outcome.answers, 1):
        tests.append(_answer_test(f"{len(outcome.reports) + 1}.{j}", answer))
    notes = dict.fromkeys((*outcome.graded.notes, *outcome.review))
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
            "look": [*outcome.review, *map(marking_task, outcome.to_mark)],
        },
        "tests": tests,
    }


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
