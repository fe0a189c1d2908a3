"""Marks in the format of GitHub Classroom's autograder.

Each grading step gives its result as JSON in base64, in an output named `result`. The action
`classroom-resources/autograding-grading-reporter` adds these up: `src/main.js` decodes them,
`src/notify-classroom.js` sums the `score` of all tests and the `max_score` of all results, and
`src/console-results.js` prints them (https://github.com/classroom-resources/autograding-grading-reporter).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from autograder.model.report import CriterionResult, Report
from autograder.render import remark

_VERSION = 1


def classroom_result(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the result of one lesson; what is still open is left out, as it has no mark.

    It holds no text of the submission's: the action prints it to a log, which GitHub reads for
    commands.
    """
    tests = [
        _test(report.exercise, criterion)
        for report in reports
        for criterion in report.criteria
        if not criterion.is_open
    ]
    statuses = {test["status"] for test in tests}
    if any(report.failed_by_kit for report in reports) or not tests:
        status = "error"
    else:
        status = "pass" if statuses == {"pass"} else "fail"
    possible = sum(report.possible for report in reports)
    return {"version": _VERSION, "status": status, "max_score": possible, "tests": tests}


def _test(exercise: str, criterion: CriterionResult) -> dict[str, Any]:
    return {
        "name": f"{exercise}: {criterion.name}",
        "status": "pass" if criterion.earned == criterion.possible else "fail",
        "score": criterion.earned,
        "message": remark(criterion),
        "test_code": "",
        "filename": "",
        "line_no": 0,  # the action's word for none
    }


def encoded(result: dict[str, Any]) -> str:
    """Return the result as a step's output holds it."""
    return base64.b64encode(json.dumps(result).encode()).decode()
