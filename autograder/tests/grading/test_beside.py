"""Files beside a notebook: which go with its cells, and that code in them is the student's."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from autograder.grading import pipeline
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.files_beside import MAX_FILE, find_beside
from autograder.grading.pipeline import grade_notebook, name_skipped_files
from autograder.model.notebook import NOTHING, Beside, Cell, Notebook
from autograder.model.reasons import MISSING_FILE
from autograder.model.report import Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import Processes, shared_workers, shared_zygotes

LESSON = "static_branch"
IMPORTS = "import jax\nimport jax.numpy as jnp\nfrom functools import partial\n"
RIGHT = """
@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
"""


def write(folder: Path, files: dict[str, str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def carried(beside: Beside) -> dict[str, str]:
    return {name: base64.b64decode(text).decode() for name, text in beside.carried}


@pytest.mark.parametrize(
    "code",
    [
        "from my_box import f",
        "import os, my_box as b",
        "%run my_box.py",
        "%load my_box.py",
        "f = __import__('my_box').f",
        'exec(open("./my_box.py").read())',
    ],
)
def test_a_module_is_carried_where_code_names_it(tmp_path, code):
    write(tmp_path, {"my_box.py": "f = 1", "unnamed.py": "", "unnamed.csv": ""})
    beside = find_beside(tmp_path, ["x = 1", code])
    assert carried(beside) == {"my_box.py": "f = 1"}
    why = "the code does not name it"
    assert beside.skipped == (("unnamed.csv", why), ("unnamed.py", why))


def test_what_a_module_names_is_carried_too(tmp_path):
    files = {"a.py": "import b.c", "b/__init__.py": "", "b/c.py": "open('d.csv')"}
    write(tmp_path, {**files, "d.csv": "1", "b/e.py": ""})
    found = carried(find_beside(tmp_path, ["from a import f"]))
    assert list(found) == ["a.py", "b/__init__.py", "b/c.py", "d.csv"]


def test_data_is_carried_by_its_name_in_any_folder(tmp_path):
    write(tmp_path, {"data/counts.csv": "1,2"})
    code = 'np.loadtxt(Path("data") / "counts.csv")'
    assert carried(find_beside(tmp_path, [code])) == {"data/counts.csv": "1,2"}


def test_what_is_large_or_no_file_stays(tmp_path):
    write(tmp_path, {"big.bin": "x" * (MAX_FILE + 1)})
    (tmp_path / "link.txt").symlink_to("/etc/passwd")
    (tmp_path / "linked").symlink_to("/etc")
    for i in range(6):
        (tmp_path / f"part{i}.bin").write_bytes(b"x" * MAX_FILE)
    code = "big.bin link.txt passwd linked " + " ".join(f"part{i}.bin" for i in range(6))
    beside = find_beside(tmp_path, [code])
    assert [name for name, _ in beside.carried] == [f"part{i}.bin" for i in range(5)]
    assert dict(beside.skipped) == {
        "big.bin": "it has more than 1 MB",
        "link.txt": "it is a link, or it cannot be read",
        "linked": "it is a link, or it cannot be read",
        "part5.bin": "the files that the code names have more than 5 MB together",
    }


def test_a_module_with_a_librarys_name_is_the_librarys(tmp_path):
    """Who proves the source takes the name for the library's."""
    names = ("jax", "numpy", "plnkit", "typing")
    for name in names:
        write(tmp_path, {f"{name}.py": "raise SystemExit('mine')"})
    code = "\n".join(f"import {name}" for name in names)
    assert find_beside(tmp_path, [code]).carried == ()


def test_hidden_files_and_notebooks_are_not_looked_at(tmp_path):
    write(tmp_path, {".env": "key", "other.ipynb": "{}", ".git/config": "x"})
    assert find_beside(tmp_path, [".env other.ipynb config"]) == NOTHING
    assert find_beside(None, ["x"]) == NOTHING


def grade(folder: Path, *cells: str, judge, workers=None) -> Report:
    """Grade cells, the last of which is the solution, with what lies in a folder beside them."""
    sources = [IMPORTS, *cells]
    made = [Cell(f"cell-{i}", s, "") for i, s in enumerate(sources[:-1])]
    solution = Cell(f"{LESSON}-solution", sources[-1], "solution")
    beside = find_beside(folder, sources)
    assert json.loads(json.dumps(beside.carried)) == [list(pair) for pair in beside.carried]
    notebook = Notebook(LESSON, (*made, solution), beside=beside)
    terms = Terms(load_rubric(LESSON), judge)
    graded = grade_notebook(
        notebook, "x.ipynb", terms, Processes(workers=workers or shared_zygotes())
    )
    return name_skipped_files(graded, beside).reports[0]


