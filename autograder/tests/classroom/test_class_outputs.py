"""From a graded class to the instructor's files; a changed rubric and a new key grade it again."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.classroom.command import NEEDS_REVIEW, run
from autograder.classroom.course_config import ClassError, lock_course, read_key, show_key
from autograder.classroom.demo import submit
from autograder.classroom.report_command import write_report
from autograder.criteria.purity import messages as purity
from autograder.grading.store import Store
from autograder.model import templates as texts
from autograder.model.report import CRITERIA
from autograder.model.templates import Template, recipe_of
from autograder.nbgrader_bridge.export import RUN_AUTOGRADE
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded, gradebook_of, nbgrader

IMPURE = (
    RIGHT
    + "\nplain, seen = box_cox, []\n"
    + (
        "@partial(jax.jit, static_argnames='power')\n"
        "def box_cox(counts, power):\n"
        "    seen.append(power)\n"
        "    return plain(counts, power)\n"
    )
)


def mark_by_hand(course: Path, student: str, points: float) -> None:
    with gradebook_of(course) as gradebook:
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    """By student; of the exercise, where the table has a row for it and for the answer."""
    with path.open() as file:
        rows = [row for row in csv.DictReader(file) if row.get("exercise", "") in ("", ASSIGNMENT)]
    return {row["student_id"]: row for row in rows}


def export(course: Path, *arguments: str) -> dict[str, dict[str, str]]:
    exporter = "autograder.nbgrader_bridge.export.CriteriaExport"
    done = nbgrader(course, "export", "--exporter", exporter, *arguments)
    assert done.returncode == 0, done.stderr
    return rows_of(course / "criteria.csv")


@pytest.mark.slow
def test_report_export_and_a_new_key(course, tmp_path):
    submit(course, ASSIGNMENT, "ada", RIGHT)
    submit(course, ASSIGNMENT, "dana", IMPURE)
    with pytest.raises(ClassError, match=r"no submission has a result yet.*grade .* static_branch"):
        write_report(course, ASSIGNMENT)
    submit(course, ASSIGNMENT, "cut", RIGHT).write_text("{")
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    submit(course, ASSIGNMENT, "late", RIGHT + "\n# mine, not ada's\n")
    store = course / ".autograder" / "results.jsonl"
    graded = store.read_bytes()

    page = write_report(course, ASSIGNMENT, gradescope=tmp_path / "gradescope").read_text()
    assert store.read_bytes() == graded  # nothing was graded
    assert (
        "Not graded yet: late." in page
        and "<b>cut</b>: static_branch: could not be graded: the notebook" in page
    )
    rows = rows_of(course / f"{ASSIGNMENT}.csv")
    assert rows["ada"]["earned"] == "9" and rows["dana"]["static_branch.purity"] == "0"
    assert rows["late"]["status"] == "not graded yet: run `autograder grade`"
    assert sorted(p.parent.name for p in tmp_path.glob("gradescope/*/results.json")) == [
        "ada",
        "cut",
        "dana",
    ]
    data = json.loads((tmp_path / "gradescope" / "dana" / "results.json").read_text())
    assert data["score"] == 7

    mark_by_hand(course, "dana", 8.0)
    rows = export(course)
    assert [rows["ada"][name] for name in ("outputs", "purity", "compilations", "speed")] == [
        "4",
        "2",
        "3",
        "",
    ]
    assert (rows["dana"]["purity"], rows["dana"]["earned"], rows["dana"]["score"]) == (
        "0",
        "7",
        "8",
    )
    assert rows["cut"]["outputs"] == "could not be graded" and rows["cut"]["score"] == ""
    assert rows["cut"]["status"] == "could not be graded: the notebook could not be read"
    assert "late" not in rows  # nbgrader has not heard of them
    shutil.rmtree(course / "autograded" / "ada")
    assert export(course, "--student=['ada']") == {
        "ada": {**rows["ada"], **dict.fromkeys(rows["ada"], ""), **kept(rows["ada"])}
    }

    # Feedback has shown what was drawn: a new key, and everything is graded again with it.
    old = read_key(course)
    with lock_course(course), pytest.raises(ClassError, match="another grader is running"):
        show_key(course, rotate=True)
    assert read_key(course) == old and str(old.secret) not in show_key(course)
    assert f"run `autograder grade {course}`" in show_key(course, rotate=True)
    assert read_key(course) != old
    assert "Not graded yet: ada, dana, late." in write_report(course, ASSIGNMENT).read_text()
    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert len(Store(store)) == 5  # two under the old key, three under the new one
    rows = rows_of(course / f"{ASSIGNMENT}.csv")
    assert [rows[name]["earned"] for name in ("ada", "dana", "late")] == ["9", "8", "9"]
    with gradebook_of(course) as gradebook:
        assert gradebook.find_submission(ASSIGNMENT, "dana").score == 8.0


def kept(row: dict[str, str]) -> dict[str, str]:
    """What the gradebook knows without the autograded notebook."""
    names = ("assignment", "exercise", "student_id", "score", "max_score")
    names += ("assignment_score", "assignment_max_score")
    return {
        **{name: row[name] for name in names},
        "late_submission_penalty": "0",
        "status": RUN_AUTOGRADE,
    }


SPOILT = ("return np.log(counts + 1)", "return np.log(counts + 2)")


@pytest.mark.slow
def test_a_changed_rubric(course, root, tmp_path):
    """Graded with a rubric that is wrong, then with the right one: nobody has to say --force."""
    submit(course, ASSIGNMENT, "ada", RIGHT)
    submit(course, ASSIGNMENT, "dana", RIGHT + "\n# the same\n")
    ignored = shutil.ignore_patterns("tests", "__pycache__")
    for package in ("autograder", "plnkit"):
        shutil.copytree(root / package, tmp_path / "kit" / package, ignore=ignored)
    rubric = tmp_path / "kit" / "autograder" / "rubrics" / f"{ASSIGNMENT}.py"
    text = rubric.read_text()
    assert SPOILT[0] in text
    rubric.write_text(text.replace(*SPOILT))
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from autograder.cli import app; app()",
            "grade",
            course,
            ASSIGNMENT,
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "kit")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    table = course / f"{ASSIGNMENT}.csv"
    assert [row["earned"] for row in rows_of(table).values()] == ["0", "0"]
    mark_by_hand(course, "dana", 5.0)

    assert run(course, [ASSIGNMENT]) == NEEDS_REVIEW
    assert [row["earned"] for row in rows_of(table).values()] == ["9", "5"]  # by hand
    assert len(Store(course / ".autograder" / "results.jsonl")) == 4
    with gradebook_of(course) as gradebook:
        marks = [gradebook.find_submission(ASSIGNMENT, who).score for who in ("ada", "dana")]
        assert marks == [9.0, 5.0]
        grade = gradebook.find_grade(ASSIGNMENT, ASSIGNMENT, ASSIGNMENT, "dana")
        assert grade.needs_manual_grade  # the automatic mark under the one by hand has moved


@pytest.mark.slow
def test_an_edited_message_is_shown_and_regrades_nothing(course, monkeypatch):
    submit(course, ASSIGNMENT, "ada", IMPURE)
    notebook = course / "autograded" / "ada" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    assert run(course, [ASSIGNMENT]) == all_graded()
    graded = (course / ".autograder" / "results.jsonl").read_bytes()
    _, repair = purity.LESSONS["global-mutated"]
    assert str(repair) in notebook.read_text()
    recipe = recipe_of(repair)
    assert recipe is not None
    name = recipe[0]
    monkeypatch.setitem(texts._known, name, Template("Return the new value.", [name, {}]))
    assert run(course, [ASSIGNMENT]) == all_graded()
    assert "Repair: Return the new value." in notebook.read_text()
    assert str(repair) not in notebook.read_text()
    assert (course / ".autograder" / "results.jsonl").read_bytes() == graded


@pytest.mark.slow
def test_rubrics_are_not_the_engine(root, tmp_path):
    """Mending one lesson must not have all others graded again."""
    ignored = shutil.ignore_patterns("tests", "__pycache__")
    for package in ("autograder", "plnkit"):
        shutil.copytree(root / package, tmp_path / package, ignore=ignored)
    code = "from autograder.grading.store import engine_digest; print(engine_digest())"

    def digest() -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    before = digest()
    (tmp_path / "autograder" / "rubrics" / f"{ASSIGNMENT}.py").write_text("# changed")
    assert digest() == before
    (tmp_path / "plnkit" / "plots" / "fit.py").write_text("# another colour")
    assert digest() == before
    with (tmp_path / "plnkit" / "solver.py").open("a") as solver:
        solver.write("# changed")
    with_another_model = digest()
    assert with_another_model != before
    for criterion in CRITERIA:
        file = tmp_path / "autograder" / "criteria" / criterion / "messages.py"
        with file.open("a") as messages:
            messages.write("# a typo fixed")
    assert digest() == with_another_model
    (tmp_path / "autograder" / "criteria" / "outputs" / "compare.py").write_text("# changed")
    assert digest() not in (before, with_another_model)


@pytest.mark.slow
def test_a_spoilt_key_can_be_replaced(course):
    path = course / ".autograder" / "key.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{}")
    with pytest.raises(ClassError, match="does not hold a key"):
        show_key(course)
    show_key(course, rotate=True)
    assert read_key(course).secret > 0
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("command", [show_key, lambda c: write_report(c, ASSIGNMENT)])
def test_no_course_folder(tmp_path, command):
    with pytest.raises(ClassError, match="is not a course folder: `autograder course"):
        command(tmp_path)
