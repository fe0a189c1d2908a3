"""Packs of a lesson of one's own: Gradescope gets its rubric, and GitHub only what students get."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.packs.github_pack import write_github
from autograder.classroom.packs.grade_push import main as grade_push
from autograder.classroom.packs.grade_upload import main as grade_upload
from autograder.classroom.packs.gradescope_pack import write_gradescope
from autograder.lessons.authoring import solution_cells
from autograder.lessons.course import Course, find_course
from autograder.lessons.scaffolding import new_lesson
from autograder.tests.lessons.own_course import NAMES, SOFT_THRESHOLD, edit

pytestmark = pytest.mark.slow  # each makes the kit's wheel

LESSON = "soft_threshold"


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    folder = tmp_path_factory.mktemp("mylessons")
    for name in NAMES:
        new_lesson(name, folder)
    edit(folder)
    return find_course(folder)


def solve(notebook: Path, source: str) -> None:
    content = nbformat.read(notebook, as_version=4)
    for cell in solution_cells(content):
        cell["source"] = source if cell["cell_type"] == "code" else "An answer."
    nbformat.write(content, notebook)


def test_gradescope(course: Course, tmp_path: Path) -> None:
    printed = write_gradescope(course, LESSON, tmp_path / "pack.zip", limits_only=True)
    assert "autograder points to" in printed
    source, submission = tmp_path / "source", tmp_path / "submission"
    with zipfile.ZipFile(tmp_path / "pack.zip") as archive:
        modes = {e.filename: oct(e.external_attr >> 16 & 0o777) for e in archive.infolist()}
        archive.extractall(source)
    own = [name for name in modes if name.startswith("lesson/")]
    assert own == [f"lesson/solutions/02_{LESSON}.py", f"lesson/rubrics/{LESSON}.py"]
    assert {modes[name] for name in own} == {"0o600"}
    submission.mkdir()
    (tmp_path / "results").mkdir()
    for solution, is_right in ((SOFT_THRESHOLD, True), ("def soft_threshold(x): return x", False)):
        (submission / f"{LESSON}.ipynb").write_bytes((source / "released.ipynb").read_bytes())
        solve(submission / f"{LESSON}.ipynb", solution)
        grade_upload(tmp_path)
        result = json.loads((tmp_path / "results" / "results.json").read_text())
        full = sum(test["max_score"] for test in result["tests"])
        assert full > 0 and (result["score"] == full) == is_right, result


def test_github(
    course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    repository = tmp_path / "template"
    write_github(course, [LESSON], repository)
    (notebook,) = repository.glob("*.ipynb")
    assert (repository / f"{LESSON}.check.json").is_file()
    files = [path for path in repository.rglob("*") if path.is_file() and path.suffix != ".whl"]
    texts = [path.read_text() for path in files]
    assert not [text for text in texts if "SECRET_WORD" in text or "shrunken_by_a_quarter" in text]
    with zipfile.ZipFile(next(repository.glob("wheels/*.whl"))) as wheel:
        assert not [name for name in wheel.namelist() if LESSON in name]

    monkeypatch.chdir(repository)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    for solution, status in ((SOFT_THRESHOLD, "pass"), ("def soft_threshold(x): return x", "fail")):
        output = tmp_path / status
        monkeypatch.setenv("GITHUB_OUTPUT", str(output))
        solve(notebook, solution)
        grade_push(LESSON, Path(notebook.name))
        value = output.read_text().partition("=")[2]
        assert json.loads(base64.b64decode(value))["status"] == status, capsys.readouterr().out
    notebook.unlink()
    grade_push(LESSON, Path(notebook.name))
    assert f"There is no {notebook.name} in this repository" in capsys.readouterr().out
