import json

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.pipeline import prepare
from autograder.grading.read import UnreadableNotebook, read_cells
from autograder.model.notebook import cells_of


def test_cells_and_roles_without_the_released_version(write_notebook):
    path = write_notebook("static_branch")
    cells = cells_of(prepare(path.read_bytes(), path.name, None).notebook)
    roles = [cell.role for cell in cells]
    assert roles.count("solution") == 1
    assert "show" in roles
    assert [c.id for c in cells if c.role == "check"] == [
        "static_branch",
        "static_branch_defence",
    ]


@pytest.mark.parametrize(
    "content",
    [b"", b'{"cells": [', b"\xff\xfe\x00", b"[]", b"{}", b'{"nbformat": 9, "worksheets": []}'],
)
def test_files_that_are_not_notebooks(content):
    with pytest.raises(UnreadableNotebook, match="cannot be read as a notebook") as error:
        read_cells(content, "02_static_branch.ipynb")
    assert "take a fresh copy of the exercise" in str(error.value)
    prepared = prepare(content, "02_static_branch.ipynb", None)
    assert prepared.unreadable == str(error.value)
    assert prepared.notebook["cells"] == []


def test_the_marks_and_tags_of_a_cell_are_kept_and_nothing_else():
    metadata = {"nbgrader": {"grade": True}, "tags": ["demo", 3], "lines": {"of": "others"}}
    cell = {"cell_type": "code", "source": ["1\n", "2"], "metadata": metadata}
    (read,) = read_cells(json.dumps({"cells": [cell]}).encode(), "x.ipynb")
    assert read["metadata"] == {"nbgrader": {"grade": True}, "tags": ["demo"]}
    assert read["source"] == "1\n2"


@pytest.mark.parametrize("text", ["x=" + "1+" * 2**23 + "1", "x" + ".a" * 2**23])
def test_code_that_takes_gigabytes_to_parse_is_not_parsed(text):
    """It is below the size of a notebook; parsed in the grader it would end the class."""
    cell = {"cell_type": "code", "source": text, "metadata": {}}
    with pytest.raises(UnreadableNotebook, match="its code cells hold 16384 KB, more than 128 KB"):
        read_cells(json.dumps({"cells": [cell]}).encode(), "x.ipynb")


def test_code_of_many_cells_counts_together():
    cell = {"cell_type": "code", "source": "a\n" * 2**10, "metadata": {}}
    with pytest.raises(UnreadableNotebook, match="its code cells hold"):
        read_cells(json.dumps({"cells": [cell] * 65}).encode(), "x.ipynb")
    assert len(read_cells(json.dumps({"cells": [cell] * 64}).encode(), "x.ipynb")) == 64


@pytest.mark.parametrize("tags", [["a,b"], [""], [["demo"]], [None, 3], ["x", "x"], ["x" * 10**6]])
def test_tags_of_any_kind_are_no_fault(tags):
    cell = {"cell_type": "code", "source": "1", "metadata": {"tags": [*tags, "demo"]}}
    raw = json.dumps({"nbformat": 4, "cells": [cell]}).encode()
    (read,) = read_cells(raw, "x.ipynb")
    assert read["metadata"]["tags"][-1] == "demo"


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
)
_METADATA = st.fixed_dictionaries({}, optional={"nbgrader": _JSON, "tags": _JSON, "other": _JSON})
_CELL = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": _JSON | st.sampled_from(["code", "markdown", "raw"]),
        "source": _JSON | st.lists(st.text(max_size=3)),
        "metadata": _JSON | _METADATA,
        "outputs": _JSON,
        "id": _JSON,
    },
)


@settings(deadline=None, max_examples=50)  # the first one reads the schema of notebooks
@given(st.lists(_CELL, max_size=3))
def test_whatever_a_cell_holds_what_is_read_of_it_is_valid(cells):
    """`nbformat` validates nothing while a submission is read."""
    read = read_cells(json.dumps({"nbformat": 4, "cells": cells}).encode(), "x.ipynb")
    for number, cell in enumerate(read):
        cell["id"] = f"c{number}"  # as repair does
        cell.pop("attachments", None)  # which `keep_images` checks
    nbformat.validate(nbformat.v4.new_notebook(cells=read))
