"""A course of an instructor's own, from nothing to the gradebook, by the documented commands."""

from __future__ import annotations

import csv
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from autograder.lessons.authoring import is_check, is_defence, solution_cells
from autograder.tests.helpers.courses import autograder, exports, nbgrader
from autograder.tests.lessons.own_course import NAMES, SOFT_THRESHOLD, edit

HOSTILE = '=HYPERLINK("x") <script>alert(1)</script> \x1b[2J'
SECRETS = ("SECRET_WORD", "no student may read", "shrunken_by_a_quarter", "def reference")


def run(*arguments: str | Path) -> str:
    status, printed = autograder(*arguments)
    assert status == 0, printed
    return printed


def hand_in(course: Path, student: str, lesson: str, solution: str, answer: str = "") -> Path:
    """Hand in a released notebook; everything beside it is handed in too."""
    target = course / "submitted" / student / lesson
    target.mkdir(parents=True)
    for file in (course / "release" / lesson).iterdir():
        (target / file.name).write_bytes(file.read_bytes())
    notebook = nbformat.read(target / f"{lesson}.ipynb", as_version=4)
    for cell in solution_cells(notebook):
        cell["source"] = solution if cell["cell_type"] == "code" else answer
    nbformat.write(notebook, target / f"{lesson}.ipynb")
    return target


@pytest.mark.slow
def test_from_nothing_to_the_gradebook(tmp_path):
    began = time.monotonic()
    lessons, course = tmp_path / "mylessons", tmp_path / "course"
    for name in NAMES:
        assert f"rubrics/{name}.py" in run("new-lesson", name, "--in", lessons)
    edit(lessons)
    run("build", "--lessons", lessons)
    assert "up to date and show no solution" in run("build", "--check", "--lessons", lessons)
    assert "0 problems" in run("verify", "--lessons", lessons)

    printed = run("course", course, "--lessons", lessons)
    assert f"with the assignments: {', '.join(NAMES)}." in printed
    for name in NAMES:
        done = nbgrader(course, "generate_assignment", name)
        assert done.returncode == 0, done.stderr
        released = sorted(path.name for path in (course / "release" / name).iterdir())
        assert released == [f"{name}.check.json", f"{name}.ipynb"]
    texts = [p.read_text() for p in (course / "release").rglob("*") if p.is_file()]
    assert not [secret for secret in SECRETS for text in texts if secret in text]

    right = hand_in(course, "ada", "soft_threshold", SOFT_THRESHOLD, HOSTILE)
    hand_in(course, "bob", "soft_threshold", "def soft_threshold(x):\n    return x\n", HOSTILE)
    script = [sys.executable, write_script(right)]
    shown = subprocess.run(script, cwd=right, capture_output=True, text=True)
    assert "✓ soft_threshold  5 / 5" in shown.stdout, shown.stdout + shown.stderr

    status, printed = autograder("grade", course, "--limits-only")
    assert status == 3, printed  # the answers in words wait for a person
    run("report", course, "soft_threshold")
    rows = list(csv.DictReader((course / "soft_threshold.csv").read_text().splitlines()))
    assert [(row["student_id"], row["earned"]) for row in rows] == [("ada", "5"), ("bob", "0")]
    exported = exports(course)["criteria.csv"].decode()
    marks = {
        (r["student_id"], r["exercise"]): r["outputs"]
        for r in csv.DictReader(exported.splitlines())
    }
    assert marks["ada", "soft_threshold"] == "3"
    assert marks["bob", "soft_threshold"] == "0"
    assert "<script>alert" not in (course / "soft_threshold.html").read_text()
    print(f"from new-lesson to the gradebook: {time.monotonic() - began:.0f} s")


def write_script(folder: Path) -> Path:
    """Write the code cells of a notebook as a script, as a student without JupyterLab runs them."""
    (notebook,) = folder.glob("*.ipynb")
    cells = nbformat.read(notebook, as_version=4)["cells"]
    code = [c for c in cells if c["cell_type"] == "code" and "install" not in str(c["metadata"])]
    code = [c for c in code if not is_defence(c)]
    (folder / "run.py").write_text(
        "\n".join(f"print({c['source']})" if is_check(c) else c["source"] for c in code)
    )
    return folder / "run.py"
