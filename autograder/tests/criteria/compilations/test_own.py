"""Which files are a project's own: in an src layout, installed, in a notebook, in a docstring."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import jax
import numpy as np
import pytest

from autograder import compiles
from autograder.criteria.compilations.limit import ProjectFiles, own_packages
from autograder.model import student_code

PACKAGE = "import jax\n\n@jax.jit\ndef step(x):\n    return 2 * x\n"
PROJECT = '[project]\nname = "my-model"\nversion = "1"\n'


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages, with the distributions `my-model` and `other`."""
    site = tmp_path / "site-packages"
    for name, package in (("my_model", "mymodel"), ("other", "other")):
        (site / package).mkdir(parents=True)
        (site / package / "__init__.py").write_text(PACKAGE)
        info = site / f"{name}-1.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
        (info / "RECORD").write_text(f"{package}/__init__.py,,\n{name}-1.dist-info/METADATA,,\n")
    monkeypatch.syspath_prepend(site)
    folders = (str(site) + "/", *student_code._folders())
    monkeypatch.setattr(student_code, "_folders", lambda: folders)
    for cached in (student_code.installed_in, own_packages):
        cached.cache_clear()
    yield site
    for name in ("mymodel", "other"):
        sys.modules.pop(name, None)
    for cached in (student_code.installed_in, own_packages):
        cached.cache_clear()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project `my-model` with an src layout; returns its file of tests."""
    folder = tmp_path / "project"
    (folder / "src" / "mymodel").mkdir(parents=True)
    (folder / "src" / "mymodel" / "__init__.py").write_text(PACKAGE)
    (folder / "tests").mkdir()
    (folder / "pyproject.toml").write_text(PROJECT)
    test = folder / "tests" / "test_step.py"
    test.write_text("")
    return test


def test_an_src_layout_and_an_editable_install(project: Path) -> None:
    files = ProjectFiles(near=str(project))
    assert str(project) in files
    assert str(project.parents[1] / "src" / "mymodel" / "__init__.py") in files


def test_the_projects_own_distribution_counts_where_it_is_installed(
    installed: Path, project: Path
) -> None:
    files = ProjectFiles(near=str(project))
    assert str(installed / "mymodel" / "__init__.py") in files
    assert str(installed / "other" / "__init__.py") not in files
    assert str(jax.__file__) not in files


@pytest.mark.parametrize("text", ["", "[tool.x]\n", '[project]\nname = "absent"\n', "no toml"])
def test_a_project_that_names_no_installed_distribution(
    installed: Path, project: Path, text: str
) -> None:
    (project.parents[1] / "pyproject.toml").write_text(text)
    assert str(installed / "mymodel" / "__init__.py") not in ProjectFiles(near=str(project))


def test_tests_inside_of_an_installed_package(installed: Path) -> None:
    files = ProjectFiles(near=str(installed / "other" / "__init__.py"))
    assert str(installed / "other" / "__init__.py") in files
    assert str(installed / "mymodel" / "__init__.py") not in files


def test_a_notebooks_project_is_that_of_the_current_folder(
    installed: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    files = ProjectFiles(near="/tmp/ipykernel_7/123.py")
    assert "/tmp/ipykernel_7/123.py" in files
    assert str(installed / "mymodel" / "__init__.py") in files


@pytest.mark.parametrize(
    ("file", "is_own"),
    [
        ("<ipython-input-3-0a1b>", True),
        ("<stdin>", True),
        ("<python-input-0>", True),
        ("<doctest model.step[1]>", True),
        ("<string>", False),
        ("<frozen importlib._bootstrap>", False),
        (str(Path(sysconfig.get_path("stdlib"), "functools.py")), False),
        (np.__file__, False),
    ],
)
def test_files_that_are_none_and_those_of_libraries(file: str, is_own: bool) -> None:
    assert (file in ProjectFiles(near=__file__)) == is_own


def test_programs_of_the_installed_distribution_are_counted(installed: Path, project: Path) -> None:
    namespace: dict = {"compiles": compiles, "np": np}
    code = (
        "import mymodel, other\n"
        "with compiles(at_most=9) as programs:\n"
        "    mymodel.step(np.ones(3))\n    other.step(np.ones(3))\n"
    )
    exec(compile(code, str(project), "exec"), namespace)
    (program,) = namespace["programs"]
    assert (program.name, program.file, program.line) == ("step", str(project), 3)
    assert program.seconds > 0
