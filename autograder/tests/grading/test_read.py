import json

import nbformat
import pytest

from autograder.grading.read import UnreadableNotebook, read_notebook


def test_cells_and_roles(write_notebook):
    notebook = read_notebook(write_notebook("static_branch"))
    assert notebook.lesson == "static_branch"
    roles = [cell.role for cell in notebook.cells]
    assert roles.count("solution") == roles.count("check") == 1
    assert [c.id for c in notebook.cells if c.role == "check"] == ["static_branch"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be read as a notebook"),
        (b'{"cells": [', "cannot be read as a notebook"),
        (b"\xff\xfe\x00", "cannot be read as a notebook"),
        (b"[]", "cannot be read as a notebook"),
        (b"{}", "cannot be read as a notebook"),
        (b'{"nbformat": 9, "nbformat_minor": 0, "cells": [], "metadata": {}}', "cannot be read"),
    ],
)
def test_files_that_are_no_notebook(tmp_path, content, words):
    path = tmp_path / "03_static_branch.ipynb"
    path.write_bytes(content)
    with pytest.raises(UnreadableNotebook, match=words) as error:
        read_notebook(path)
    assert "take a fresh copy of the exercise" in str(error.value)


def test_missing_file(tmp_path):
    with pytest.raises(UnreadableNotebook, match="No such file"):
        read_notebook(tmp_path / "absent.ipynb")


def test_other_notebooks_belong_to_no_lesson(tmp_path):
    path = tmp_path / "other.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")]), path)
    assert read_notebook(path).lesson == ""
    data = json.loads(path.read_text())
    data["cells"][0]["metadata"]["nbgrader"] = {"grade": True, "solution": False}
    path.write_text(json.dumps(data))
    assert read_notebook(path).cells[0].role == "check"
