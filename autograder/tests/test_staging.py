"""What is found in a student's folder, whatever was put there."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from autograder.classroom.staging import (
    clear_leftovers,
    find_submission,
    notes_file,
    students_of,
    write_copy,
)

NAME = "lesson.ipynb"


@pytest.fixture
def folder(tmp_path) -> Path:
    """Ada's folder of the course in `tmp_path`."""
    folder = tmp_path / "submitted" / "ada" / "lesson"
    folder.mkdir(parents=True)
    return folder


def test_an_archive_is_no_notebook(folder, tmp_path):
    with zipfile.ZipFile(folder / "lesson.zip", "w") as archive:
        archive.writestr(NAME, "{}")
    found = find_submission(tmp_path, "lesson", "ada")
    assert found.raw == b""
    assert found.look == (f"there is no {NAME} among what was handed in",)


@pytest.mark.parametrize("special", ["symlink", "fifo", "folder"])
def test_what_is_no_file_is_not_read(folder, tmp_path, special):
    (tmp_path / "source.ipynb").write_text("the solution")
    if special == "symlink":
        (folder / NAME).symlink_to(tmp_path / "source.ipynb")
    elif special == "fifo":
        os.mkfifo(folder / NAME)  # reading it would never end
    else:
        (folder / NAME).mkdir()
    found = find_submission(tmp_path, "lesson", "ada")
    assert (found.raw, len(found.look)) == (b"", 1)


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path, folder):
    (folder / NAME).write_text("ada's work")
    bob = tmp_path / "submitted" / "bob"
    bob.mkdir()
    (bob / "lesson").symlink_to(folder)
    assert students_of(tmp_path, "lesson") == ["ada", "bob"]
    found = find_submission(tmp_path, "lesson", "bob")
    assert found.raw == b""
    assert found.look[0] == "the folder that was handed in is a symbolic link, and is not followed"


@pytest.mark.parametrize("name", ["é ö.ipynb", "a\nb.ipynb", "-rf.ipynb", "$(x);'\".ipynb"])
def test_weird_names(folder, tmp_path, name):
    (folder / name).write_text("mine")
    (folder / "timestamp.txt").symlink_to(tmp_path / "elsewhere")
    found = find_submission(tmp_path, "lesson", "ada")
    assert (found.raw, found.file, found.timestamp, found.look) == (b"mine", name, "", ())
    assert name in found.notes[0]


def test_names_that_are_no_text(folder, tmp_path):
    (tmp_path / "submitted" / os.fsdecode(b"\xff") / "lesson").mkdir(parents=True)
    assert students_of(tmp_path, "lesson") == ["ada", "\udcff"]
    assert find_submission(tmp_path, "lesson", "\udcff").raw == b""


def test_the_copy_replaces_a_stale_one(folder, tmp_path):
    staging = tmp_path / ".autograder" / "staging"
    stale = staging / "ada" / "lesson"
    stale.mkdir(parents=True)
    (stale / NAME).write_text("old")
    (stale / "timestamp.txt").write_text("old")
    (stale / "helper.py").write_text("old")
    (folder / NAME).write_text("new")
    write_copy(staging, "lesson", find_submission(tmp_path, "lesson", "ada"))
    assert {p.name: p.read_text() for p in stale.iterdir()} == {NAME: "new"}
    assert notes_file(staging, "ada", "lesson").read_text() == "[]"


def test_what_a_killed_grader_left_is_cleared(tmp_path):
    staging = tmp_path / ".autograder" / "staging"
    (staging / ".ada.123").mkdir(parents=True)
    (staging / ".ada.123" / NAME).write_text("begun")
    notes_file(staging, "ada", "lesson").write_text("[]")
    (staging.parent / ".recorded-lesson.json-x.unfinished").write_text("{")
    clear_leftovers(staging)
    assert [p.name for p in staging.iterdir()] == [".notes-ada-lesson.json"]
    assert [p.name for p in staging.parent.iterdir()] == ["staging"]
