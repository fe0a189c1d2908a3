"""Every way in which a notebook comes back spoilt, and that its graded cells are whole after."""

from __future__ import annotations

import copy
import json

import nbformat
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.pipeline import prepare
from autograder.grading.read import MAX_BYTES
from autograder.grading.repair import graded_cells
from autograder.lessons.authoring import build_exercise
from autograder.model.notebook import INSTALL_SOURCE, cells_of, notebook_of

MARK = "# what the student wrote\ndef box_cox(counts, power):\n    return counts"


@pytest.fixture(scope="module")
def released(request):
    from autograder.lessons.course import find_course

    (lesson,) = (lesson for lesson in find_course().lessons() if lesson.name == "static_branch")
    return build_exercise(lesson)


@pytest.fixture
def submitted(released):
    notebook = copy.deepcopy(released)
    solution(notebook)["source"] = MARK
    return notebook


def solution(notebook):
    return next(c for c in notebook["cells"] if c["id"] == "static_branch-solution")


def check(notebook):
    return next(c for c in notebook["cells"] if c["id"] == "static_branch")


def dump(notebook) -> bytes:
    return json.dumps(notebook).encode()


def whole(repaired, released):
    """The graded cells are the released ones, each once, and the notebook is valid."""
    notebook = repaired.notebook
    nbformat.validate(notebook)
    assert sorted(graded_cells(notebook)) == sorted(graded_cells(released))
    for name, cell in graded_cells(released).items():
        found = graded_cells(notebook)[name]
        assert found["metadata"] == cell["metadata"]
        if not cell["metadata"]["nbgrader"]["solution"]:
            assert found["source"] == cell["source"]
    assert len({c["id"] for c in notebook["cells"]}) == len(notebook["cells"])


def test_a_defence_cell_is_known_by_its_call(submitted, released):
    """It holds answers, and is never run: neither is a copy of it, nor one of a later edition."""
    answers = 'from autograder import defend\ndefend("static_branch", program="1", lines="a")'
    cell = next(c for c in submitted["cells"] if c["id"] == "static_branch_defence")
    cell.update(source=answers, metadata={}, id="other")
    submitted["cells"].append(copy.deepcopy({**cell, "id": "again"}))
    found = cells_of(prepare(dump(submitted), "x.ipynb", released).notebook)
    assert [(c.id, c.role) for c in found if c.source == answers] == [
        ("static_branch_defence", "check"),
        ("again", "show"),
    ]
    released = copy.deepcopy(released)
    released["cells"] = [c for c in released["cells"] if c["id"] != "static_branch_defence"]
    found = cells_of(prepare(dump(submitted), "x.ipynb", released).notebook)
    assert [c.role for c in found if c.source == answers] == ["show", "show"]


def test_an_untouched_submission_is_left_alone(submitted, released):
    repaired = prepare(dump(submitted), "x.ipynb", released)
    whole(repaired, released)
    assert repaired.notes == () and repaired.unreadable == ""
    assert [c["source"] for c in repaired.notebook["cells"]] == [
        c["source"] for c in submitted["cells"]
    ]


def test_only_the_kits_own_cells_pass_for_cells_that_just_show_something(submitted, released):
    def shown(notebook):
        return [c.id for c in cells_of(notebook) if c.role == "show"]

    assert shown(prepare(dump(submitted), "x.ipynb", released).notebook) == shown(released) != []
    first = next(c for c in submitted["cells"] if c["id"] == shown(released)[0])
    first["source"] += "\nhelper = 1"  # now it is the student's, whatever its tags say
    assert shown(prepare(dump(submitted), "x.ipynb", released).notebook) == shown(released)[1:]


def test_the_cell_that_installs_the_kit_is_known_to_older_releases(submitted, released):
    older = copy.deepcopy(released)
    older["cells"] = [c for c in released["cells"] if c["source"] != INSTALL_SOURCE]
    notebook = prepare(dump(submitted), "x.ipynb", older).notebook
    (cell,) = (c for c in cells_of(notebook) if c.source == INSTALL_SOURCE)
    assert cell.role == "show"  # else it would run, and would not be admitted


