"""The class over all assignments: what is counted, what the page says, and of whom."""

from __future__ import annotations

from datetime import datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import pytest

from autograder.classroom import messages
from autograder.classroom.course_config import ClassError, CourseKey, read_key
from autograder.classroom.demo import submit
from autograder.classroom.marks import CellMark, Totals
from autograder.classroom.term.overview import (
    AssignmentResult,
    Overview,
    Progress,
    find_recurring,
    find_stopped,
)
from autograder.classroom.term.term_report import (
    SECRET_FILE,
    in_days,
    make_pseudonyms,
    term_page,
    write_term_report,
)
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT

DUE = datetime(2025, 9, 8, 16)
NOW = DUE + timedelta(days=100)
HOSTILE = "</td><script>alert(1)</script>"


def result(earned: float | None = 6.0, possible=9.0, pending=0.0, **more) -> AssignmentResult:
    cells = (CellMark("f", earned, possible), CellMark("f_speed", None, pending))
    return AssignmentResult(Totals(cells), is_graded=True, **more)


def progress(name: str, results: dict[str, AssignmentResult], **more) -> Progress:
    standard = {"duedate": None, "more_time": {}, "mistakes": {}, "seconds": 1.0}
    return Progress(name, results=results, **standard | more)


def rules(**who: str) -> dict[str, frozenset[str]]:
    return {rule: frozenset(students.split()) for rule, students in who.items()}


