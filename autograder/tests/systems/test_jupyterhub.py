"""The settings of `.github/jupyterhub`: one course, one account, one exchange, and real options.

`.ci/jupyterhub` runs a real JupyterHub with them; the image was not built (see the README there).
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from nbgrader.apps import NbGraderApp
from nbgrader.exchange.default import Exchange
from traitlets.config.loader import Config, PyFileConfigLoader

from autograder.classroom.course_folder import make_course
from autograder.lessons.course import Course
from autograder.tests.helpers.courses import nbgrader
from plnkit.tests.needs import need

FOLDER = Path(__file__).resolve().parents[3] / ".github" / "jupyterhub"
DOCKERFILE = re.sub(r"\\\n\s*", "", re.sub(r"(?m)^#.*\n", "", (FOLDER / "Dockerfile").read_text()))
STEPS = [line.split(" ", 1) for line in DOCKERFILE.splitlines() if line]
COURSE, GRADER = "jit", "grader-jit"
EXCHANGE, COURSE_FOLDER = "/srv/nbgrader/exchange", "/home/grader-jit/jit"


def load(name: str) -> Config:
    path = FOLDER / name
    return PyFileConfigLoader(path.name, str(path.parent)).load_config()


def copied() -> dict[str, str]:
    """Return where the image's files go, by name in the folder."""
    steps = [rest.split() for kind, rest in STEPS if kind == "COPY"]
    pairs = [[word for word in step if not word.startswith("--")] for step in steps]
    return {source: target for *sources, target in pairs for source in sources}


def test_each_file_has_its_place():
    assert copied() == {
        "jupyterhub_config.py": "/etc/jupyterhub/",
        "grade_submissions": "/etc/jupyterhub/",
        "everybody/": "/usr/local/etc/jupyter/",  # before it, Jupyter looks into a home only
        "grader/": f"/home/{GRADER}/.jupyter/",
    }
    there = {path.name + "/" * path.is_dir() for path in FOLDER.iterdir()}
    assert there == {*copied(), "Dockerfile", "README.md"}
    (command,) = (rest for kind, rest in STEPS if kind == "CMD")
    assert command.endswith("exec jupyterhub -f /etc/jupyterhub/jupyterhub_config.py")
    ran = " ".join(rest for kind, rest in STEPS if kind == "RUN")
    assert f"-m 1777 {EXCHANGE}" in ran and f"useradd --create-home --uid 2000 {GRADER}" in ran
    (volumes,) = (ast.literal_eval(rest) for kind, rest in STEPS if kind == "VOLUME")
    readme = (FOLDER / "README.md").read_text()
    assert all(f":{volume} " in readme.replace("\\\n", " ") for volume in volumes)


def test_the_hub_serves_the_course_of_nbgraders_settings():
    hub = load("jupyterhub_config.py")
    service, grading = hub.JupyterHub.services
    (role,) = hub.JupyterHub.load_roles
    assert load("everybody/nbgrader_config.py").CourseDirectory.course_id == COURSE
    assert load("everybody/nbgrader_config.py").Exchange.root == EXCHANGE
    assert load("grader/nbgrader_config.py").CourseDirectory.root == COURSE_FOLDER
    assert service["name"] == COURSE  # nbgrader finds the course by the service's name
    assert (service["user"], service["cwd"]) == (GRADER, f"/home/{GRADER}")
    assert grading["command"] == ["/etc/jupyterhub/grade_submissions", COURSE]
    assert (grading["user"], grading["cwd"]) == (GRADER, f"/home/{GRADER}")
    script = FOLDER / "grade_submissions"
    assert f"inbound={EXCHANGE}/$1/inbound" in script.read_text() and os.access(script, os.X_OK)
    assert list(hub.JupyterHub.load_groups) == role["groups"] == [f"formgrade-{COURSE}"]
    assert f"access:services!service={COURSE}" in role["scopes"]
    state = [hub.JupyterHub.db_url.removeprefix("sqlite:///"), hub.JupyterHub.cookie_secret_file]
    assert {os.path.dirname(path) for path in state} == {"/srv/jupyterhub"}


