"""Files for Canvas and Moodle, read back as those systems read them."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from autograder.classroom.course_config import ClassError
from autograder.classroom.lms_exports import (
    check_targets,
    export_canvas,
    export_moodle,
    round_points,
)
from autograder.classroom.marks import CellMark, Outcome, Totals
from autograder.classroom.roster import Person, Roster
from autograder.classroom.table import csv_text
from autograder.model.finding import Finding
from autograder.model.graded import Graded
from autograder.model.report import EVIDENCE, CriterionResult, Report, Status

HOSTILE = '=HYPERLINK("http://x","Ada, <b>x</b>")'


def outcome(student: str, points: float | None, *, answer: float | None = 2.0, penalty=0.0):
    finding = Finding("print", "error", 1, "=1+1 <script>", "=1+1")
    status = Status.PENDING if points is None else Status.PARTIAL
    criterion = CriterionResult("outputs", status, points or 0.0, 9, EVIDENCE["outputs"])
    failed = CriterionResult("purity", Status.FAILED, 0, 2, "observed", "", (finding,))
    cells = (
        CellMark("f", points, 11),
        CellMark("f-why", answer, 2, answer is not None, answer is None),
    )
    graded = Graded((Report("lesson", "f", (criterion, failed), False),), notes=("=a note",))
    return Outcome(student, graded, recorded=Totals(cells, penalty))


def roster(*people: Person) -> Roster:
    return Roster(Path("roster.csv"), {person.student_id: person for person in people})


PEOPLE = (
    Person("ada", HOSTILE, "ada@x.org", "m1", "11", "s1", "ada1", "@A"),
    Person("bo", "Bø, 漢字", "bo@x.org", "", "12"),
    Person("cy", "", "cy@x.org", "m3", "13"),
    Person("di", "Di", "di@x.org", "m4", "", "s4"),
    Person("ed", "Ed"),
)
CLASS = (
    outcome("ada", 6.125, penalty=0.5),
    outcome("bo", None),
    outcome("cy", 9, answer=None),
)


def read_as_canvas(text: str) -> tuple[list[str], dict[str, str], list[dict[str, str]]]:
    """As `GradebookImporter` reads it: the header, the points possible, the students."""
    header, *rows = list(csv.reader(text.splitlines()))
    assert "Student" in header[0] and "ID" in header[1] and len(header) > 4
    assert header[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    possible = [row for row in rows if "Points Possible" in row[0]]
    students = [row for row in rows if row not in possible]
    assert len(possible) == 1 and all(len(row) == len(header) for row in rows)
    named = [dict(zip(header, row, strict=True)) for row in students]
    return header, dict(zip(header, possible[0], strict=True)), named


def test_canvas():
    rows, notices = export_canvas("lesson", CLASS, roster(*PEOPLE))
    header, possible, students = read_as_canvas(csv_text(rows))
    assert header[5:] == ["lesson"] and possible["lesson"] == "13"
    assert [s["ID"] for s in students] == ["11", "12", "13", ""]
    assert [s["lesson"] for s in students] == ["7.63", "", "", ""]  # less 0.5 for lateness
    assert [s["Student"] for s in students] == [f"'{HOSTILE}", "Bø, 漢字", "cy", "Di"]
    assert students[0]["Section"] == "'@A" and students[3]["SIS User ID"] == "s4"
    assert notices == [
        "  left out, as roster.csv gives no identifier for them there: ed",
        "  empty, as nothing was handed in: di",
        "  empty, as the mark is not final (pending, to mark by hand, or not graded): bo, cy",
    ]


def test_moodle():
    rows, _ = export_moodle("lesson", CLASS, roster(*PEOPLE))
    ada, bo, cy, di = csv.DictReader(csv_text(rows).splitlines())
    # Only a column that is filled in for all identifies: Moodle maps one.
    assert list(ada) == ["Email address", "lesson", "lesson (Feedback)"]
    assert (ada["Email address"], ada["lesson"]) == ("ada@x.org", "7.63")
    printed = "7.625 / 13 (0.5 off for lateness): outputs 6.125 of 9, purity 0 of 2, f-why 2 of 2"
    assert ada["lesson (Feedback)"] == printed
    for row in (bo, cy, di):  # feedback without a grade would clear the grade
        assert (row["lesson"], row["lesson (Feedback)"]) == ("", "")
    for text in (csv_text(rows), ada["lesson (Feedback)"]):
        assert "script" not in text and "note" not in text


def test_not_in_the_gradebook_is_not_final():
    unrecorded = Outcome("ada", CLASS[0].graded)
    rows, notices = export_canvas("lesson", [unrecorded], roster(PEOPLE[0]))
    assert read_as_canvas(csv_text(rows))[2][0]["lesson"] == ""
    assert "not final" in notices[0]


def test_strangers_are_named_and_nothing_is_written():
    for export in (export_canvas, export_moodle):
        text = r"not in the roster roster.csv: bo, \[x\]. Nothing was written"
        with pytest.raises(ClassError, match=text):
            strangers = [CLASS[0], CLASS[1], outcome("[x]\x1b", 1)]
            export("lesson", strangers, roster(PEOPLE[0]))


def test_moodle_needs_one_column_for_all():
    people = roster(Person("ada", id_number="m1"), Person("bo", email="bo@x.org"))
    printed = "Without id_number: bo. Without email: ada."
    with pytest.raises(ClassError, match=printed):
        export_moodle("lesson", [], people)


@pytest.mark.parametrize(
    ("points", "printed"),
    [(0.0, "0"), (7.0, "7"), (10.0, "10"), (7.5, "7.5"), (1.005, "1.01"), (2 / 3, "0.67")],
)
def test_rounding(points, printed):
    assert round_points(points) == printed


def test_no_file_is_written_over_another(tmp_path):
    roster_file, file = tmp_path / "roster.csv", tmp_path / "c.csv"
    check_targets([file, tmp_path / "m.csv"], roster_file)
    for files in ([roster_file, None], [file, tmp_path / "." / "c.csv"]):
        with pytest.raises(ClassError, match="is named twice, and would be overwritten"):
            check_targets(files, roster_file)
    with pytest.raises(ClassError, match="cannot be written: there is no folder"):
        check_targets([None, tmp_path / "none" / "m.csv"], roster_file)
