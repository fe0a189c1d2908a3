"""The page of 300 students and 22 lessons: right, anonymous, and quick in a real browser.

Screenshots go to the folder named by AUTOGRADER_PICTURES, by default pytest's temporary one.
"""

from __future__ import annotations

import io
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from autograder.classroom.term.term_report import write_term_report
from autograder.tests.helpers.large_class import make_large_class, student_id
from plnkit.tests.needs import reason_without

pytest.importorskip("selenium", reason=reason_without("selenium", "dev"))

from autograder.tests.helpers import browser
from autograder.tests.helpers.browser import Page

STUDENTS, LESSONS = 300, 22
WIDTH = 1280
LONGER_THAN_BARE_CELLS = 4

pytestmark = pytest.mark.slow

WIDTHS = "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]"
CLIPPED = """
return [...document.querySelectorAll('td, .list th')].filter(e => e.scrollWidth > e.clientWidth + 1)
  .map(e => e.textContent)
"""


BARE_ROW = f"<tr>{(LESSONS + 3) * '<td>0</td>'}"


def seconds_to_open(page: Page, path: Path) -> float:
    """Open a page, lay it out, and return how long that took."""
    started = time.monotonic()
    page.driver.get(path.as_uri())
    page.driver.execute_script("return document.body.getBoundingClientRect().height")
    return time.monotonic() - started


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    return make_large_class(root, tmp_path_factory.mktemp("large"), STUDENTS, LESSONS)


@pytest.fixture(scope="module")
def report(course: Path) -> tuple[str, str]:
    """The page, and what the terminal shows."""
    console = Console(file=io.StringIO(), width=120)
    page = write_term_report(course, console=console)
    return page.read_text(encoding="utf-8"), console.file.getvalue()  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    if browser.missing():
        pytest.skip(browser.missing())
    with browser.chromium(tmp_path_factory.mktemp("browser")) as page:
        page.driver.set_window_size(WIDTH, 1000)
        yield page


def test_everybody_is_there_and_nobody_is_named(report: tuple[str, str]) -> None:
    text, printed = report
    assert text.count("<tr><th>") >= STUDENTS
    for shown in (text, printed):
        for i in range(STUDENTS):
            assert student_id(i) not in shown
        assert "Nr. 1" not in shown and "&lt;img" not in shown
    assert "<script" not in text and "alert(1)" not in text
    assert "Never handed in anything: 1" in printed
    assert "43 handed in none of capstone, loop_gradients, many_devices: " in printed
    assert "33 more" in printed
    assert "Mistakes that come back:" in printed


def test_it_opens_at_once_and_fits(
    course: Path, report: tuple[str, str], page: Page, tmp_path: Path
) -> None:
    kept = os.environ.get("AUTOGRADER_PICTURES")
    figures = Path(kept).resolve() if kept else tmp_path
    bare = tmp_path / "bare.html"
    bare.write_text(f"<table>{report[0].count('<tr') * BARE_ROW}</table>", encoding="utf-8")
    seconds_to_open(page, bare)  # the browser's own first steps
    cells = seconds_to_open(page, bare)
    took = seconds_to_open(page, course / "class.html")
    assert took < LONGER_THAN_BARE_CELLS * cells
    inner, outer = page.driver.execute_script(WIDTHS)
    assert inner <= outer <= WIDTH
    assert page.driver.execute_script(CLIPPED) == []
    page.figure(figures / "class-over-the-term.png")
    for css in ("#assignments th", "#stopped li", "#mistakes code", "td.low", "td.high", "td.zero"):
        element = page.one(css)
        page.scroll_to(element)
        assert page.contrast(element) > 4.5, css
    page.figure(figures / "class-progress.png", page.one("#progress tbody tr"))
