"""Every section and code block of the two tutorials is still where docs/tutorials.md says."""

import re

import pytest

from autograder.lessons.course import find_course

ROOT = find_course().root
SCRIPTS = {lesson.name: f"solutions/{lesson.script.name}" for lesson in find_course().lessons()}


def find_rows() -> list[tuple[str, str, str]]:
    """Return where each block went (a lesson or a file), the line that shows it, what checks it."""
    table = (ROOT / "solutions" / "docs" / "tutorials.md").read_text(encoding="utf-8")
    rows = [row.split(" | ") for row in re.findall(r"^\| (.+) \|$", table, re.MULTILINE)]
    return [
        (where.strip("`"), line.strip("`"), check) for _, where, line, check in rows if "`" in line
    ]


@pytest.mark.parametrize(("where", "line", "checked"), find_rows())
def test_what_the_tutorials_show_is_there(where: str, line: str, checked: str):
    text = (ROOT / SCRIPTS.get(where, where)).read_text(encoding="utf-8")
    prose = " ".join(re.sub(r"^# ?", "", text, flags=re.MULTILINE).split())
    assert line in text or line in prose
    assert checked
