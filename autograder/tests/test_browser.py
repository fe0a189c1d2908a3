"""The course in a real browser: a student solves a lesson, an instructor grades it.

Screenshots go to the folder named by AUTOGRADER_PICTURES, by default pytest's temporary one. Two of
them, `card.png` and `formgrader.png`, stand in `.github/figures`, where READMEs show them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from autograder.classroom.demo import ASSIGNMENT, run_demo, solution_of, submit
from autograder.tests.helpers.courses import RIGHT, accept_limits, gradebook_of, nbgrader
from autograder.tests.helpers.lab_server import LabServer, lab_server
from plnkit.tests.needs import reason_without

pytest.importorskip("selenium", reason=reason_without("selenium", "dev"))

from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from autograder.tests.helpers import browser
from autograder.tests.helpers.browser import Page, text_of_card

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(browser.missing()), reason=browser.missing()),
]

CARD = ".autograder-card"
CHECK = f".jp-Cell {CARD}"
STALE = "the figure shows other words than the card: copy the new one to .github/figures"


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kept = os.environ.get("AUTOGRADER_PICTURES")
    return Path(kept).resolve() if kept else tmp_path_factory.mktemp("figures")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """What `autograder demo` leaves: a course with a released lesson and five graded students."""
    course = tmp_path_factory.mktemp("files") / "course"
    run_demo(root, course)
    return accept_limits(course)


@pytest.fixture(scope="module")
def server(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabServer]:
    with lab_server(course.parent, course, tmp_path_factory.mktemp("server") / "home") as server:
        yield server


@pytest.fixture(scope="module")
def page(server: LabServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browser.chromium(tmp_path_factory.mktemp("browser")) as page:
        page.driver.get(server.url("/lab"))  # leaves the cookie that formgrader's pages need
        page.one("#jp-top-panel")
        yield page


def fetched(course: Path, folder: str) -> Path:
    """The released lesson in a folder of the student's."""
    target = course.parent / folder / f"{ASSIGNMENT}.ipynb"
    target.parent.mkdir()
    shutil.copy(course / "release" / ASSIGNMENT / target.name, target)
    return target


def cell(page: Page, kind: str, text: str) -> WebElement:
    """The cell ("Code" or "Markdown") that holds a text; the notebook's cells are all there."""
    return next(cell for cell in page.all(f".jp-{kind}Cell") if text in cell.text)


def assert_readable(page: Page, card: WebElement) -> None:
    """Text stands out from the page, and the parts of a line stand beside each other."""
    assert page.contrast(card) > 7
    for name in card.find_elements(By.TAG_NAME, "b"):
        line = name.find_element(By.XPATH, "..").find_elements(By.XPATH, "*")
        boxes = [part.rect for part in line]
        for left, right in pairwise(boxes):
            assert left["x"] + left["width"] <= right["x"] + 1, card.text


def test_a_student_solves_a_lesson(
    root: Path, course: Path, server: LabServer, page: Page, figures: Path
) -> None:
    notebook = fetched(course, "fay")
    address = server.url(f"/lab/tree/fay/{notebook.name}")
    page.open_notebook(address)

    page.choose("Run", "runmenu:run-all")
    failing = page.one(CHECK, "0 / 9")
    assert "TracerBoolConversionError" in failing.text
    assert "Python's if" not in failing.text  # why it fails is folded away
    page.click(f"{CHECK} summary", "why?")
    page.until(lambda: "need a plain True or False" in failing.text, "the cause")
    assert_readable(page, failing)
    page.figure_of_card(figures / "card.png", cell(page, "Code", "def box_cox"), failing)
    assert failing.text == text_of_card(root / ".github" / "figures" / "card.png"), STALE
    page.click(f"{CHECK} summary", "hint 1 of 3")
    page.one(f"{CHECK} summary", "hint 2 of 3")

    page.choose("File", "docmanager:save")
    page.until(lambda: "autograder-card" in notebook.read_text(), "the saved notebook")
    server.use_theme("JupyterLab Dark")
    page.open_notebook(address)
    failing = page.one(CHECK, "0 / 9")
    assert_readable(page, failing)
    page.scroll_to(failing)
    page.figure(figures / "student-failing-dark.png")

    page.replace_text(cell(page, "Code", "def box_cox"), RIGHT)
    page.replace_text(cell(page, "Markdown", "Write your answer"), "The friend's: no retracing.")
    page.choose("Run", "runmenu:run-all")
    passing = page.one(CHECK, "9 / 9")
    assert "3 C" not in passing.text  # a power seen before: its program is used again
    assert_readable(page, passing)
    page.scroll_to(passing)
    page.figure(figures / "student-passing-dark.png")

    page.click(".validate-button")
    printed = page.one(".jp-Dialog", "Validation Results").text
    page.figure(figures / "student-validated.png")
    assert "Success! Your notebook passes all the tests." in printed
    assert "static_argnames" in notebook.read_text(encoding="utf-8")  # Validate saved it


