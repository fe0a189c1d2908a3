"""What students hand in beside their notebook, through `autograder grade` and plain nbgrader."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.demo import submit
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, gradebook_of, nbgrader, scores

WRONG = RIGHT.replace("counts + 1", "counts + 2")
MODULE = "import jax\nimport jax.numpy as jnp\n" + RIGHT


def hand_in(course: Path) -> None:
    def path(student: str, code: str | None = RIGHT) -> Path:
        return submit(course, ASSIGNMENT, student, code)

    def beside(student: str, name: str, code: str | None) -> None:
        """Hand in two notebooks: the first of them under another name."""
        first = path(student)
        other = path(f"{student}-other", code)
        first.rename(first.with_name(name))
        shutil.move(other, first)
        shutil.rmtree(course / "submitted" / f"{student}-other")

    beside("copied", f"{ASSIGNMENT}-Copy1.ipynb", None)
    beside("undecided", f"{ASSIGNMENT}-Copy1.ipynb", WRONG)
    loose = path("loose")
    loose.rename(loose.parents[1] / loose.name)
    loose.parent.rmdir()
    (path("module", "from my_box import box_cox").parent / "my_box.py").write_text(MODULE)
    path("lost", "from my_box import box_cox")
    large = path("large")
    notebook = json.loads(large.read_text())
    output = {"output_type": "stream", "name": "stdout", "text": "A" * 21 * 2**20}
    notebook["cells"][-1] |= {"cell_type": "code", "outputs": [output], "execution_count": 1}
    large.write_text(json.dumps(notebook))
    shutil.copy(large, course / "submitted" / "nobodys.ipynb")


@pytest.mark.slow
def test_the_work_is_graded_wherever_it_is(course, capsys):
    hand_in(course)
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    printed = capsys.readouterr().out
    copy = f"{ASSIGNMENT}-Copy1.ipynb"
    assert f"undecided: {ASSIGNMENT}.ipynb was graded, and {copy} may be meant instead" in printed
    assert (
        f"lost: {ASSIGNMENT}: could not be graded: a file that the code needs was not th" in printed
    )
    assert "for which assignment: submitted/nobodys.ipynb. Move each" in printed
    assert "copied: " not in printed.split("need your review:")[1].split(f"{ASSIGNMENT}-why")[0]
    full = dict.fromkeys(("copied", "loose", "module", "large"), (9.0, False))
    assert scores(course) == {**full, "undecided": (0.0, True), "lost": (None, True)}
    card = (course / "autograded" / "lost" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text()
    assert "there is no such module" in card
    card = (course / "autograded" / "copied" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb").read_text()
    assert f"The notebook was handed in as {copy}; it was graded as {ASSIGNMENT}.ipynb." in card
    # A changed module is another submission, and one file fewer leaves no doubt.
    other = MODULE.replace("counts + 1", "counts + 2")
    (course / "submitted" / "module" / ASSIGNMENT / "my_box.py").write_text(other)
    (course / "submitted" / "undecided" / ASSIGNMENT / copy).unlink()
    run(course, [ASSIGNMENT], ["module", "undecided"])
    assert "undecided: " not in capsys.readouterr().out
    changed = {"module": (0.0, False), "undecided": (0.0, False)}
    assert {name: scores(course)[name] for name in changed} == changed


@pytest.mark.slow
def test_plain_nbgrader_agrees(course):
    hand_in(course)
    shutil.rmtree(course / "submitted" / "loose")  # nbgrader looks in folders only
    done = nbgrader(course, "autograde", ASSIGNMENT)
    assert done.returncode == 0, done.stderr
    full = dict.fromkeys(("copied", "module", "large"), (9.0, False))
    assert scores(course) == {**full, "undecided": (0.0, True), "lost": (None, True)}
    criteria = "autograder.nbgrader_bridge.export.CriteriaExport"
    assert nbgrader(course, "export", "--exporter", criteria).returncode == 0
    with (course / "criteria.csv").open() as file:
        rows = {
            row["student_id"]: row for row in csv.DictReader(file) if row["exercise"] == ASSIGNMENT
        }
    assert rows["undecided"]["status"] == "needs manual grade"
    # Once a person has marked it, nothing is left to decide.
    with gradebook_of(course) as gradebook:
        (book,) = gradebook.find_submission(ASSIGNMENT, "undecided").notebooks
        grade = next(g for g in book.grades if g.name == ASSIGNMENT)
        grade.manual_score, grade.needs_manual_grade = 7.0, False
        gradebook.db.commit()
    done = nbgrader(course, "autograde", ASSIGNMENT, "--student=undecided", "--force")
    assert scores(course)["undecided"] == (0.0, False)
