"""What an instructor is shown of a class: page, mistakes, table, Gradescope's file."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from autograder.classroom.class_page import class_page, count_mistakes, shade
from autograder.classroom.gradescope import results, write_results
from autograder.classroom.marks import Outcome
from autograder.classroom.table import criterion_entry, csv_rows, csv_text
from autograder.model.figures import SpeedBars
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.report import EVIDENCE, CriterionResult, Report, Status

PRINTS = Finding("print", "error", 3, "It <prints> at every trace.", "print(x)")
OTHER = Finding("print", "error", 5, "It prints too.")
SLOW = Finding("cpu-speed", "warning", None, "Slow here.")


def criterion(name, status, earned, possible, *findings, reason=""):
    return CriterionResult(name, status, earned, possible, EVIDENCE[name], reason, findings)


def outcome(student: str, *criteria: CriterionResult, review=(), seconds=2.0) -> Outcome:
    return Outcome(
        student, Graded((Report("lesson", "f", criteria, False),), {}, seconds, ("a note",)), review
    )


OUTPUTS = criterion("outputs", Status.PASSED, 4, 4)
PENDING = criterion("speed", Status.PENDING, 0, 3, SLOW, reason="needs a GPU")


def none(name, possible, reason="worker-died"):
    return criterion(name, Status.NOT_GRADED, 0, possible, reason=reason)


CLASS = [
    outcome("ada", OUTPUTS, criterion("purity", Status.PASSED, 2, 2), PENDING),
    outcome("bo<b>", OUTPUTS, criterion("purity", Status.FAILED, 0, 2, PRINTS, PRINTS), PENDING),
    outcome("cy", OUTPUTS, criterion("purity", Status.FAILED, 0, 2, PRINTS), PENDING),
    outcome("di", OUTPUTS, criterion("purity", Status.FAILED, 0, 2, OTHER), PENDING),
    outcome(
        "ed",
        none("outputs", 4),
        none("purity", 2),
        none("speed", 3),
        review=("f: worker-died",),
        seconds=60.0,
    ),
    Outcome("flo", None, why="run `autograder grade`"),
]


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        (criterion("outputs", Status.FAILED, 0, 4), "zero"),
        (criterion("outputs", Status.PARTIAL, 1, 4), "low"),
        (criterion("outputs", Status.PARTIAL, 2, 4), "high"),
        (OUTPUTS, "full"),
        (PENDING, "pending"),
        (criterion("speed", Status.INCONCLUSIVE, 0, 3), "inconclusive"),
        (none("outputs", 4), "none"),
        (None, "none"),
    ],
)
def test_shades(result, kind):
    assert shade(criterion_entry(result)) == kind


def test_the_page_tells_both_ratios_of_what_was_timed():
    bars = SpeedBars(40.0, 37.5, 42.0, 20.0, "GPU", 60.0)
    fast = replace(criterion("speed", Status.PASSED, 3, 3), figure=bars)
    page = class_page("course", "lesson", [outcome("ada", OUTPUTS, fast)])
    printed = (
        "40 times the baseline&#39;s speed on this GPU (37.5 to 42); the lesson&#39;s own solution"
    )
    assert f"{printed}: 60x; required: 20x" in page


def test_mistakes_are_counted_by_student():
    (mistake,) = count_mistakes(CLASS)  # warnings cost nothing
    assert (mistake.exercise, mistake.criterion, mistake.rule) == ("f", "purity", "print")
    assert mistake.students == ("bo<b>", "cy", "di")
    assert (mistake.example, mistake.example_of) == (PRINTS, "bo<b>")


def test_what_follows_from_wrong_outputs_is_no_second_mistake():
    follows = criterion("purity", Status.NOT_GRADED, 0, 2, PRINTS, reason="outputs-first")
    wrong = criterion("outputs", Status.FAILED, 0, 4, Finding("nan", "error", 2, "Line 2: NaN."))
    (mistake,) = count_mistakes([outcome("ada", wrong, follows)])
    assert mistake.rule == "nan"


def test_page():
    text = class_page("course <1>", "lesson", CLASS)
    assert "<script" not in text and "http" not in text and "src=" not in text
    assert "course &lt;1&gt;" in text and "bo&lt;b&gt;" in text and "It &lt;prints&gt;" in text
    rows = re.findall(r"<tr><th>(.*?)</tr>", text, re.DOTALL)[1:]
    kinds = [re.findall(r'class="heat (\w+)"', row) for row in rows]
    assert kinds == [
        ["full", "full", "pending"],
        *[["full", "zero", "pending"]] * 3,
        *[["none"] * 3] * 2,
    ]
    assert "<b>3</b> of 6" in text
    assert "prefers-color-scheme: dark" in text
    assert "<b>ed</b>: f: worker-died" in text
    assert "Not graded yet: flo." in text
    assert "68.0 s over all submissions" in text and "longest 60.0 s" in text
    assert "<b>4.5</b>mean mark of 9" in text


def test_csv_tells_0_pending_and_not_graded_apart():
    rows = {
        row["student_id"]: row
        for row in csv.DictReader(io.StringIO(csv_text(csv_rows("l", CLASS))))
    }
    assert [rows["cy"][f"f.{name}"] for name in ("outputs", "purity", "speed")] == [
        "4",
        "0",
        "pending",
    ]
    assert rows["ed"]["f.purity"] == "could not be graded" and rows["ed"]["earned"] == ""
    assert rows["flo"]["f.purity"] == "not graded yet"
    assert rows["flo"]["status"] == "not graded yet: run `autograder grade`"
    assert rows["ada"]["earned"] == "6" and rows["ada"]["pending"] == "3"


def test_no_cell_of_the_csv_is_a_formula():
    hostile = outcome("=1+1", OUTPUTS, review=("@SUM(A1)",))
    (row,) = csv.DictReader(io.StringIO(csv_text(csv_rows("l", [hostile]))))
    assert (row["student_id"], row["review"]) == ("'=1+1", "'@SUM(A1)")


def test_gradescope(tmp_path):
    (tmp_path / "flo").mkdir()
    (tmp_path / "flo" / "results.json").write_text("from an earlier submission")
    assert write_results(tmp_path, CLASS) == ["flo"]
    assert not (tmp_path / "flo" / "results.json").exists()
    data = json.loads((tmp_path / "cy" / "results.json").read_text())
    assert (data["score"], data["execution_time"], data["visibility"]) == (
        4,
        2.0,
        "after_published",
    )
    assert data["output"] == "4 / 6 (+3 pending)\na note"
    outputs, purity, speed = data["tests"]
    assert (outputs["name"], outputs["number"]) == ("f: outputs", "1.1")
    assert (outputs["score"], outputs["max_score"], outputs["status"]) == (4, 4, "passed")
    assert (purity["score"], purity["status"]) == (0, "failed")
    assert "It <prints> at every trace." in purity["output"]
    assert speed["name"] == "f: speed (needs a GPU)"
    assert "status" not in speed and (speed["score"], speed["max_score"]) == (0, 0)  # not 0 of 3
    waits = (
        "3 points are not counted here: speed is decided on a GPU, and your instructor adds them."
    )
    assert speed["output"].splitlines()[0] == waits


def test_gradescope_hides_what_a_person_must_review():
    data = results(CLASS[4])
    assert (data["score"], data["visibility"]) == (0, "hidden")
    assert data["output"].startswith("could not be graded: the notebook ended Python")
    *tests, notice = data["tests"]
    assert {test["visibility"] for test in tests} == {"hidden"}
    assert notice["visibility"] == "visible" and notice["max_score"] == 0
    assert "Your instructor reviews this submission" in notice["output"]
    assert data["extra_data"] == {
        "schema": 1,
        "confined_by": "",
        "graded": False,
        "pending": 0,
        "review": ["f: worker-died"],
    }


def test_several_exercises_have_headings():
    reports = tuple(Report("lesson", name, (OUTPUTS,), False) for name in ("one", "two"))
    text = class_page("c", "lesson", [Outcome("ada", Graded(reports))])
    assert '<th colspan="1">one</th><th colspan="1">two</th>' in text
    assert "<p>None.</p>" in text
