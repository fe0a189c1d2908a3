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

from autograder.lessons.solutions import own_solution

NO_NETWORK = {
    **{name: "http://127.0.0.1:9" for name in ("http_proxy", "https_proxy", "all_proxy")},
    "PIP_NO_INDEX": "1",
    "COLUMNS": "200",
}
LEFT_OUT = ("*plnkit*", "torch*", "functorch", "sympy", "sklearn", "selenium", "pyright")
"""Packages that the installed kit must not find, the editable kit above all, or does not need."""


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(build, cwd=root, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    return zipfile.ZipFile(file)


@pytest.fixture
def python(wheel, tmp_path) -> list[str]:
    """Return the command of a Python of its own, with the wheel and this environment's packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (site,) = (tmp_path / "env").glob("[lL]ib/**/site-packages")
    here = sysconfig.get_path("purelib")
    left_out = shutil.ignore_patterns(*LEFT_OUT)

    def ignore(folder: str, names: list[str]) -> set[str]:
        return left_out(folder, names) if folder == here else set()

    shutil.copytree(here, site, ignore=ignore, copy_function=_link, dirs_exist_ok=True)
    data = Path(sysconfig.get_path("data"), "share")  # nbconvert's templates
    shutil.copytree(data, tmp_path / "env" / "share", copy_function=_link, dirs_exist_ok=True)
    wheel.extractall(site)
    program = next(p for p in (tmp_path / "env").glob("[bS]*/python*") if p.stem == "python")
    for script in Path(sysconfig.get_path("scripts")).glob("alembic*"):  # nbgrader starts it
        _link(str(script), str(program.parent / script.name))
    alone = ["unshare", "-n"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"]).returncode:
        alone = []
    return [*alone, str(program)]


def _link(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def run(python: list[str], folder: Path, *arguments: str, path: str = "") -> tuple[int, str]:
    folder.mkdir(exist_ok=True)
    env = {**os.environ, **NO_NETWORK, "PYTHONPATH": path}
    command = [*python, "-P", *arguments]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.gate
def test_the_lessons_come_from_the_wheel(wheel, lessons, tmp_path):
    wheel.extractall(tmp_path / "site")
    path, mine = str(tmp_path / "site"), tmp_path / "mine"
    status, printed = run([sys.executable], mine, "-m", "autograder", "start", "-v", path=path)
    assert status == 0 and f"exercises: {len(lessons)} new lessons" in printed, printed
    assert "shipped" in printed  # not the checkout
    assert (mine / "exercises" / "README.md").is_file()


@pytest.mark.slow
def test_a_learner_solves_a_lesson_and_an_instructor_makes_a_course(python, lessons, tmp_path):
    tmp_path /= "mine"
    status, printed = run(python, tmp_path, "-m", "autograder", "start")
    assert status == 0, printed
    exercise = "exercises/02_static_branch.ipynb"
    status, printed = run(python, tmp_path, "-m", "pytest", "-q", exercise)
    assert status == 1 and "line 3: if power == 0:" in printed, printed
    notebook = nbformat.read(tmp_path / exercise, as_version=4)
    (cell,) = (c for c in notebook.cells if c["id"] == "static_branch-solution")
    cell["source"] = own_solution(lessons["static_branch"], "static_branch")
    nbformat.write(notebook, tmp_path / exercise)
    status, printed = run(python, tmp_path, "-m", "pytest", "-q", exercise)
    assert status == 0 and "3 passed" in printed and "9 of" in printed, printed
    status, printed = run(python, tmp_path, "-m", "autograder", "course", "mine")
    assert status == 0 and "Made mine with the assignments: puzzles, tracing" in printed, printed


@pytest.mark.slow
def test_a_class_is_graded_with_the_lessons_of_the_wheel(python, tmp_path):
    status, printed = run(python, tmp_path / "mine", "-m", "autograder", "demo")
    assert status == 0, printed
    assert "ada" in printed and "emre" in printed
