"""What only an extra installs: one sentence with the command where it is missing."""

import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import numpy as np
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from typer.testing import CliRunner

import autograder.cli
import plnkit
import plnkit.cli
from autograder.classroom.cluster import open_cluster
from autograder.tests.helpers.core_only import core_packages, hide_extras
from plnkit.extras import EXTRA_OF, MissingExtraError
from plnkit.tests.needs import reason_without


def hide(monkeypatch, module):
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)


@pytest.mark.gate
@pytest.mark.parametrize("module", sorted(EXTRA_OF))
def test_the_extra_that_is_named_installs_the_module(module):
    packages = {canonicalize_name(p) for p in metadata.packages_distributions().get(module, ())}
    if not packages:
        pytest.skip(reason_without(module))
    assert packages & core_packages(EXTRA_OF[module])
    assert not packages & core_packages()


def brought_by(root: Path, extra: str) -> set[str]:
    """Return what `pyproject.toml` lists under an extra, and under those that it names."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found, waiting = set(), [extra]
    while waiting:
        for one in map(Requirement, project["optional-dependencies"][waiting.pop()]):
            found.add(one.name)
            waiting += one.extras if one.name == "plnkit" else ()
    return found - {"plnkit"}


def test_the_readmes_commands_install_what_they_use(root):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"-c \.constraints\.txt -e '\.\[(\w+)\]'", text) == ["instructor", "test"]
    tests = brought_by(root, "test")
    assert {"nbgrader", "hypothesis", "pytest-xdist"} <= tests
    assert not {"torch", "pyPLNmodels", "pyright", "ruff", "selenium"} & tests
    assert tests | brought_by(root, "all") < brought_by(root, "dev")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("app", "arguments", "module", "extra"),
    [
        (autograder.cli.app, ["demo"], "nbgrader", "instructor"),
        (autograder.cli.app, ["verify", "tracing"], "nbclient", "instructor"),
        (plnkit.cli.app, ["fit", "counts.csv", "--out", "x"], "pandas", "notebook"),
        (plnkit.cli.app, ["bench", "--peers"], "pyPLNmodels", "peers"),
    ],
)
def test_a_command_says_which_extra_it_needs(monkeypatch, tmp_path, app, arguments, module, extra):
    monkeypatch.chdir(tmp_path)
    hide(monkeypatch, module)
    # Modules of the kit that have imported it already would hide that it is missing.
    for name in ("kernel_runs", "items", "verify"):
        module_of_kit = f"autograder.lessons.verification.{name}"
        monkeypatch.delitem(sys.modules, module_of_kit, raising=False)
    (tmp_path / "counts.csv").write_text("a,b\n1,2\n3,4\n")
    done = CliRunner().invoke(app, arguments)
    printed = done.stdout + done.stderr
    assert f"{module} is not installed: pip install 'plnkit[{extra}]'" in printed, done.exception
    assert done.exit_code in (1, 2) and "Traceback" not in printed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attribute", "module"), [("coefficients", "pandas"), ("plot", "matplotlib")]
)
def test_a_fit_says_which_extra_its_tables_and_plots_need(monkeypatch, attribute, module):
    fit = plnkit.fit(np.arange(60).reshape(20, 3) % 7 + 1)
    hide(monkeypatch, module)
    monkeypatch.delitem(sys.modules, "plnkit.plots.notebook_figure", raising=False)
    with pytest.raises(MissingExtraError, match=r"pip install 'plnkit\[notebook\]'"):
        found = getattr(fit, attribute)
        found()


def test_a_cluster_needs_an_extra(monkeypatch):
    hide(monkeypatch, "distributed")
    with pytest.raises(ModuleNotFoundError) as error, open_cluster("tls://127.0.0.1:1", print):
        pass
    printed = autograder.cli._sentence(error.value)
    assert printed == "distributed is not installed: pip install 'plnkit[cluster]'"


LEARNER = """
import sys
from pathlib import Path
from typer.testing import CliRunner
from autograder.cli import app
from autograder.lessons.course import find_course

def run(*arguments):
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output

run("start")
assert "Lesson 0, puzzles" in run("next")
assert "hint 1 of 3" in run("hint", "static_branch")
assert "static_argnames" in run("solution", "static_branch", "--spoil")
assert "starter already" in run("reset", "static_branch")
core = [lesson for lesson in find_course().lessons() if not lesson.rubric.track]
assert f"of {len(core)} lessons" in run("progress")
assert "peers" in run("doctor")
run("course", "course")
"""


@pytest.mark.slow
def test_a_learner_needs_no_extra(tmp_path):
    env = hide_extras(tmp_path)
    code = [sys.executable, "-c", LEARNER]
    done = subprocess.run(code, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    items = [sys.executable, "-m", "pytest", "-q", "exercises/02_static_branch.ipynb"]
    done = subprocess.run(items, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "line 3: if power == 0:" in done.stdout, done.stdout
