"""What a student wrote runs nowhere: not in what grading leaves, and not in the feedback page."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.classroom.command import run
from autograder.classroom.demo import submit
from autograder.grading.texts import NOTHING
from autograder.tests.grading.test_harmless import ACTIVE, HOSTILE_PICTURES
from autograder.tests.helpers.active_html import active_parts
from autograder.tests.helpers.courses import ASSIGNMENT, RIGHT, nbgrader

PICTURE = {"image/png": base64.b64encode(b"a figure that was pasted").decode()}
SVG = {"image/svg+xml": base64.b64encode(b"<svg onload=alert(1)>").decode()}
SMALL = {
    name.replace(" ", "-"): data
    for name, data in HOSTILE_PICTURES.items()
    if len(json.dumps(data)) < 1000
}
ANSWER = "The friend's, because `a<b>c` and $x<y$."


def hand_in_active(course: Path) -> None:
    """A submission with something active wherever a notebook has room for it, and an honest one."""
    path = submit(course, ASSIGNMENT, "mallory", RIGHT)
    node = json.loads(path.read_text())
    node["metadata"] |= {
        "title": "</title><script>alert(1)</script>",
        "authors": [{"name": "<script>alert(1)</script>"}],
        "language_info": {"name": "python", "pygments_lexer": '"><script>alert(1)</script>'},
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": "<script>"}},
    }
    for cell in node["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = outputs()
            cell["execution_count"] = 3
        cell["metadata"]["tags"] = ['"><script>alert(1)</script>']
    answer = answer_of(node)
    answer["source"] = "\n\n".join(s for s in ACTIVE.values() if len(s) < 500)
    more = [
        *({"cell_type": "markdown", "source": source} for source in ACTIVE.values()),
        *({"cell_type": "raw", "source": source} for source in ACTIVE.values()),
        {"cell_type": "heading", "level": 1, "source": ACTIVE["handler"]},
        {
            "cell_type": "markdown",
            "source": "".join(f"![a](attachment:{name})" for name in SMALL),
            "attachments": SMALL,
        },
        {"cell_type": "code", "source": "'</pre><script>alert(1)</script>'", "outputs": outputs()},
    ]
    kept = ('"><script>alert(1)</script>', "cell<script>")
    for i, cell in enumerate(more):
        raw = {"format": "text/html", "raw_mimetype": "text/html"}
        metadata = raw if cell["cell_type"] == "raw" else {}
        node["cells"].append({"id": f"{kept[i % 2]}{i}", "metadata": metadata, **cell})
    path.write_text(json.dumps(node))

    path = submit(course, ASSIGNMENT, "ada", RIGHT)
    node = nbformat.read(path, as_version=4)
    answer = answer_of(node)
    answer["source"] = f"{ANSWER}\n\n![mine](attachment:image.png) ![drawn](attachment:drawn.svg)"
    answer["attachments"] = {"image.png": PICTURE, "drawn.svg": SVG}
    nbformat.write(node, path)


def answer_of(node: Any) -> Any:
    """The cell with the answer that a person marks."""
    marks = [(c["cell_type"], c["metadata"].get("nbgrader", {}), c) for c in node["cells"]]
    return next(c for kind, mark, c in marks if kind == "markdown" and mark.get("solution"))


def outputs() -> list[dict]:
    active = {
        "text/html": "<script>alert(1)</script>",
        "image/svg+xml": "<svg onload='alert(1)'></svg>",
        "application/javascript": "alert(1)",
        "text/markdown": "<script>alert(1)</script>",
        "text/latex": "$\\href{javascript:alert(1)}{x}$",
    }
    return [
        {"output_type": "display_data", "metadata": {}, "data": {k: v}} for k, v in active.items()
    ]


def page(course: Path, student: str) -> str:
    return (course / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["autograder grade", "nbgrader autograde"])
def test_nothing_of_a_students_acts_in_feedback(course, by):
    hand_in_active(course)
    if by == "autograder grade":
        run(course, [ASSIGNMENT])
    else:
        done = nbgrader(course, "autograde", ASSIGNMENT)
        assert done.returncode == 0, done.stderr
    done = nbgrader(course, "generate_feedback", ASSIGNMENT)
    assert done.returncode == 0, done.stderr

    pages = {student: page(course, student) for student in ("ada", "mallory")}
    templates_own = Counter(active_parts(pages["ada"]))
    assert not Counter(active_parts(pages["mallory"])) - templates_own
    assert "alert(1)" in pages["mallory"]  # to be read, as text

    ada = pages["ada"]
    assert "<code>a&lt;b&gt;c</code> and $x&lt;y$" in ada
    assert f"data:image/png;base64,{PICTURE['image/png']}" in ada
    assert f"data:image/png;base64,{NOTHING['image/png']}" in ada  # the drawing's
    assert "The image <code>drawn.svg</code> in a text was left out" in ada

    graded = course / "autograded" / "mallory" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    node = nbformat.read(graded, as_version=4)
    assert set(node["metadata"]) <= {"autograder", "kernelspec", "language_info"}
    assert {c["cell_type"] for c in node["cells"]} == {"code", "markdown"}
    for cell in node["cells"]:
        assert "<" not in cell["id"]
        assert "script" not in json.dumps(cell["metadata"])
        if cell["cell_type"] == "code" and not cell["metadata"].get("nbgrader", {}).get("grade"):
            assert cell["outputs"] == []
