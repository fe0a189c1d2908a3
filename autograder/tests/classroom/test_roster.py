"""The roster: what it says, and what its errors say."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from autograder.classroom.course_config import ClassError
from autograder.classroom.roster import Roster, read_roster

DUE = datetime(2026, 12, 1, 18)


def written(folder: Path, text: str | bytes) -> Path:
    file = folder / "roster.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def read(folder: Path, text: str | bytes) -> Roster:
    return read_roster(written(folder, text), ["timing", "tracing"])


def test_columns_of_canvas_and_a_spreadsheets_first_bytes(tmp_path):
    text = (
        "\ufeffStudent_ID,Name,SIS User ID,Canvas ID,ID number,Section\r\n"
        'ada,"Lovelace, Ada",s1,11,m1,<b>A</b>\r\n'
        ",,,,,\r\n"
        "bo,,,,,\r\n"
    )
    roster = read(tmp_path, text)
    assert list(roster.people) == ["ada", "bo"] and not roster.has_times
    ada = roster.people["ada"]
    assert (ada.name, ada.sis_user_id, ada.canvas_id) == ("Lovelace, Ada", "s1", "11")
    assert (ada.id_number, ada.section, roster.people["bo"].name) == ("m1", "<b>A</b>", "")


def test_more_time(tmp_path):
    text = (
        "student_id,extra_days,extension:timing,extension: tracing\n"
        "ada,1.5,,\nbo,1,2,\ncy,2,2026-12-04 19:00+01:00,\ndi,0,,\n"
    )
    roster = read(tmp_path, text)

    def more(student: str, assignment: str) -> timedelta | None:
        return roster.more_time(student, assignment, DUE)

    assert more("ada", "timing") == more("ada", "tracing") == timedelta(days=1.5)
    assert (more("bo", "timing"), more("bo", "tracing")) == (timedelta(days=3), timedelta(days=1))
    assert more("cy", "timing") == timedelta(days=3)  # in place of the other two days
    assert more("cy", "tracing") == timedelta(days=2)
    assert more("di", "timing") is None
    assert roster.has_times
    assert roster.more_time("ada", "timing", None) is None
    with pytest.raises(ClassError, match="extends timing for bo, but the gradebook has no due"):
        roster.more_time("bo", "timing", None)
    early = "gives cy the due date 2026-12-04 18:00 UTC for timing, which is before everybody's"
    with pytest.raises(ClassError, match=early):
        roster.more_time("cy", "timing", datetime(2027, 1, 1))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("", "has no column student_id: .* It names: nothing"),
        ("student_id;name\nada;Ada\n", "no column student_id.* by commas. It names: student_id;n"),
        ("student_id,extra_day\n", "a column 'extra_day' that the kit does not know"),
        ("student_id,name,NAME\n", "has two columns name: remove one"),
        ("student_id,extension:timming\n", "'extension:timming', but the course has no such"),
        ("student_id,name\nada,Lovelace, Ada\n", "line 2: there are more cells than columns"),
        ("student_id,name\n,Ada\n", "line 2: student_id is empty"),
        ("student_id\nada\nbo\nada\n", "line 4: student_id 'ada' is also that of line 2"),
        ("student_id,email\nada,a@b\nbo,a@b\n", "line 3: email 'a@b' is also that of line 2"),
        ("student_id,email\nada,=cmd()\n", "line 2: email '=cmd\\(\\)' begins like a spread"),
        ("student_id,canvas_id\nada,x1\n", "canvas_id 'x1' is not a whole number"),
        ("student_id,extra_days\nada,-1\n", "extra_days is '-1': give a number of days"),
        ("student_id,extra_days\nada,nan\n", "extra_days is 'nan': give a number of days"),
        ("student_id,extension:timing\nada,soon\n", "extension:timing is 'soon': give a number"),
        ("student_id,extension:timing\nada,2026-12-01\n", "is '2026-12-01': give .* its time"),
        (b"student_id\n\xff\n", "cannot be read: .*must be a CSV file in UTF-8"),
        ('student_id,name\nada,"Ada\n', "cannot be read: unexpected end of data"),
        ("student_id,name\nada,\x1b[31mAda,x\n", "line 2: there are more cells"),
    ],
)
def test_errors_say_where(tmp_path, text, printed):
    with pytest.raises(ClassError, match=printed) as error:
        read(tmp_path, text)
    assert "roster.csv" in str(error.value) and "\x1b" not in str(error.value)


def test_a_roster_that_is_not_there(tmp_path):
    with pytest.raises(ClassError, match="cannot be read: No such file or directory"):
        read_roster(tmp_path / "roster.csv", [])