def test_the_checksums_of_a_release_are_no_change(submitted, released):
    for cell in graded_cells(submitted).values():
        cell["metadata"]["nbgrader"]["checksum"] = "d218fc7525ee3ccd64ca5f5e19f028b2"
    assert prepare(dump(submitted), "x.ipynb", released).notes == ()


def double_check(notebook):
    notebook["cells"].append(copy.deepcopy(check(notebook)))


def delete_check(notebook):
    notebook["cells"].remove(check(notebook))


def rename_grade_id(notebook):
    check(notebook)["metadata"]["nbgrader"]["grade_id"] = "mine"


def not_a_grade_cell(notebook):
    check(notebook)["metadata"]["nbgrader"]["grade"] = False


def more_points(notebook):
    check(notebook)["metadata"]["nbgrader"]["points"] = 100


def strip_metadata(notebook):
    notebook["metadata"] = {}
    for cell in notebook["cells"]:
        cell["metadata"] = {}


def strip_metadata_and_ids(notebook):
    strip_metadata(notebook)
    for i, cell in enumerate(notebook["cells"]):
        cell["id"] = f"new{i}"


def no_ids(notebook):
    notebook["nbformat_minor"] = 4  # Colab still writes it
    for cell in notebook["cells"]:
        del cell["id"]


def other_check_source(notebook):
    check(notebook)["source"] = "2.0"


def double_solution(notebook):
    again = copy.deepcopy(solution(notebook))
    notebook["cells"].insert(notebook["cells"].index(solution(notebook)), again)


def format_5(notebook):
    notebook["nbformat"], notebook["nbformat_minor"] = 5, 99


def unknown_keys(notebook):
    notebook["extra"] = {"a": 1}
    check(notebook)["strange"] = None


def lines_as_lists(notebook):
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)


@pytest.mark.parametrize(
    "spoil",
    [
        double_check,
        delete_check,
        rename_grade_id,
        not_a_grade_cell,
        more_points,
        strip_metadata,
        strip_metadata_and_ids,
        no_ids,
        other_check_source,
        double_solution,
        format_5,
        unknown_keys,
        lines_as_lists,
    ],
)
def test_what_was_written_survives_all_of_this(submitted, released, spoil):
    notebook = copy.deepcopy(submitted)
    spoil(notebook)
    repaired = prepare(dump(notebook), "x.ipynb", released)
    assert repaired.unreadable == ""
    whole(repaired, released)
    assert MARK in [c["source"] for c in repaired.notebook["cells"]]


@pytest.mark.parametrize(
    ("spoil", "note"),
    [
        (double_check, "The cell `static_branch` was there more than once; it counts once."),
        (delete_check, "The cell `static_branch` was missing and was restored."),
        (more_points, "The marks that nbgrader keeps in cell `static_branch` were changed"),
    ],
)
def test_the_student_is_told(submitted, released, spoil, note):
    spoil(submitted)
    assert note in " ".join(prepare(dump(submitted), "x.ipynb", released).notes)


def retype(cell, kind):
    cell["cell_type"] = kind
    for key in ("outputs", "execution_count", "attachments"):
        cell.pop(key, None)


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("around", ["{}", "```python\n{}\n```\n"])
def test_a_solution_that_has_become_text_is_code_again(submitted, released, kind, around):
    cell = solution(submitted)
    cell["source"] = around.format(MARK)
    retype(cell, kind)
    repaired = prepare(dump(submitted), "x.ipynb", released)
    whole(repaired, released)
    found = solution(repaired.notebook)
    assert (found["cell_type"], found["source"]) == ("code", MARK)
    assert repaired.notes == (
        "The cell `static_branch-solution` had become text; it is code again, as it was given to "
        "you.",
    )


def test_an_old_attempt_that_was_made_text_stays_text(submitted, released):
    retype(solution(submitted), "markdown")
    new = {
        **check(submitted),
        "id": "new",
        "metadata": {},
        "source": "def box_cox(counts, power): 1",
    }
    submitted["cells"].append(new)
    repaired = prepare(dump(submitted), "x.ipynb", released)
    whole(repaired, released)
    assert solution(repaired.notebook)["source"] == ""
    assert [c["cell_type"] for c in repaired.notebook["cells"] if c["source"] == MARK] == [
        "markdown"
    ]