def known_options(config: Config, classes: Iterable[Any]) -> None:
    known = {(one.__name__, trait) for one in classes for trait in one.class_trait_names()}
    set_here = {(section, option) for section in config for option in config[section]}
    assert set_here and set_here <= known


def test_nbgrader_and_jupyter_have_these_options():
    from jupyter_server.serverapp import ServerApp

    classes = [*NbGraderApp().all_configurable_classes(), Exchange]
    for folder in ("everybody", "grader"):
        known_options(load(f"{folder}/nbgrader_config.py"), classes)
        server = load(f"{folder}/jupyter_server_config.py")
        known_options(server, [ServerApp])
        assert all(find_spec(name) for name in server.ServerApp.jpserver_extensions)
        page = json.loads((FOLDER / folder / "labconfig" / "page_config.json").read_text())
        assert page["disabledExtensions"].keys() <= lab_plugins()


def lab_plugins() -> set[str]:
    """Return the names of nbgrader's plug-ins of JupyterLab, from its built files."""
    from jupyter_core.paths import jupyter_path

    found = [Path(one) / "@jupyter" / "nbgrader" for one in jupyter_path("labextensions")]
    built = [file.read_text() for one in found for file in one.glob("static/*.js")]
    return set(re.findall(r"@jupyter/nbgrader:[a-z-]+", " ".join(built)))


@pytest.mark.slow
def test_jupyterhub_has_these_options():
    need("jupyterhub", "dev")
    from jupyterhub.app import JupyterHub as hub  # pyright: ignore[reportMissingImports]

    known_options(load("jupyterhub_config.py"), [*hub().classes, hub])


@pytest.mark.slow
def test_an_assignment_goes_to_a_student_and_back(root, tmp_path, monkeypatch):
    """With the folder's settings, at other places and as one user."""
    text = {EXCHANGE: tmp_path / "exchange", COURSE_FOLDER: tmp_path / COURSE}
    for kind in ("everybody", "grader"):
        shutil.copytree(FOLDER / kind, tmp_path / kind)
        config = tmp_path / kind / "nbgrader_config.py"
        for place, here in text.items():
            config.write_text(config.read_text().replace(place, str(here)))
    text[EXCHANGE].mkdir(mode=0o777)
    make_course(text[COURSE_FOLDER], Course(root))
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(tmp_path / "everybody"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for who, command in (
        *(("grader", "generate_assignment"), ("grader", "release_assignment")),
        *(("student", "fetch_assignment"), ("student", "submit"), ("grader", "collect")),
    ):
        monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / who))
        (tmp_path / f"{who}-home").mkdir(exist_ok=True)
        done = nbgrader(tmp_path / f"{who}-home", command, "static_branch")
        assert done.returncode == 0, done.stdout + done.stderr
    collected = list(text[COURSE_FOLDER].glob("submitted/*/static_branch/static_branch.ipynb"))
    assert len(collected) == 1
    assert "### BEGIN" not in collected[0].read_text()  # the course's own settings took part


@pytest.mark.slow
def test_commands_of_the_page_exist():
    readme = (FOLDER / "README.md").read_text()
    commands = re.findall(r"hub autograder (\w+)((?: --[\w-]+)*)", readme)
    assert {name for name, _ in commands} == {"course", "doctor", "grade"}
    for name in ("course", "grade", "doctor"):
        run = [sys.executable, "-m", "autograder", name, "--help"]
        words = subprocess.run(run, capture_output=True, text=True, check=True).stdout
        for option in re.findall(rf"hub autograder {name} [^`\n]*?(--[\w-]+)", readme):
            assert option in words
    for link in re.findall(r"\]\((\.\.[^)#]+)", readme):
        assert (FOLDER / link).exists(), link