MODULE = IMPORTS + RIGHT
FILES = {"my_box.py": MODULE, "shift.txt": "1.0"}
HELPER = "def shifted(c):\n    return c + 1\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "cells",
    [
        ["from my_box import box_cox"],
        ["%run my_box.py"],
        ["import my_box\nbox_cox = my_box.box_cox"],
        ['shift = float(open("shift.txt").read())\n' + RIGHT.replace("+ 1)", "+ shift)")],
        ["%%writefile written.py\n" + MODULE, "from written import box_cox"],
        ["%%writefile my_box.py\n" + MODULE, "from my_box import box_cox"],
        [
            "%%writefile mine.py\n" + HELPER,
            "from mine import shifted\n" + RIGHT.replace("(counts + 1)", "(shifted(counts))"),
        ],
    ],
    ids=["import", "run", "attribute", "data", "writefile", "overwrite", "helper"],
)
def test_right_work_in_files_gets_its_marks(tmp_path, judge, cells):
    write(tmp_path, FILES)
    report = grade(tmp_path, *cells, judge=judge)
    assert report.status is Status.PASSED, report
    assert {c.evidence for c in report.criteria if c.name != "outputs"} == {"observed"}
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == FILES


@pytest.mark.slow
def test_a_learners_worker_has_the_files_too(tmp_path, judge):
    write(tmp_path, FILES)
    cells = "%%writefile written.py\n" + HELPER, "from my_box import box_cox\nimport written"
    report = grade(tmp_path, *cells, judge=judge, workers=shared_workers())
    assert report.status is Status.PASSED, report


@pytest.mark.slow
def test_code_in_a_file_is_the_students(tmp_path, judge):
    """Its state, its lines and its jits count like those of a cell."""
    stateful = MODULE.replace("power):", "power):\n    seen.append(power)") + "\nseen = []\n"
    write(tmp_path, {"my_box.py": stateful})
    report = grade(tmp_path, "from my_box import box_cox", judge=judge)
    (finding,) = report.criterion("purity").findings
    assert (finding.rule, finding.code) == ("global-mutated", "seen.append(power)")
    assert report.criterion("compilations").status is Status.PASSED
    write(tmp_path, {"my_box.py": MODULE.replace(', static_argnames="power"', "")})
    report = grade(tmp_path, "%run my_box.py", judge=judge)
    (finding,) = report.criterion("outputs").findings
    assert (finding.rule, finding.code) == ("python-branch", "if power == 0:")


@pytest.mark.slow
def test_libraries_stay_the_libraries(tmp_path, judge):
    for name in ("jax", "numpy", "typing", "autograder", "random"):
        write(tmp_path, {f"{name}.py": "raise SystemExit('mine')"})
    report = grade(tmp_path, "import random\nimport typing\nimport numpy as np", RIGHT, judge=judge)
    assert report.status is Status.PASSED
    assert {c.evidence for c in report.criteria if c.name != "outputs"} == {"proved"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "first"),
    [
        ("from lost import box_cox", "ModuleNotFoundError: No module named 'lost'"),
        ('box_cox = open("lost.txt").read()', "FileNotFoundError: "),
        (RIGHT.replace("    if", '    open("lost.txt")\n    if'), "FileNotFoundError: "),
    ],
)
def test_a_missing_file_waits_for_a_person(tmp_path, judge, code, first):
    write(tmp_path, {"data1.csv": "1", "huge.csv": "1" * (MAX_FILE + 1)})
    report = grade(tmp_path, code + "\n# huge.csv", judge=judge)
    assert {c.reason for c in report.criteria} == {MISSING_FILE}
    (finding,) = report.criteria[0].findings
    assert finding.message.startswith(first)
    assert "Where the notebook was checked, there is no such" in finding.message
    assert report.notes == (
        "These files lie beside the notebook, and were not there when its cells ran: data1.csv "
        "(the code does not name it), huge.csv (it has more than 1 MB). Name a file in the code by "
        "its whole name, and keep it small, or put what it holds into a cell.",
    )


def test_files_go_with_a_notebook_whose_texts_are_out_of_limits(tmp_path, monkeypatch):
    def fail(function, name, released, shown, rendered, **raw):
        if rendered:
            raise OutOfLimits("reading it takes too long")
        return read_apart(function, name, released, shown, rendered, **raw)

    monkeypatch.setattr(pipeline, "read_apart", fail)
    (tmp_path / "my_box.py").write_text("box = 1")
    cell = {"cell_type": "code", "source": "import my_box", "metadata": {}, "outputs": []}
    raw = json.dumps({"nbformat": 4, "cells": [cell], "metadata": {}}).encode()
    prepared = pipeline.prepare(raw, "x.ipynb", None, folder=tmp_path)
    assert [name for name, _ in prepared.beside.carried] == ["my_box.py"]
