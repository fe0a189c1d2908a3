"""Only the call in a check cell is the check's: all other code there is the student's, and runs."""

from __future__ import annotations

import copy
import json
import sys

import pytest

import autograder
from autograder.grading.pipeline import grade_submission, prepare
from autograder.lessons.authoring import build_exercise
from autograder.model.notebook import notebook_of
from autograder.model.report import Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox.cells import run_cells
from autograder.sandbox.unjudged import replace_check_and_defend

RIGHT = """\
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + shift)
    return ((counts + shift) ** power - 1) / power
"""
SHIFT = "shift = 1.0\n"
CALL = 'check("static_branch")'


@pytest.fixture(scope="module")
def released(lessons):
    return build_exercise(lessons["static_branch"])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run what a worker would run of a notebook; return its module."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    for name in ("check", "defend"):
        monkeypatch.setitem(vars(autograder), name, getattr(autograder, name))
    replace_check_and_defend({"static_branch": {"outputs": 4.0, "purity": 2.0, "speed": 3.0}})

    def run(repaired):
        cells = notebook_of("static_branch", repaired.notebook).cells
        module, errors = run_cells((c for c in cells if c.role != "check"), tmp_path)
        # A lesson shows errors, too.
        assert [error for error in errors if error.cell.role in ("", "solution")] == []
        return module

    return run


def cell_of(notebook, name):
    return next(c for c in notebook["cells"] if c["id"] == name)


def code(source, name="mine", metadata=None):
    cell = {"cell_type": "code", "id": name, "metadata": metadata or {}, "source": source}
    return {**cell, "outputs": [], "execution_count": None}


def raw(notebook) -> bytes:
    return json.dumps(notebook).encode()


def without_marks(notebook):
    notebook["metadata"] = {}
    for i, cell in enumerate(notebook["cells"]):
        cell["metadata"], cell["id"] = {}, f"c{i}"
    return notebook


def in_the_check_cell(source):
    def change(notebook):
        cell_of(notebook, "static_branch")["source"] = source

    return change


def in_a_new_cell(source):
    def change(notebook):
        at = notebook["cells"].index(cell_of(notebook, "static_branch"))
        notebook["cells"].insert(at, code(source))

    return change


def in_a_second_check_cell(source):
    def change(notebook):
        second = copy.deepcopy(cell_of(notebook, "static_branch"))
        notebook["cells"].append({**second, "source": source})

    return change


def in_the_solution_cell(source):
    def change(notebook):
        cell_of(notebook, "static_branch-solution")["source"] = source
        notebook["cells"].remove(cell_of(notebook, "static_branch"))

    return change


def in_a_drills_check_cell(source):
    def change(notebook):
        cell_of(notebook, "sum_powers")["source"] = source + '\ncheck("sum_powers")'

    return change


def in_the_defence_cell(source):
    def change(notebook):
        cell_of(notebook, "static_branch_defence")["source"] = (
            f'{source}\nfrom autograder import defend\ndefend("static_branch", program="1")'
        )

    return change