def test_other_cells_get_their_types_again_where_they_are_as_released(submitted, released):
    imports = next(c for c in submitted["cells"] if "import jax.numpy" in c["source"])
    retype(imports, "raw")
    retype(check(submitted), "markdown")
    answer = next(c for c in submitted["cells"] if c["id"] == "static_branch-why")
    retype(answer, "code")
    prose = next(c for c in submitted["cells"] if "## Your task" in c["source"])
    retype(prose, "code")
    reused = next(c for c in submitted["cells"] if c["source"].startswith("Read the last lines"))
    retype(reused, "code")
    reused["source"] = "shift = 1"  # a cell of text that the student has made their own
    repaired = prepare(dump(submitted), "x.ipynb", released)
    whole(repaired, released)
    kinds = {c["source"]: c["cell_type"] for c in repaired.notebook["cells"]}
    before = {c["source"]: c["cell_type"] for c in released["cells"]}
    assert {s: k for s, k in kinds.items() if before.get(s, k) != k} == {}
    assert kinds["shift = 1"] == "code"


@pytest.mark.slow
def test_a_notebook_with_many_cells_is_read_whole(submitted, released):
    empty = {**check(submitted), "metadata": {}, "source": "1 + 1"}
    submitted["cells"][:0] = [{**empty, "id": f"c{i}"} for i in range(1100)]
    assert solution(prepare(dump(submitted), "x.ipynb", released).notebook)["source"] == MARK


def test_cells_without_a_source_and_a_format_as_text(submitted, released):
    submitted["nbformat"] = "4"
    submitted["cells"] += [{"cell_type": "code", "outputs": []}, {"source": None}, {}]
    repaired = prepare(dump(submitted), "x.ipynb", released)
    whole(repaired, released)
    assert repaired.unreadable == ""
    assert solution(repaired.notebook)["source"] == MARK


@pytest.mark.parametrize(
    ("info", "python"),
    [
        ({"name": "python", "version": "3.13.2"}, "3.13"),
        ({"name": "R", "version": "4.4"}, ""),
        ({"name": "python"}, ""),
        ({"name": "python", "version": 3.13}, ""),
        ("python", ""),
    ],
)
def test_the_python_that_a_notebook_was_saved_with(submitted, released, info, python):
    submitted["metadata"]["language_info"] = info
    for original in (released, None):
        notebook = prepare(dump(submitted), "x.ipynb", original).notebook
        assert notebook_of("static_branch", notebook).saved_with == python


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_other_encodings(submitted, released, encoding):
    raw = json.dumps(submitted, ensure_ascii=False).encode(encoding)
    repaired = prepare(raw, "x.ipynb", released)
    whole(repaired, released)
    assert repaired.unreadable == ""


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        (b"", "the file is empty"),
        (b"not a notebook", "it is not JSON"),
        (b'{"cells": [', "it is not JSON"),
        (b"[]", "it is not a notebook but a list"),
        (b"3.5", "it is not a notebook but a number"),
        (b'{"cells": 3}', "it has no list of cells"),
        (b'{"cells": [{}, 3]}', "cell 2 of it is not a cell but a number"),
        (b'{"cells": [null]}', "cell 1 of it is not a cell but null"),
        (b'{"nbformat": 2, "worksheets": 1}', "it is in an old format, and cannot be converted"),
        (b'{"cells": [' + b"{}," * 10_000 + b"{}]}", "it has 10001 cells, more than 10000"),
        (b"\xff\xfe\x00", "it is not JSON"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b" " * (MAX_BYTES + 1), "more than 20 MB"),
    ],
)
def test_unreadable(released, raw, problem):
    repaired = prepare(raw, "ada.ipynb", released)
    whole(repaired, released)
    assert repaired.unreadable.startswith("ada.ipynb cannot be read as a notebook: ")
    assert problem in repaired.unreadable
    assert "save it again" in repaired.unreadable


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "metadata", "source", "cell_type", "id", "nbgrader"]), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=60, deadline=None)
@given(data=JSON | st.builds(lambda cells: {"cells": cells}, st.lists(JSON, max_size=5)))
def test_no_json_brings_it_down(released, data):
    whole(prepare(json.dumps(data).encode(), "x.ipynb", released), released)
