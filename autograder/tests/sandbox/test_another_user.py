"""Where namespaces are refused, root gives submissions a user of their own."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from autograder.sandbox import another_user
from autograder.sandbox.confinement import MEANING, Protection

TRY = """
import json, os, pathlib, sys
from autograder.model.notebook import Cell
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.sandbox import NOT_READ, Attempt, Processes, protection
assert protection() is protection().USER, protection()
cell = Cell("solution", pathlib.Path(sys.argv[1]).read_text(), "solution")
drawn = load_rubric("static_reshape").draw("static_reshape", PUBLIC_KEY)
attempt = Attempt((cell,), (drawn.name,), NOT_READ)
seen = Processes().observe(attempt, {drawn: []})
print(seen["static_reshape"].refused[1].message)
"""
CELL = """
import json, os
def attempt(do):
    try:
        return repr(do())[:40]
    except BaseException as error:
        return type(error).__name__
raise ValueError("<" + json.dumps({
    "user": os.getuid(),
    "groups": os.getgroups(),
    "own file": attempt(lambda: open("mine", "w").write("x")),
    "secret": attempt(lambda: open("SECRET").read()),
    "folder": attempt(lambda: os.listdir(os.path.dirname("SECRET"))),
    "keeper": attempt(lambda: os.kill(os.getppid(), 9)),
    "environment": attempt(lambda: open(f"/proc/{os.getppid()}/environ").read()),
    "root again": attempt(lambda: os.setuid(0)),
}).replace('"', "") + ">")
"""


def python_for_all(folder: Path) -> Path:
    """Make a Python that any user can start; pytest's own folders are closed to others."""
    version = f"python3.{sys.version_info.minor}"
    for found in (
        str(Path(sys.base_prefix, "bin", version)),
        f"/usr/bin/{version}",
        f"/usr/local/bin/{version}",
    ):
        real = Path(found).resolve()
        try:
            done = subprocess.run([real, "-c", "pass"], user=65534, group=65534, extra_groups=[])
        except OSError:
            continue
        if done.returncode == 0:
            break
    else:
        pytest.skip("no Python of this version that other users may start")
    subprocess.run([real, "-m", "venv", "--without-pip", folder / "env"], check=True)
    (site,) = (folder / "env").glob("lib/*/site-packages")
    paths = [str(Path(another_user.__file__).parents[2]), *filter(None, sys.path)]
    (site / "kit.pth").write_text(
        "\n".join(p for p in paths if "site-packages" in p or p == paths[0])
    )
    python = folder / "env" / "bin" / "python"
    command = [python, "-P", "-c", "import autograder"]
    if subprocess.run(command, user=65534, group=65534, extra_groups=[], cwd="/").returncode:
        pytest.skip("the kit lies in a folder that other users may not read")
    return python


@pytest.fixture
def open_folder():
    """A folder that all users may read."""
    with tempfile.TemporaryDirectory(prefix="open-") as folder:
        os.chmod(folder, 0o755)
        yield Path(folder)


def run_without_namespaces(python: Path, folder: Path, *arguments: str | Path) -> str:
    """Run Python where bubblewrap is installed and fails, as in containers."""
    (folder / "bin").mkdir(exist_ok=True)
    bwrap = folder / "bin" / "bwrap"
    bwrap.write_text("#!/bin/sh\nexit 1\n")
    bwrap.chmod(0o755)
    path = f"{bwrap.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([python, "-P", *arguments], env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs root")
def test_a_submission_is_another_user(open_folder):
    secret = open_folder / "closed" / "key"
    secret.parent.mkdir(mode=0o700)
    secret.write_text("17")
    cell = open_folder / "cell.py"
    cell.write_text(CELL.replace("SECRET", str(secret)))
    found = run_without_namespaces(python_for_all(open_folder), open_folder, "-c", TRY, cell)
    values = dict(
        part.split(": ") for part in found.partition("<{")[2].partition("}>")[0].split(", ")
    )
    assert 61184 <= int(values.pop("user")) < 65520
    assert values.pop("own file") == "1" and values.pop("groups") == "[]"
    assert set(values.values()) == {"PermissionError"}, values


def test_an_ordinary_user_cannot_change(monkeypatch):
    another_user.works_here.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert not another_user.works_here()
    another_user.works_here.cache_clear()
    assert "it has a network" in MEANING[Protection.USER]
