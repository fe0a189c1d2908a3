"""The roster: who the students are in other systems, and who has more time."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.course_config import ClassError
from autograder.model.printable import one_line, printable

IDENTIFIERS = ("student_id", "email", "canvas_id", "sis_user_id", "sis_login_id", "id_number")
COLUMNS = (*IDENTIFIERS, "name", "section", "extra_days")
EXTENSION = "extension:"
_MAX_DAYS = 3650


@dataclass(frozen=True)
class Person:
    """One student, as a line of the roster says.

    Attributes:
        student_id: nbgrader's.
        name: as the other systems write it.
        email, id_number: Moodle's identifiers.
        canvas_id, sis_user_id, sis_login_id, section: Canvas's.
        extra_days: an accommodation: days more for every assignment.
        extensions: by assignment, days more, or a new due date (UTC, naive, as nbgrader's are).
    """

    student_id: str
    name: str = ""
    email: str = ""
    id_number: str = ""
    canvas_id: str = ""
    sis_user_id: str = ""
    sis_login_id: str = ""
    section: str = ""
    extra_days: float = 0.0
    extensions: Mapping[str, float | datetime] = field(default_factory=dict)


@dataclass(frozen=True)
class Roster:
    """The students of a course.

    Attributes:
        file: where they were read from.
        people: by nbgrader's id, in the order of the file.
        has_times: whether it has a column for extensions or extra days. It then decides on them
            for all its students; otherwise, what the gradebook says stays.
    """

    file: Path
    people: Mapping[str, Person]
    has_times: bool = False

    def more_time(
        self, student: str, assignment: str, duedate: datetime | None
    ) -> timedelta | None:
        """Return by how much a student's due date moves; None where it does not.

        Days of an extension come on top of `extra_days`; a new due date replaces both.

        Raises:
            ClassError: an extension where there is no due date, or one that ends before it.
        """
        person = self.people[student]
        where = {"file": self.file, "student": one_line(student), "assignment": assignment}
        if duedate is None:
            if assignment in person.extensions:
                raise ClassError(messages.NO_DUE_DATE.format(**where))
            return None
        extension = person.extensions.get(assignment, 0.0)
        if not isinstance(extension, datetime):
            return timedelta(days=person.extra_days + extension) or None
        if extension < duedate:
            dates = {"old": f"{duedate:%F %R}", "new": f"{extension:%F %R}"}
            raise ClassError(messages.EARLIER.format(**where, **dates))
        return extension - duedate or None


def read_roster(file: Path, assignments: Collection[str]) -> Roster:
    """Read a roster: comma-separated values whose first line names the columns.

    Args:
        file: in UTF-8. Case and spaces in the names of columns do not matter.
        assignments: names of the course's assignments.

    Raises:
        ClassError: the file cannot be read, or says something that cannot be; says where.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        rows = csv.reader(io.StringIO(text, newline=""), strict=True)
        header = [_column(name) for name in next(rows, [])]
        _check_header(file, header, assignments)
        people: dict[str, Person] = {}
        seen: dict[tuple[str, str], int] = {}
        for row in rows:
            if any(cell.strip() for cell in row):
                person = _person(file, rows.line_num, header, row, seen)
                people[person.student_id] = person
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ClassError(messages.UNREADABLE_ROSTER.format(file=file, error=reason)) from None
    has_times = any(name == "extra_days" or name.startswith(EXTENSION) for name in header)
    return Roster(file, people, has_times)


def _column(name: str) -> str:
    name = printable(name).strip()
    if name.lower().startswith(EXTENSION):
        return EXTENSION + name[len(EXTENSION) :].strip()
    return "_".join(name.lower().split())


def _check_header(file: Path, header: list[str], assignments: Collection[str]) -> None:
    if "student_id" not in header:
        found = one_line(", ".join(header)) or "nothing"
        raise ClassError(messages.NO_STUDENT_ID.format(file=file, found=found))
    for i, column in enumerate(header):
        message = ""
        if column in header[:i]:
            message = messages.COLUMN_TWICE
        elif column.startswith(EXTENSION):
            if column.removeprefix(EXTENSION) not in assignments:
                message = messages.UNKNOWN_LESSON
        elif column not in COLUMNS:
            message = messages.UNKNOWN_COLUMN
        if message:
            where = {"file": file, "column": one_line(column), "known": ", ".join(COLUMNS)}
            raise ClassError(message.format(**where))


def _person(
    file: Path, line: int, header: list[str], row: list[str], seen: dict[tuple[str, str], int]
) -> Person:
    where: dict[str, object] = {"file": file, "line": line}
    if any(cell.strip() for cell in row[len(header) :]):
        raise ClassError(messages.EXTRA_CELLS.format(**where))
    cells = {name: cell.strip() for name, cell in zip(header, row, strict=False) if cell.strip()}
    if "student_id" not in cells:
        raise ClassError(messages.NO_ID.format(**where))
    extra, extensions = 0.0, {}
    for column, value in cells.items():
        where |= {"column": column, "value": one_line(value)}
        if column in IDENTIFIERS:
            if value.startswith(("=", "+", "-", "@")):
                raise ClassError(messages.LIKE_A_FORMULA.format(**where))
            other = seen.setdefault((column, value), line)
            if other != line:
                raise ClassError(messages.TWICE.format(**where, other=other))
        if column == "canvas_id" and not value.isdecimal():
            raise ClassError(messages.NOT_AN_ID.format(**where))
        if column == "extra_days":
            extra = _days(value)
            if extra is None:
                raise ClassError(messages.NOT_DAYS.format(**where))
        if column.startswith(EXTENSION):
            days = _days(value)
            time = _due_date(value) if days is None else days
            if time is None:
                raise ClassError(messages.NOT_AN_EXTENSION.format(**where))
            extensions[column.removeprefix(EXTENSION)] = time
    texts = {name: cells.get(name, "") for name in (*IDENTIFIERS, "name", "section")}
    return Person(**texts, extra_days=extra, extensions=extensions)


def _days(text: str) -> float | None:
    try:
        days = float(text)
    except ValueError:
        return None
    return days if math.isfinite(days) and 0 <= days <= _MAX_DAYS else None


def _due_date(text: str) -> datetime | None:
    """Return a date with its time as nbgrader keeps it, in UTC and without a zone."""
    try:
        date = datetime.fromisoformat(text)
    except ValueError:
        return None
    if len(text) < len("2026-12-01 18:00"):
        return None  # a date alone: its first minute is not what people mean
    return date if date.tzinfo is None else date.astimezone(UTC).replace(tzinfo=None)