class Tables(HTMLParser):
    """The cells of each table, by its id, as an independent reader finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.tags: set[str] = set()
        self.links: list[str] = []
        self._rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.add(tag)
        self.links += [value for name, value in attrs if name in ("href", "src") and value]
        assert not any(name.startswith("on") for name in given)
        if tag == "table":
            self._rows = self.tables[given["id"] or ""] = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_data(self, data):
        if self._rows and self._rows[-1]:
            self._rows[-1][-1] += data.strip()


CLASS = Overview(
    ("ada", "bo", HOSTILE, "never"),
    (
        progress(
            "one",
            {
                "ada": result(9.0, handed_in=DUE - timedelta(days=3)),
                "bo": result(8.99, 9.0, handed_in=DUE + timedelta(hours=1)),
                HOSTILE: result(0.01, handed_in=DUE),
            },
            duedate=DUE,
            mistakes=rules(print="ada bo", nan="bo"),
        ),
        progress("two", {"ada": result(None, 0.0, pending=2.0), "bo": result(4.0, pending=1.0)}),
        progress("three", {"ada": result(0.0, to_mark=2)}, mistakes=rules(print="ada")),
        progress("four", {"ada": AssignmentResult()}, mistakes=rules(nan="ada")),
        progress("released", {}),
    ),
)


def page(labels: dict[str, str] | None = None, overview: Overview = CLASS) -> str:
    return term_page(
        "course <1>",
        overview,
        find_stopped(overview, NOW),
        find_recurring(overview),
        labels or {student: student for student in overview.students},
        formgrader="http://localhost:8888/formgrader/",
        now=NOW,
    )


def test_what_only_limits_confined_is_reported():
    weak = [progress(name, {"ada": result()}, is_limits_only=True) for name in ("x", "y")]
    assert "<p><b>x, y: Warning: only limits confined" in page(
        overview=Overview(("ada",), tuple(weak))
    )
    assert "<p><b>" not in page()


def test_mistakes_that_come_back():
    first, second = find_recurring(CLASS)
    assert (first.rule, first.students, first.again) == ("print", {"ada", "bo"}, {"ada"})
    assert first.assignments == ("one", "three")
    assert (second.rule, second.again) == ("nan", frozenset())


def test_who_has_stopped():
    stopped = find_stopped(CLASS, NOW)
    assert stopped.last == ("two", "three", "four")  # nobody handed in the last
    assert stopped.students == {HOSTILE: "one"} and stopped.never == ("never",)


def test_nobody_has_stopped_while_there_is_time_left():
    open_until = NOW - timedelta(days=1)
    results = {"ada": result(), "bo": result()}
    more_time = {"cy": timedelta(days=2)}
    first = progress("zero", {**results, "cy": result(), "di": result()})
    last = [progress(n, results, duedate=open_until, more_time=more_time) for n in "abc"]
    overview = Overview(("ada", "bo", "cy", "di"), (first, *last))
    assert find_stopped(overview, NOW).students == {"di": "zero"}


def test_one_who_runs_ahead_stops_nobody():
    results = {name: result() for name in ("ada", "bo", "cy", "di")}
    ahead = [progress(n, {"ada": result()}) for n in "bcdef"]
    overview = Overview(tuple(results), (progress("a", results), *ahead))
    assert find_stopped(overview, NOW).last == ("a",)
    text = page(overview=overview)
    assert "too early to say: fewer than 3 assignments" in text


def test_page():
    text = page()
    found = Tables(text)
    assert "script" not in found.tags and "link" not in found.tags
    assert found.links == ["http://localhost:8888/formgrader/gradebook/three/three"]
    header, *rows = found.tables["progress"]
    assert header == ["student", *(a.name for a in CLASS.assignments), "handed in", "mean"]
    assert [row for row in rows if row[0] != HOSTILE] == [
        ["ada", "100", "…", "0", "–", "", "4", "50"],
        ["bo", "99", "44…", "", "", "", "2", "72"],  # 100 is all points
        ["never", "", "", "", "", "", "0", ""],
    ]
    assert [HOSTILE, "1", "", "", "", "", "1", "0"] in rows
    one = found.tables["assignments"][1]
    assert one[:5] == ["one", "3", "67 %", "", "08 Sep 16:00"] and one[5:7] == [
        "1",
        "0 hours before",
    ]
    assert found.tables["assignments"][3][3] == "2 in formgrader"
    assert found.tables["mistakes"][1] == ["Printprint", "1", "2", "one, three"]
    assert "course &lt;1&gt;" in text and "Never handed in anything (1)" in text
    assert "http" not in text.replace("http://localhost:8888/formgrader/", "")


def test_no_name_is_on_the_page_of_pseudonyms():
    pseudonyms = make_pseudonyms(CourseKey(20250108), CLASS.students)
    text = page(pseudonyms)
    labels = [row[0] for row in Tables(text).tables["progress"][1:]]
    assert labels == sorted(pseudonyms.values())
    for student in ("ada", "never<", "alert"):
        assert student not in text.partition("<body>")[2]


def read_secret(course: Path) -> CourseKey:
    return read_key(course, SECRET_FILE, messages.BAD_PSEUDONYMS)


def test_pseudonyms_stay_and_tell_nothing(tmp_path):
    secret = read_secret(tmp_path)
    assert read_secret(tmp_path) == secret != read_secret(tmp_path / "other")
    assert (tmp_path / SECRET_FILE).stat().st_mode & 0o777 == 0o600
    few = make_pseudonyms(secret, ["stu1", "stu2"])
    many = make_pseudonyms(secret, [f"stu{i}" for i in range(300)])
    assert few.items() <= many.items() and len(set(many.values())) == 300
    assert all(len(name) == 6 for name in few.values())
    assert sorted(many, key=many.__getitem__) != list(many)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"schema": 1, "key": 0}', '{"schema": 1, "key": "ab"}', "[]"]
)
def test_a_secret_that_cannot_be_used(tmp_path, text):
    path = tmp_path / SECRET_FILE
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(ClassError, match=r"does not hold the secret of the pseudonyms .* Restore"):
        read_secret(tmp_path)
    assert path.read_text() == text


def test_times_in_words():
    assert [in_days(timedelta(hours=h)) for h in (2, 1.5, 47.9, 72, 100)] == [
        "2 hours",
        "1.5 hours",
        "47.9 hours",
        "3 days",
        "4.2 days",
    ]
    leads = [progress.median_lead() for progress in CLASS.assignments[:2]]
    assert leads == [timedelta(), None]


def test_errors(course, tmp_path):
    canvas = {"--gradescope": None, "--canvas": tmp_path / "canvas.csv"}
    with pytest.raises(
        ClassError, match=r"--canvas is about one lesson: autograder report .* LESS"
    ):
        write_term_report(course, exports=canvas)
    with pytest.raises(ClassError, match="'javascript:x' is not the address of a page: give one"):
        write_term_report(course, formgrader="javascript:x")
    with pytest.raises(ClassError, match="nobody has handed in an assignment of the kit"):
        write_term_report(course)
    submit(course, ASSIGNMENT, "ada", RIGHT)
    with pytest.raises(ClassError, match=r"no submission has a result yet.*: run `autograder gra"):
        write_term_report(course)
    with pytest.raises(ClassError, match="is not a course folder"):
        write_term_report(tmp_path)
    assert not (course / "class.html").exists()
