"""The contributors' page lists the files that a real call goes through; here the calls are made."""

import json
import re
import subprocess
import sys

import pytest

from autograder.classroom.command import run
from autograder.classroom.demo import submit
from autograder.sandbox.zygote_client import shared_zygotes
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, all_graded
from autograder.tests.helpers.following import following

SUBMISSION = """
import jax
import jax.numpy as jnp
from autograder import check

@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

score = check("static_branch")
"""

FOLLOW_CHECK = """
import json, sys, types
from autograder.tests.helpers.following import following

def run():
    module = types.ModuleType("submission")
    module.__file__ = sys.argv[1]
    sys.modules["submission"] = module
    exec(compile(open(sys.argv[1]).read(), sys.argv[1], "exec", dont_inherit=True), vars(module))
    return module.score.report.mark()

run()  # what starts once is no part of a check
with following() as followed:
    mark = run()
print(json.dumps([mark, sorted(followed.files), sorted(followed.climbs)]))
"""


def listed(root, heading):
    """The files that the contributors' page lists under a heading."""
    page = (root / "autograder" / "docs" / "contributors.md").read_text(encoding="utf-8")
    section = page.split(f"### {heading}\n")[1].split("\n#")[0]
    return re.findall(r"^- `([\w/.]+)`", section, flags=re.MULTILINE)


@pytest.mark.slow
def test_a_check_goes_through_few_files(root, tmp_path):
    file = tmp_path / "submission.py"
    file.write_text(SUBMISSION, encoding="utf-8")
    command = [sys.executable, "-c", FOLLOW_CHECK, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=root)
    mark, files, climbs = json.loads(done.stdout.splitlines()[-1])
    assert mark == "9 / 9"
    assert files == sorted(listed(root, "What `check` goes through"))
    assert len(files) <= 20
    assert len(climbs) <= 2, climbs


@pytest.mark.slow
def test_grading_goes_through_the_files_that_are_listed(root, course):
    submit(course, ASSIGNMENT, "ada", RIGHT)
    assert run(course, [ASSIGNMENT], limits_only=True) == all_graded()
    shared_zygotes().launch()  # what is done once
    submit(course, ASSIGNMENT, "bob", f"{RIGHT}\n# by bob")
    first = "classroom/assignment.py: Assignment.task"
    last = "classroom/gradebook.py: Recorder.record"
    with following(first, last) as followed:
        status = run(course, [ASSIGNMENT], ["bob"], limits_only=True)
    assert status == all_graded()
    assert sorted(followed.files) == sorted(listed(root, "What `autograder grade` goes through"))
    assert len(followed.files) <= 28
    assert len(followed.climbs) <= 3, followed.climbs
