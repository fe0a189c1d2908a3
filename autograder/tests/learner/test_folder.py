import shutil

import pytest

from autograder.learner.folder import LearningError, choose_notebook, find_folder, find_notebooks
from autograder.learner.notebook_record import Record, read_record, write_record
from autograder.learner.starting import copy_exercises
from autograder.lessons.course import find_course


@pytest.fixture
def folder(tmp_path, write_notebook):
    for lesson in ("tracing", "static_branch"):
        write_notebook(lesson)
    return tmp_path


def test_lessons_in_course_order_and_copies_do_not_count(folder):
    shutil.copy(folder / "02_static_branch.ipynb", folder / "02_static_branch-Copy1.ipynb")
    (folder / "04_analysis.ipynb").write_text('{"cells": [], "metadata": {}}')
    found = find_notebooks(folder)
    assert [n.path.name for n in found] == ["01_tracing.ipynb", "02_static_branch.ipynb"]


def test_the_folder_is_found_from_within_and_from_above(folder, monkeypatch):
    (folder / "notes").mkdir()
    monkeypatch.chdir(folder / "notes")
    assert find_folder() == folder.resolve()


def test_without_lessons_the_message_says_how_to_get_some(tmp_path):
    with pytest.raises(LearningError, match="`autograder start`"):
        find_folder(tmp_path)


@pytest.mark.parametrize(
    "wanted", ["static_branch", "2", "02", "02_static_branch", "02_static_branch.ipynb"]
)
def test_a_lesson_is_named_in_any_of_these_ways(folder, wanted):
    assert choose_notebook(find_notebooks(folder), wanted).lesson == "static_branch"


def test_a_misspelt_lesson_names_the_nearest(folder):
    with pytest.raises(LearningError, match="Did you mean static_branch"):
        choose_notebook(find_notebooks(folder), "static_brunch")


def test_records_survive_and_ignore_themselves(folder):
    notebook = folder / "02_static_branch.ipynb"
    record = Record("c", "g", (), "2026-01-02", {}).with_hint("static_branch", "purity")
    assert write_record(notebook, record)
    assert read_record(notebook) == record
    assert (folder / ".autograder" / ".gitignore").read_text() == "*\n"


def test_a_record_that_cannot_be_read_is_an_empty_one(folder):
    notebook = folder / "02_static_branch.ipynb"
    write_record(notebook, Record("c"))
    (folder / ".autograder" / "02_static_branch.json").write_text('{"schema": 1')
    assert read_record(notebook) == Record()


def test_a_lesson_under_its_old_number_is_not_written_again(tmp_path):
    course = find_course()
    copy_exercises(tmp_path, course)
    (tmp_path / "08_static_reshape.ipynb").rename(tmp_path / "09_static_reshape.ipynb")
    new, kept = copy_exercises(tmp_path, course)
    assert (new, kept) == (0, len(course.names()))
    assert not (tmp_path / "08_static_reshape.ipynb").exists()