PLACES = (
    in_the_check_cell,
    in_a_new_cell,
    in_a_second_check_cell,
    in_the_solution_cell,
    in_a_drills_check_cell,
    in_the_defence_cell,
)
FORMS = {
    "above": f"{SHIFT}{RIGHT}{CALL}",
    "below": f"{CALL}\n{SHIFT}{RIGHT}",
    "in the middle": f"{SHIFT}{CALL}\n{RIGHT}",
    "a variable": f"{SHIFT}{RIGHT}score = {CALL}\nscore",
    "thrown away": f"{SHIFT}{RIGHT}_ = {CALL}",
    "by keyword": f'{SHIFT}{RIGHT}check(exercise="static_branch", criterion=None)',
    "another name": (
        f'from autograder import check as verify\n{SHIFT}{RIGHT}verify("static_branch")'
    ),
    "of the package": f'import autograder\n{SHIFT}{RIGHT}autograder.check("static_branch")',
    "in an if": f"{SHIFT}{RIGHT}if {CALL} > 5:\n    done = True",
    "in a loop": f'{SHIFT}{RIGHT}for name in ["static_branch"]:\n    print(check(name))',
    "in a try": f"{SHIFT}{RIGHT}try:\n    {CALL}\nfinally:\n    done = True",
    "in a function": f"{SHIFT}{RIGHT}def verify():\n    return {CALL}\nverify()",
    "an assertion": f"{SHIFT}assert {CALL} == 6\n{RIGHT}",
    "until it is right": f"while {CALL} < 6:\n    pass\n{SHIFT}{RIGHT}",
    "what it found": f"{SHIFT}{CALL}.report.criteria[0].status\n{RIGHT}",
    "a magic": f"%%time\n{SHIFT}{RIGHT}{CALL}",
    "an await": f"import asyncio\nawait asyncio.sleep(0)\n{SHIFT}{RIGHT}{CALL}",
    "the other quotes": f"{SHIFT}{RIGHT}check('static_branch');",
    "speed": f'{SHIFT}{RIGHT}check("static_branch", "speed")',
    "another exercise": f'{SHIFT}{RIGHT}check("sum_powers")',
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("marks", [True, False])
def test_code_beside_a_check_runs(form, marks, released, run):
    notebook = copy.deepcopy(released)
    in_the_check_cell(FORMS[form])(notebook)
    notebook = notebook if marks else without_marks(notebook)
    repaired = prepare(raw(notebook), "x.ipynb", released)
    module = run(repaired)
    assert module.box_cox(1.0, 2) == 1.5
    (graded,) = (c for c in repaired.notebook["cells"] if c["id"] == "static_branch")
    original = cell_of(released, "static_branch")
    assert (graded["source"], graded["metadata"]) == (original["source"], original["metadata"])


@pytest.mark.gate
@pytest.mark.parametrize("place", PLACES)
def test_code_runs_wherever_a_check_stands(place, released, run):
    notebook = copy.deepcopy(released)
    place(FORMS["above"])(notebook)
    assert run(prepare(raw(notebook), "x.ipynb", released)).box_cox(1.0, 2) == 1.5


@pytest.mark.parametrize("place", [in_the_check_cell, in_the_defence_cell])
def test_without_the_released_version(place, released, run):
    notebook = copy.deepcopy(released)
    place(FORMS["above"])(notebook)
    assert run(prepare(raw(notebook), "x.ipynb", None)).box_cox(1.0, 2) == 1.5


def test_the_code_stays_in_its_place_and_the_check_follows(released):
    notebook = copy.deepcopy(released)
    in_the_check_cell(FORMS["in the middle"])(notebook)
    repaired = prepare(raw(notebook), "x.ipynb", released)
    cells = repaired.notebook["cells"]
    at = cells.index(cell_of(repaired.notebook, "static_branch"))
    assert cells[at - 1]["source"] == FORMS["in the middle"]
    assert cells[at - 1]["metadata"] == {}
    assert repaired.notes == (
        "The cell `static_branch` held code of yours beside the call. It counts: it stands in a "
        "cell of its own now, above that one.",
    )


def test_a_missing_check_is_restored_below_its_last_call(released):
    notebook = copy.deepcopy(released)
    in_the_solution_cell(FORMS["a variable"])(notebook)
    cells = prepare(raw(notebook), "x.ipynb", released).notebook["cells"]
    order = [c["id"] for c in cells]
    assert order.index("static_branch") == order.index("static_branch-solution") + 1


@pytest.mark.parametrize(
    "source",
    [CALL, f"\n{CALL}\n", "check('static_branch')", f"{CALL};", "check( 'static_branch', )"],
)
def test_a_cell_with_nothing_but_the_call_is_the_check(source, released):
    notebook = without_marks(copy.deepcopy(released))
    cell = next(c for c in notebook["cells"] if c["source"] == CALL)
    cell["source"] = source
    repaired = prepare(raw(notebook), "x.ipynb", released)
    assert [c["source"] for c in repaired.notebook["cells"]].count(CALL) == 1
    assert "was missing" not in " ".join(n for n in repaired.notes if "`static_branch`" in n)


def test_the_first_of_two_checks_counts_and_the_code_of_both(released, run):
    notebook = copy.deepcopy(released)
    in_the_check_cell(f"{SHIFT}{CALL}")(notebook)
    in_a_second_check_cell(f"{RIGHT}{CALL}")(notebook)
    repaired = prepare(raw(notebook), "x.ipynb", released)
    assert run(repaired).box_cox(1.0, 2) == 1.5
    assert [c["id"] for c in repaired.notebook["cells"]].count("static_branch") == 1


@pytest.mark.slow
@pytest.mark.parametrize("form", ["in the middle", "another name", "an await"])
def test_the_marks_are_those_of_a_kernel(form, released, judge, lessons):
    notebook = copy.deepcopy(released)
    in_the_check_cell(FORMS[form])(notebook)
    repaired = prepare(raw(notebook), "x.ipynb", released)
    rubric = load_rubric("static_branch")
    (report,) = grade_submission(repaired, "x.ipynb", Terms(rubric, judge)).reports
    assert report.status is Status.PASSED
