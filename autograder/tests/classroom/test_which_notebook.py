"""Which of several files counts as the notebook, by what they hold and not by their names."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.classroom.course_config import CourseConfig
from autograder.classroom.handed_in import find_submission, strange_notebooks, student_folders
from autograder.model.notebook import NotebookNode, nbformat

NAME = "lesson.ipynb"
COPY = "lesson-Copy1.ipynb"
STARTER, WORK, OTHER_WORK = (
    "def f(x):\n    ...",
    "def f(x):\n    return x",
    "def f(x):\n    return 2",
)


def notebook(solution: str = STARTER, *, lesson: str = "lesson", marked: bool = True) -> bytes:
    """A notebook of the lesson as Jupyter saves it: with ids, counts and outputs of its own."""
    mark = {"grade_id": "lesson-solution", "solution": True, "grade": False}
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": "# A lesson"},
        {"cell_type": "code", "metadata": {"nbgrader": mark} if marked else {}, "source": solution},
        {"cell_type": "code", "metadata": {}, "source": ""},
    ]
    for i, cell in enumerate(cells):
        cell["id"] = f"{hash(solution) % 1000}-{i}"
        if cell["cell_type"] == "code":
            cell |= {"outputs": [{"output_type": "stream", "text": solution}], "execution_count": i}
    metadata = {"autograder": {"schema": 1, "lesson": lesson}} if lesson else {}
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()


@pytest.fixture
def course(tmp_path) -> Path:
    (tmp_path / "source" / "lesson").mkdir(parents=True)
    (tmp_path / "submitted" / "ada").mkdir(parents=True)
    return tmp_path


@pytest.fixture(scope="module")
def released() -> NotebookNode:
    return nbformat.reads(notebook().decode(), as_version=4)


def hand_in(course: Path, files: dict[str, bytes], folder: str = "lesson") -> None:
    for name, content in files.items():
        path = course / "submitted" / "ada" / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def found(course: Path, released: NotebookNode) -> tuple[str, str, tuple[str, ...]]:
    """Which work is graded, what the student reads, and what a person must decide."""
    staged = find_submission(CourseConfig(course), "lesson", "ada", released)
    work = {WORK: "work", OTHER_WORK: "other work", STARTER: "starter"}
    held = [n for code, n in work.items() if json.dumps(code).encode() in staged.raw]
    assert staged.doubts == staged.review
    return held[0] if held else "", " ".join(staged.notes), staged.review


@pytest.mark.parametrize(
    "name",
    [
        COPY,
        "lesson (1).ipynb",
        "v2_final.ipynb",
        "lesson.ipynb.txt",
        "LESSON.IPYNB",
        "lesson.json",
        "deep/er/lesson.ipynb",
    ],
)
@pytest.mark.parametrize("untouched", [True, False])
def test_the_file_with_work_counts_whatever_its_name(course, released, name, untouched):
    hand_in(course, {name: notebook(WORK), **({NAME: notebook()} if untouched else {})})
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ())
    assert f"was handed in as {name}; it was graded as {NAME}." in notes
    assert (f"and not graded: {NAME} (as released)." in notes) is untouched


@pytest.mark.parametrize("folder", ["", "Lesson", "LESSON/inner"])
def test_the_file_counts_wherever_it_lies(course, released, folder):
    hand_in(course, {NAME: notebook(WORK)}, folder)
    assert "lesson" in student_folders(course)["ada"].assignments
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ())
    place = "/".join(filter(None, ["..", folder, NAME]))
    assert notes == f"The notebook was handed in as {place}; it was graded as {NAME}."


def test_work_directly_in_the_students_folder_beside_an_untouched_notebook(course, released):
    hand_in(course, {NAME: notebook()})
    hand_in(course, {"lesson (2).ipynb": notebook(WORK, lesson="")}, "")
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ())
    assert "handed in as ../lesson (2).ipynb" in notes


def test_of_two_works_a_person_decides(course, released):
    hand_in(course, {NAME: notebook(WORK), COPY: notebook(OTHER_WORK)})
    work, notes, review = found(course, released)
    assert (work, notes) == ("work", "")
    assert review == (
        f"{NAME} was graded, and {COPY} may be meant instead: a person decides. Keep the one that "
        "counts, and remove the others",
    )


def test_of_two_works_under_other_names_none_is_graded(course, released):
    hand_in(course, {"v1.ipynb": notebook(WORK), "v2.ipynb": notebook(OTHER_WORK)})
    hand_in(course, {NAME: notebook()})
    work, notes, review = found(course, released)
    assert (work, notes) == ("", f"Handed in too, and not graded: {NAME} (as released).")
    assert review == (
        f"there is no {NAME}, and several notebooks (v1.ipynb, v2.ipynb) could be meant: keep one "
        "of them",
    )


def test_the_same_work_twice_leaves_no_doubt(course, released):
    again = notebook(WORK.replace("\n", "\r\n") + "  \n")
    hand_in(course, {NAME: notebook(WORK), COPY: again, "b/c.ipynb": notebook()})
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ())
    assert notes == (
        f"Handed in too, and not graded: {COPY} (the same work), b/c.ipynb (as released)."
    )


CHECKPOINT = ".ipynb_checkpoints/lesson-checkpoint.ipynb"


def test_jupyters_checkpoint_is_no_second_version(course, released):
    hand_in(course, {NAME: notebook(WORK), CHECKPOINT: notebook(OTHER_WORK)})
    kept = "an earlier state that Jupyter has kept"
    printed = f"Handed in too, and not graded: {CHECKPOINT} ({kept})."
    assert found(course, released) == ("work", printed, ())
    hand_in(course, {CHECKPOINT: notebook()})
    assert found(course, released) == ("work", "", ())


def test_a_checkpoint_counts_where_nothing_else_holds_work(course, released):
    hand_in(course, {NAME: notebook(), CHECKPOINT: notebook(WORK)})
    work, _, review = found(course, released)
    assert work == "work"
    assert review == (
        f"{CHECKPOINT} was graded, an earlier state that Jupyter has kept: no other file holds "
        "any work",
    )


def test_files_that_cannot_be_read(course, released):
    hand_in(course, {NAME: b"", COPY: notebook(WORK), "._lesson.ipynb": b"\0\5\x16\7"})
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ()) and f"not graded: {NAME} (empty)." in notes
    hand_in(course, {NAME: notebook(OTHER_WORK)[:-9]})  # cut off: it may hold the work
    work, _, review = found(course, released)
    assert work == "work" and f"{COPY} was graded, and {NAME} may be meant" in review[0]
    hand_in(course, {NAME: notebook(), COPY: notebook(WORK)[:-9]})
    staged = find_submission(CourseConfig(course), "lesson", "ada", released)
    assert (staged.file, staged.raw) == (COPY, notebook(WORK)[:-9])  # no mark, and not 0


def test_notebooks_of_other_lessons_and_scratch_are_named_only(course, released):
    other = notebook(OTHER_WORK, lesson="another")
    scratch = notebook(OTHER_WORK, lesson="", marked=False)
    hand_in(course, {COPY: notebook(WORK), "a.ipynb": other, "scratch.ipynb": scratch})
    work, notes, review = found(course, released)
    assert (work, review) == ("work", ())
    assert "a.ipynb (of the lesson another), scratch.ipynb (not of this lesson)." in notes
    hand_in(course, {COPY: notebook()})
    work, _, review = found(course, released)
    assert work == "starter" and f"{COPY} was graded, and scratch.ipynb may be" in review[0]


def test_only_a_notebook_of_another_lesson(course, released):
    hand_in(course, {"a.ipynb": notebook(WORK, lesson="another")})
    work, notes, review = found(course, released)
    assert (work, review) == ("", (f"no {NAME} was handed in",))
    assert notes == "Handed in too, and not graded: a.ipynb (of the lesson another)."


def test_an_archive_beside(course, released):
    hand_in(course, {"submission_secret.txt": b"s", ".DS_Store": b"x"})
    with zipfile.ZipFile(course / "submitted" / "ada" / "lesson" / "lesson.zip", "w") as archive:
        archive.writestr(NAME, notebook(WORK))
    _, notes, _ = found(course, released)
    assert notes == "Handed in, and not opened: lesson.zip. Hand in the notebook itself."
    hand_in(course, {NAME: notebook()})
    work, _, review = found(course, released)
    text = f"{NAME} is as released, and lesson.zip may hold the work: a person decides"
    assert (work, review) == ("starter", (text,))
    (course / "source" / "lesson" / "lesson.zip").write_bytes(b"")  # which students were given
    assert found(course, released) == ("starter", "", ())
    hand_in(course, {NAME: notebook(WORK)})
    assert found(course, released) == ("work", "", ())


def test_an_earlier_release_holds_no_work_either(course, released):
    hand_in(course, {NAME: notebook("def f(x): old"), COPY: notebook(WORK)})
    assert len(found(course, released)[2]) == 1
    (course / "release" / "lesson").mkdir(parents=True)
    (course / "release" / "lesson" / NAME).write_bytes(notebook("def f(x): old"))
    assert found(course, released)[2] == ()


def test_notebooks_of_nobody_are_named(course):
    (course / "submitted" / NAME).write_bytes(notebook(WORK))
    (course / "submitted" / "a.ipynb").write_bytes(notebook(WORK, lesson=""))
    hand_in(course, {"holidays.ipynb": notebook(lesson=""), "lesson.ipynb": notebook()}, "")
    nobodys = ["submitted/a.ipynb", "submitted/ada/holidays.ipynb"]
    there = student_folders(course).values()
    assert strange_notebooks(course, there) == [*nobodys, f"submitted/{NAME}"]
    assert strange_notebooks(course, there, ["another"]) == nobodys


def test_a_link_is_nobodys_work(course, released, tmp_path):
    hand_in(course, {NAME: notebook()})
    (tmp_path / "secret.ipynb").write_bytes(notebook(WORK))
    folder = course / "submitted" / "ada"
    (folder / "lesson" / COPY).symlink_to(tmp_path / "secret.ipynb")
    (folder / "lesson (1).ipynb").symlink_to(tmp_path / "secret.ipynb")
    (folder / "Lesson").symlink_to(tmp_path)
    assert found(course, released)[0] == "starter"
