"""The workflows for the real systems: valid, and naming only files that are there."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from plnkit.tests.needs import reason_without

ROOT = Path(__file__).resolve().parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_there_are_workflows():
    assert [path.stem for path in WORKFLOWS] == ["nightly", "release", "site", "tests"]


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("check_jsonschema") is None, reason=reason_without("check_jsonschema", "dev")
)
def test_the_schema():
    """The schema comes with the package, so this needs no network."""
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema"]
    command += ["vendor.github-workflows", *map(str, WORKFLOWS)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_is_named_is_there(path):
    text = path.read_text(encoding="utf-8")
    workflow = yaml.safe_load(text)
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 90 if "timeout-minutes" in job else "environment" in job
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
        assert set(job.get("needs", "").split()) <= set(workflow["jobs"])
    for name in re.findall(r"(?:autograder/tests|plnkit/tests|\.ci)/?\w*", text):
        assert (ROOT / name).exists(), name


def test_all_systems_and_pythons():
    matrix = yaml.safe_load(WORKFLOWS[-1].read_text(encoding="utf-8"))["jobs"]["learner"]
    matrix = matrix["strategy"]["matrix"]
    assert {name.partition("-")[0] for name in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
