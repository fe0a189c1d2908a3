import json

import pytest

from autograder.model.finding import Finding
from autograder.model.report import EVIDENCE, CriterionResult, Report, Status


def criterion(name: str, status: Status, earned: float, possible: float, *findings: Finding):
    return CriterionResult(name, status, earned, possible, EVIDENCE[name], "", findings)


PASSED = criterion("outputs", Status.PASSED, 4, 4)
FAILED = criterion("purity", Status.FAILED, 0, 2, Finding("print", "error", 3, "It prints.", "x"))
PENDING = criterion("speed", Status.PENDING, 0, 3)
UNSEEN = criterion("outputs", Status.NOT_GRADED, 0, 4)


@pytest.mark.parametrize(
    ("criteria", "status", "mark"),
    [
        ((PASSED,), Status.PASSED, "4 / 4"),
        ((PASSED, FAILED), Status.PARTIAL, "4 / 6"),
        ((FAILED,), Status.FAILED, "0 / 2"),
        ((PASSED, PENDING), Status.PENDING, "4 / 4 (+3 pending)"),
        ((PASSED, FAILED, PENDING), Status.PARTIAL, "4 / 6 (+3 pending)"),
        ((UNSEEN,), Status.NOT_GRADED, "0 / 4"),
    ],
)
def test_status_and_mark(criteria, status, mark):
    report = Report("lesson", "exercise", criteria)
    assert report.status is status
    assert report.mark() == mark


def test_json_round_trip():
    report = Report("lesson", "exercise", (PASSED, FAILED, PENDING), notes=("a note",))
    data = json.loads(json.dumps(report.to_json()))
    assert data["schema"] == 1
    assert Report.from_json(data) == report


def test_other_schema_is_refused():
    data = {**Report("lesson", "exercise", (PASSED,)).to_json(), "schema": 2}
    with pytest.raises(ValueError, match="schema 2; this version reads 1"):
        Report.from_json(data)


def test_findings_from_an_untrusted_process_are_coerced():
    finding = Finding.from_json(
        {"rule": 3, "severity": "fatal", "line": "7", "message": "x" * 9999}
    )
    assert finding == Finding("3", "error", None, "x" * 4000)
