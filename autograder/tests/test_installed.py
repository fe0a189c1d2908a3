"""The built wheel in a fresh environment and an empty folder, without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import nbformat
import pytest

import autograder
from autograder.lessons.solutions import own_solution

NO_NETWORK = {
    **{name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "all_proxy")},
    "PIP_NO_INDEX": "1",
    "PYTHONPATH": "",
}


@pytest.fixture(scope="module")
def python(root, tmp_path_factory) -> list[str]:
    """Return the command of a Python that has the wheel, and this environment's other packages."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder / "wheel"]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True)
    (site,) = (folder / "env").glob("[lL]ib/**/site-packages")
    (wheel,) = (folder / "wheel").glob("*.whl")
    zipfile.ZipFile(wheel).extractall(site)
    # The folder is added as it is: the editable kit of its own .pth files is not.
    (site / "others.pth").write_text(sysconfig.get_path("purelib"))
    program = next(p for p in (folder / "env").glob("[bS]*/python*") if p.stem == "python")
    alone = ["unshare", "-n"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"]).returncode:
        alone = []
    return [*alone, str(program)]


def run(python: list[str], folder: Path, *arguments: str) -> tuple[int, str]:
    env = {**os.environ, **NO_NETWORK, "COLUMNS": "200"}
    command = [*python, "-P", *arguments]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_the_lessons_come_from_the_wheel(python, tmp_path):
    status, said = run(python, tmp_path, "-c", "import autograder; print(autograder.__file__)")
    assert status == 0 and Path(said.strip()) != Path(str(autograder.__file__))
    status, said = run(python, tmp_path, "-m", "autograder", "start")
    assert status == 0 and "exercises: 16 new lessons" in said, said
    assert (tmp_path / "exercises" / "README.md").is_file()


@pytest.mark.slow
def test_a_learner_solves_a_lesson_and_an_instructor_makes_a_course(python, lessons, tmp_path):
    assert run(python, tmp_path, "-m", "autograder", "start")[0] == 0
    exercise = "exercises/03_static_branch.ipynb"
    status, said = run(python, tmp_path, "-m", "pytest", "-q", exercise)
    assert status == 1 and "line 3: if power == 0:" in said, said
    notebook = nbformat.read(tmp_path / exercise, as_version=4)
    (cell,) = (c for c in notebook.cells if c["id"] == "static_branch-solution")
    cell["source"] = own_solution(lessons["static_branch"], "static_branch")
    nbformat.write(notebook, tmp_path / exercise)
    status, said = run(python, tmp_path, "-m", "pytest", "-q", exercise)
    assert status == 0 and "3 passed" in said and "9 of" in said, said
    status, said = run(python, tmp_path, "-m", "autograder", "course", "mine")
    assert status == 0 and "Made mine with the assignments: tracing" in said, said
    status, said = run(
        *(python, tmp_path / "mine", "-m", "nbgrader", "generate_assignment", "static_branch")
    )
    assert status == 0 and (tmp_path / "mine" / "release" / "static_branch").is_dir(), said
    status, said = run(python, tmp_path, "-m", "autograder", "demo", "--keep", "demo")
    assert status == 0 and "ada" in said, said
