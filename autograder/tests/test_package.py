"""What is packaged: the kit with its course, the same bytes each time; and what an import needs."""

import os
import re
import runpy
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

import autograder

SHIPPED = "autograder/lessons/shipped"


def build(source: Path, kind: str, out: Path) -> Path:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", out]
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
    subprocess.run(command, cwd=source, check=True, capture_output=True, env=env)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel(root, tmp_path_factory) -> Path:
    return build(root, "wheel", tmp_path_factory.mktemp("wheel"))


def test_wheel_holds_the_packages_the_course_and_the_licences(wheel, root):
    names = set(zipfile.ZipFile(wheel).namelist())
    tops = {name.split("/")[0] for name in names}
    assert tops == {"autograder", "plnkit", "plnkit-0.1.0.dist-info"}
    assert {"plnkit/LICENSE", "plnkit/oaks/LICENSE", "plnkit/oaks/counts.csv"} <= names
    assert "autograder/rubrics/static_branch.py" in names
    assert {"autograder/classroom/class_page.html", "autograder/render/card.html"} <= names
    for kind in ("exercises/*", "solutions/*.py", "autograder/tests/submissions/**/*.py"):
        files = [path.relative_to(root).as_posix() for path in root.glob(kind)]
        assert files and {f"{SHIPPED}/{name}" for name in files} <= names
    tests = [
        name for name in names if "/tests/" in name.removeprefix(f"{SHIPPED}/autograder/tests")
    ]
    assert not tests


@pytest.mark.slow
def test_wheel_is_the_same_each_time_and_from_the_sdist(wheel, root, tmp_path):
    assert build(root, "wheel", tmp_path / "again").read_bytes() == wheel.read_bytes()
    sdist = build(root, "sdist", tmp_path / "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    assert build(source, "wheel", tmp_path / "from-sdist").read_bytes() == wheel.read_bytes()


def test_the_page_lists_the_public_names(root):
    page = (root / "autograder/docs/rubric-authors.md").read_text(encoding="utf-8")
    table = page.partition("## Public names")[2]
    listed = {name.rpartition(".")[2] for name in re.findall(r"`([\w.]+)`", table)}
    assert listed >= set(autograder.__all__)


@pytest.mark.gate
@pytest.mark.parametrize("package", ["autograder", "autograder.learner.kernel", "plnkit"])
def test_imports_nothing_that_may_be_missing(package):
    absent = {"nbgrader", "torch", "pyPLNmodels", "IPython"}
    code = f"import sys, {package}; print(*{absent} & {{*sys.modules}})"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, ""), run.stderr


def test_the_table_of_versions_fits_the_kit_and_the_machines(root):
    table = (root / ".github" / "CONTRIBUTING.md").read_text().partition("## Versions")[2]
    rows = re.findall(r"^\| (3\.\d+) \| (\S+) \|.*\|$", table, re.MULTILINE)
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["requires-python"] == f">={rows[0][0]}"
    assert {python for python, _ in rows} == {"3.11", "3.12", "3.13", "3.14"}
    assert f"jax>={rows[0][1].removesuffix('.0')}" in project["dependencies"]
    machines = runpy.run_path(str(root / ".ci" / "machines.py"))
    assert rows[0][1] == machines["OLDEST_JAX"]
    settings = machines["cover"](machines["SETTINGS"])
    runs = re.findall(r"^\| (3\.\d+) \| (\S+) \|.*machines\.py run ([\d ]+)`", table, re.MULTILINE)
    named = {int(number): (python, jax) for python, jax, group in runs for number in group.split()}
    assert named == {
        i: (
            ".".join(row["python"].split(".")[:2]),
            "newest" if row["jax"] == "newest" else machines["OLDEST_JAX"],
        )
        for i, row in enumerate(settings)
    }
