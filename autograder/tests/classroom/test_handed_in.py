"""What is found in a student's folder, whatever was put there."""

from __future__ import annotations

import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from autograder.classroom.course_config import CourseConfig
from autograder.classroom.handed_in import (
    STAGING,
    clear_leftovers,
    find_submission,
    student_folders,
    write_copy,
)

NAME = "lesson.ipynb"


@pytest.fixture
def folder(tmp_path) -> Path:
    """Ada's folder of the course in `tmp_path`."""
    (tmp_path / "source" / "lesson").mkdir(parents=True)
    folder = tmp_path / "submitted" / "ada" / "lesson"
    folder.mkdir(parents=True)
    return folder


def test_an_archive_is_no_notebook(folder, tmp_path):
    with zipfile.ZipFile(folder / "lesson.zip", "w") as archive:
        archive.writestr(NAME, "{}")
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert found.raw == b""
    assert found.review == (f"no {NAME} was handed in",)


@pytest.mark.parametrize("special", ["symlink", "fifo", "folder"])
def test_what_is_no_file_is_not_read(folder, tmp_path, special):
    (tmp_path / "source.ipynb").write_text("the solution")
    if special == "symlink":
        (folder / NAME).symlink_to(tmp_path / "source.ipynb")
    elif special == "fifo":
        os.mkfifo(folder / NAME)  # reading it would never end
    else:
        (folder / NAME).mkdir()
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert (found.raw, len(found.review)) == (b"", 1)


def test_a_link_in_place_of_the_folder_is_not_followed(tmp_path, folder):
    (folder / NAME).write_text("ada's work")
    bob = tmp_path / "submitted" / "bob"
    bob.mkdir()
    (bob / "lesson").symlink_to(folder)
    assert list(student_folders(tmp_path)) == ["ada", "bob"]
    found = find_submission(CourseConfig(tmp_path), "lesson", "bob")
    assert found.raw == b""
    assert (
        found.review[0] == "the folder that was handed in is a symbolic link, and is not followed"
    )


@pytest.mark.parametrize("name", ["é ö.ipynb", "a\nb.ipynb", "-rf.ipynb", "$(x);'\".ipynb"])
def test_weird_names(folder, tmp_path, name):
    (folder / name).write_text("mine")
    (folder / "timestamp.txt").symlink_to(tmp_path / "elsewhere")
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert (found.raw, found.file, found.timestamp) == (b"mine", name, None)
    assert "timestamp.txt is not a file that can be read" in found.review[0]
    assert name in found.notes[0] and "carried along: timestamp.txt" not in found.notes[-1]


def test_names_that_are_no_text(folder, tmp_path):
    (tmp_path / "submitted" / os.fsdecode(b"\xff") / "lesson").mkdir(parents=True)
    assert list(student_folders(tmp_path)) == ["ada", "\udcff"]
    assert find_submission(CourseConfig(tmp_path), "lesson", "\udcff").raw == b""


def test_the_copy_replaces_a_stale_one(folder, tmp_path):
    staging = tmp_path / ".autograder" / "staging"
    stale = staging / "ada" / "lesson"
    stale.mkdir(parents=True)
    (stale / NAME).write_text("old")
    (stale / "timestamp.txt").write_text("old")
    (stale / "helper.py").write_text("old")
    (folder / NAME).write_text("new")
    write_copy(tmp_path, "lesson", find_submission(CourseConfig(tmp_path), "lesson", "ada"))
    assert {p.name: p.read_text() for p in stale.iterdir()} == {NAME: "new"}


def test_what_nbgrader_carries_along_is_copied(folder, tmp_path):
    files = {
        NAME: b"{}",
        "timestamp.txt": b"2026-11-20 20:30:00.123456 UTC",  # no line feed, as nbgrader writes it
        "submission_secret.txt": b"5ec7e7",
        "data/deep/counts.csv": b"1,2\r\n",
        os.fsdecode(b"\xff"): b"\x00",
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert (found.notes, found.review) == ((), ())
    write_copy(tmp_path, "lesson", found)
    copy = tmp_path / STAGING / "ada" / "lesson"
    assert {
        str(p.relative_to(copy)): p.read_bytes() for p in copy.rglob("*") if p.is_file()
    } == files
    (folder / "submission_secret.txt").write_bytes(b"another")
    assert find_submission(CourseConfig(tmp_path), "lesson", "ada").carried != found.carried


def test_what_is_left_behind(folder, tmp_path):
    """Whatever a student hands in beside the notebook ends no class."""
    (folder / NAME).write_text("{}")
    (tmp_path / "gradebook.db").write_text("marks")
    (folder / "link.db").symlink_to(tmp_path / "gradebook.db")
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    (folder / "other.ipynb").write_text("{}")
    (folder / "folder.ipynb").mkdir()
    (folder / "folder.ipynb" / "file").write_text("x")
    (folder / "timestamp.txt").mkdir()
    (folder / "timestamp.txt" / "file").write_text("x")
    (folder / "mine.txt").write_text("mine")
    here = os.getcwd()
    os.chdir(folder)
    try:  # the whole path is longer than the system takes
        for _ in range(1500):
            os.mkdir("d")
            os.chdir("d")
    finally:
        os.chdir(here)
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert list(found.carried) == ["mine.txt"]
    assert "not carried along: d/d/d" in found.notes[0]
    assert ", link.db, linked, pipe (a link" in found.notes[0]
    write_copy(tmp_path, "lesson", found)
    assert sorted(p.name for p in (tmp_path / STAGING / "ada" / "lesson").iterdir()) == [
        NAME,
        "mine.txt",
    ]
    subprocess.run(["rm", "-r", str(folder / "d")], check=True)


@pytest.mark.parametrize(
    ("content", "bad"),
    [
        (b"2026-11-20 20:30:00 UTC\r\n", ""),
        (b"half past eight", "half past eight"),
        (b"2026-11-20 20:30:00 UTC" + b" " * 300 + b"and more", "2026-11-20 20:30:00 UTC"),
        (b"2026-11-20 20:30:00 UTC\xff", "2026-11-20 20:30:00 UTC\N{REPLACEMENT CHARACTER}"),
    ],
)
def test_timestamps(folder, tmp_path, content, bad):
    (folder / NAME).write_text("{}")
    (folder / "timestamp.txt").write_bytes(content)
    found = find_submission(CourseConfig(tmp_path), "lesson", "ada")
    assert found.timestamp == (None if bad else content)
    assert [repr(bad) in text for text in found.review] == [True] * bool(bad)


def test_what_a_killed_grader_left_is_cleared(tmp_path):
    staging = tmp_path / ".autograder" / "staging"
    (staging / ".ada.123").mkdir(parents=True)
    (staging / ".ada.123" / NAME).write_text("begun")
    (staging.parent / ".recorded-lesson.json-x.unfinished").write_text("{")
    clear_leftovers(tmp_path)
    assert list(staging.iterdir()) == []
    assert [p.name for p in staging.parent.iterdir()] == ["staging"]
