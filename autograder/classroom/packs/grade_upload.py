"""Grades one upload on Gradescope: `python -m autograder.classroom.packs.grade_upload ROOT`.

`run_autograder` calls it as root. The submission's code runs confined, or at least as another user;
see `autograder.sandbox.confinement`.
"""

from __future__ import annotations

import json
import sys
import traceback
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder.classroom.course_folder import ClassError
from autograder.classroom.gradescope import refusal, results
from autograder.classroom.marks import points_in
from autograder.classroom.outcome import Outcome, make_showable, reasons_to_review
from autograder.classroom.packs import messages
from autograder.classroom.packs.pack_file import LESSON_FOLDER, RELEASED_FILE, Pack, read_pack
from autograder.classroom.walls import accepted_protections, why_refused
from autograder.core.files import write_whole
from autograder.core.notebook import nbformat
from autograder.core.printable import one_line
from autograder.grading.pipeline import grade_submission, prepare
from autograder.grading.read import MAX_BYTES
from autograder.grading.store import grade_with_retry
from autograder.judge.client import shared_class_judge
from autograder.lessons.course import open_lessons, the_course
from autograder.sandbox import protection
from autograder.sandbox.confinement import MEANING

_STUDENT = "submission"
_MAX_NAMES = 5


class NothingToGrade(Exception):
    """The upload holds no notebook that can be graded; the message is for the student."""


def grade_upload(root: Path) -> dict[str, Any]:
    """Grade what a student has uploaded, and return results.json.

    Args:
        root: Gradescope's folder; it holds ``source`` and ``submission``.

    Raises:
        NothingToGrade: no notebook, or several.
        ClassError: only limits would confine the submission.
    """
    pack = read_pack(root / "source")
    strength = protection()
    if why_refused(strength, accepted_protections(limits_only=pack.limits_only)):
        raise ClassError(messages.LIMITS_REFUSED)
    notebook = find_notebook(root / "submission", pack)
    released = nbformat.read(root / "source" / RELEASED_FILE, as_version=4)
    with notebook.open("rb") as file:
        repaired = prepare(file.read(MAX_BYTES + 1), notebook.name, released)
    own = root / "source" / LESSON_FOLDER
    course = open_lessons(own) if own.is_dir() else the_course()
    rubric, judge = course.rubric(pack.lesson), shared_class_judge()
    graded = grade_with_retry(
        partial(grade_submission, repaired, notebook.name, rubric, judge, pack.key)
    )
    graded = replace(graded, confined_by=strength)
    review = tuple(reasons_to_review(graded.reports))
    outcome = Outcome(_STUDENT, graded, review, points=points_in(released))
    shown = make_showable(outcome)
    if shown.graded is None:
        raise ValueError(shown.why)
    return results(shown, visibility=pack.visibility, notes=repaired.notes)


def find_notebook(folder: Path, pack: Pack) -> Path:
    """Return the submitted notebook: the one with the lesson's name, or else the only one.

    Raises:
        NothingToGrade: there is none, or there are several.
    """
    found = sorted(path for path in folder.rglob("*.ipynb") if _is_submitted(path, folder))
    named = [path for path in found if path.name in (pack.notebook, f"{pack.lesson}.ipynb")]
    if len(named or found) == 1:
        return (named or found)[0]
    if not found:
        raise NothingToGrade(messages.NO_NOTEBOOK.format(name=pack.notebook))
    names = ", ".join(one_line(str(p.relative_to(folder))) for p in found[:_MAX_NAMES])
    text = messages.SEVERAL_NOTEBOOKS.format(name=pack.notebook, found=names)
    raise NothingToGrade(text)


def _is_submitted(path: Path, folder: Path) -> bool:
    """Whether this is a file of the student's: a link could lead to one of the grader's."""
    inside = path.resolve().is_relative_to(folder.resolve())
    return inside and path.is_file() and ".ipynb_checkpoints" not in path.parts


def main(root: Path) -> None:
    """Write results.json, whatever happens."""
    print(f"Sandbox: {MEANING[protection()]}.")
    try:
        found = grade_upload(root)
    except NothingToGrade as error:
        found = refusal(str(error), "visible")
    except Exception:  # of the kit: no submission is to blame
        traceback.print_exc()
        found = refusal(messages.NO_MARK, "hidden")
    text = json.dumps(found, indent=1, allow_nan=False)
    write_whole(root / "results" / "results.json", text + "\n")
    print(f"score: {found['score']}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
