"""A class of thirty, ten of them hostile or defective: everybody honest gets what is due."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest

from autograder.classroom.command import run
from autograder.classroom.demo import submit
from autograder.lessons.verification.submissions import find_submissions
from autograder.sandbox import Limits
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, gradebook_of

HONEST = 20

SIXTY_BUSY = """
import os
for _ in range(60):
    if os.fork() == 0:
        while True:
            pass
while True:
    pass
"""
FORGED = """
import json, os, struct, sys
frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
answers = frame.f_locals["answers"]
finding = {{"rule": "{text}", "severity": "error", "line": None, "message": "{text}", "code": ""}}
told = {{"refused": ["{text}", finding]}}
text = json.dumps({{"exercises": {{"static_branch": told}}, "blobs": []}}).encode()
answers.write(struct.pack(">I", len(text)) + text)
answers.flush()
os._exit(0)
"""
HOSTILE = {
    "busy1": SIXTY_BUSY,
    "busy2": SIXTY_BUSY,
    "memory": "import numpy as np\nkept = [np.ones(2**27) for _ in range(100)]",
    "endless": "while True:\n    pass",
    "ends": "import os\nos._exit(0)",
    "markup": FORGED.format(text="[/]"),
    "slashes": FORGED.format(text="/" * 50_000),
    "compiled": RIGHT.replace(
        "return jnp.log(counts + 1)",
        "return jax.lax.while_loop(lambda x: x[0] > -1e9, lambda x: x + 0, counts)",
    ),
}


def honest(course: Path, root: Path) -> None:
    given = find_submissions(root, ASSIGNMENT)
    sources = [one.source for one in given if one.kind == "right"]
    sources += [one.source for one in given if one.kind == "wrong"][: 10 - len(sources)]
    for number in range(HONEST):
        source = sources[number % len(sources)]
        submit(course, ASSIGNMENT, f"h{number:02}", f"{source}\n# {number}\n")


def hostile(course: Path) -> None:
    for student, source in HOSTILE.items():
        submit(course, ASSIGNMENT, student, source)
    submit(course, ASSIGNMENT, "cut", RIGHT).write_text("{")
    script = submit(course, ASSIGNMENT, "script", RIGHT)
    notebook = json.loads(script.read_text())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = "<script>alert(1)</script>"
    script.write_text(json.dumps(notebook))


def marks(course: Path) -> dict[str, float | None]:
    """Everybody's automatic mark of the check cell."""
    with gradebook_of(course) as gradebook:
        return {
            submission.student.id: next(
                g.auto_score for g in submission.notebooks[0].grades if g.name == ASSIGNMENT
            )
            for submission in gradebook.assignment_submissions(ASSIGNMENT)
        }


@pytest.mark.slow
def test_everybody_honest_gets_the_mark_of_a_class_without_neighbours(
    released, root, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr("autograder.sandbox.worker_answers.Limits", lambda: Limits(seconds=30))
    alone, course = tmp_path / "alone", tmp_path / "course"
    shutil.copytree(released, alone)
    honest(alone, root)
    (alone / ".autograder").mkdir(exist_ok=True)
    (alone / ".autograder" / "key.json").write_text('{"schema": 1, "key": 1234567}')
    shutil.copytree(alone, course)
    hostile(course)

    began = time.monotonic()
    run(alone, [ASSIGNMENT])
    seconds = time.monotonic() - began
    expected = marks(alone)
    assert len(expected) == HONEST and sum(mark == 9.0 for mark in expected.values()) >= 14

    began = time.monotonic()
    run(course, [ASSIGNMENT])
    found = marks(course)
    with capsys.disabled():
        print(f"\n20 honest: {seconds:.0f} s; with 10 others: {time.monotonic() - began:.0f} s")
    assert {student: found[student] for student in expected} == expected
    assert not any(found[student] for student in HOSTILE)
    assert found["script"] == 9.0