def test_an_instructor_grades_a_submission(
    root: Path, course: Path, server: LabServer, page: Page, figures: Path
) -> None:
    submit(course, ASSIGNMENT, "gus", solution_of(root, "emre"))

    page.driver.get(server.url(f"/formgrader/manage_submissions/{ASSIGNMENT}"))
    page.one(".student-id", "gus")
    page.click("tr:has([data-order='gus']) .autograde a")
    page.one("#success-modal", "Successfully autograded")
    page.click("#success-modal button", "OK")
    page.until(lambda: not page.all(".modal-backdrop"), "the dialog's end")
    assert page.one("tr:has([data-order='gus']) .score").text == "6 / 11"
    page.figure(figures / "instructor-submissions.png")

    page.click("tr:has([data-order='gus']) .student-name a")
    page.click("a", ASSIGNMENT)
    card = page.one(CARD)
    assert "6 / 9" in card.text
    assert "3 !" in card.text  # the third call compiled what the first one had
    assert_readable(page, card)
    score = page.one(f"input.score#{ASSIGNMENT}")
    page.until(lambda: score.get_attribute("placeholder") == "6", "the automatic score")
    check = score.find_element(By.XPATH, "ancestor::*[contains(@class, 'cell')][last()]")
    page.figure_of_card(figures / "formgrader.png", check, card)
    assert card.text == text_of_card(root / ".github" / "figures" / "formgrader.png"), STALE
    with gradebook_of(course) as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "gus").score == 6


RUNS = "document.documentElement.dataset.ran = 'yes'"
ACTIVE = "\n\n".join(
    [
        f"<script>{RUNS}</script>",
        f'<img src="nowhere" onerror="{RUNS}">',
        f'<svg onload="{RUNS}"></svg>',
        f'```mermaid\n<img src=nowhere onerror="{RUNS}">\n```',
        f"[press](javascript:{RUNS.replace(' ', '')})",
    ]
)


def test_a_students_script_runs_on_no_page(course: Path, server: LabServer, page: Page) -> None:
    path = submit(course, ASSIGNMENT, "mallory", RIGHT)
    node = json.loads(path.read_text())
    answer = [c for c in node["cells"] if c["cell_type"] == "markdown"][-1]
    for kind in ("markdown", "raw"):
        more = {"cell_type": kind, "metadata": {}, "source": ACTIVE, "id": kind}
        node["cells"].append(more)
    answer["source"] = ACTIVE
    path.write_text(json.dumps(node))
    for step in ("autograde", "generate_feedback"):
        done = nbgrader(course, step, ASSIGNMENT, "--student=mallory")
        assert done.returncode == 0, done.stderr
    with gradebook_of(course) as gradebook:
        (notebook,) = gradebook.find_submission(ASSIGNMENT, "mallory").notebooks
        address = server.url(f"/formgrader/submissions/{notebook.id}")

    feedback = course / "feedback" / "mallory" / ASSIGNMENT / f"{ASSIGNMENT}.html"
    for url in (address, feedback.as_uri()):
        page.driver.get(url)
        page.one("body", "<script>")  # it is there, to be read
        page.one(CARD)
        for link in page.all("a[href^='javascript']"):
            link.click()
        assert page.driver.execute_script("return document.documentElement.dataset.ran") is None
