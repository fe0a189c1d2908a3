"""Another package that is called autograder, installed before or after the kit, then removed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[2]
OTHER_INIT = '"""Grades programs."""\nclass Grader: ...\n'


def install(site: Path, name: str, files: dict[str, str]) -> None:
    """Do what pip does with a wheel: write its files over what is there, and its record."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    files = {
        **files,
        f"{info.name}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n",
        f"{info.name}/entry_points.txt": "[console_scripts]\nautograder = autograder.main:main\n",
    }
    for path, text in files.items():
        (site / path).parent.mkdir(parents=True, exist_ok=True)
        (site / path).write_text(text)
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files))


@pytest.fixture
def site(tmp_path) -> Path:
    """A site folder with a copy of the kit."""
    for package in ("plnkit", "autograder"):
        ignored = shutil.ignore_patterns("tests", "benchmarks", "__pycache__")
        shutil.copytree(KIT / package, tmp_path / "site" / package, ignore=ignored)
    return tmp_path / "site"


def run(site: Path, code: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "400"}
    command = [sys.executable, "-P", "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True, cwd=site.parent)
    return " ".join((done.stdout + done.stderr).split())


DOCTOR = "from plnkit.cli import app; app(['doctor'])"


@pytest.mark.slow
def test_nothing_else_is_called_autograder(site):
    assert "Nothing else here is called `autograder`." in run(site, DOCTOR)
    assert run(site, "import plnkit, autograder; print(hasattr(autograder, 'Grader'))") == "False"


@pytest.mark.slow
def test_it_overwrote_the_kits_module(site):
    install(site, "other-grader", {"autograder/__init__.py": OTHER_INIT})
    printed = run(site, "import plnkit; from autograder import check")
    assert "The kit's module `autograder` was overwritten" in printed
    assert "pip uninstall -y other-grader && pip install --force-reinstall" in printed
    assert "command `autograder`: other-grader." in run(site, DOCTOR)


@pytest.mark.slow
def test_the_kit_overwrote_it(site):
    ours = (site / "autograder" / "__init__.py").read_text()
    install(site, "other-grader", {"autograder/__init__.py": ours, "autograder/main.py": ""})
    assert run(site, "import plnkit; from autograder import check") == ""
    printed = run(site, "from autograder import Grader")
    assert "ImportError: the kit's `autograder` has no 'Grader'. Another package" in printed
    assert "pip uninstall -y other-grader" in run(site, DOCTOR)
    printed = run(site, "from autograder.learner.doctor import *; print(check_installation())")
    assert "state='broken'" in printed and "other-grader" in printed


@pytest.mark.slow
def test_it_was_removed_with_files_of_the_kit(site):
    (site / "autograder" / "__init__.py").unlink()
    printed = run(site, "import plnkit")
    assert "was overwritten by another package's, or removed with it" in printed
    assert "pip install --force-reinstall --no-deps plnkit" in printed


@pytest.mark.slow
def test_a_file_of_ones_own_hides_it(site, tmp_path):
    (tmp_path / "first").mkdir()
    (tmp_path / "first" / "autograder.py").write_text("")
    printed = run(site, f"import sys; sys.path.insert(0, {str(tmp_path / 'first')!r}); {DOCTOR}")
    assert "`import autograder` finds" in printed and "autograder.py" in printed
    assert "uninstall" not in printed
