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

from autograder.classroom.course_config import ClassError
from autograder.classroom.course_grader import accepted_protections, why_refused
from autograder.classroom.gradescope import refusal, results
from autograder.classroom.handed_in import walk_files
from autograder.classroom.marks import Outcome, make_showable, points_in, reasons_to_review
from autograder.classroom.packs import messages
from autograder.classroom.packs.gradescope_pack import LESSON_FOLDER, RELEASED_FILE, Pack, read_pack
from autograder.classroom.which_notebook import Choice, choose_notebook, join_names
from autograder.grading.pipeline import grade_submission, grade_with_retry, prepare
from autograder.judge.client import shared_class_judge
from autograder.lessons.course import open_lessons, the_course
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.terms import Terms
from autograder.processes.files import write_whole
from autograder.sandbox import protection
from autograder.sandbox.confinement import MEANING

_STUDENT = "submission"


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
    released = nbformat.read(root / "source" / RELEASED_FILE, as_version=4)
    choice = find_notebook(root / "submission", pack, released)
    repaired = prepare(choice.raw, choice.name, released, folder=choice.path and choice.path.parent)
    own = root / "source" / LESSON_FOLDER
    course = open_lessons(own) if own.is_dir() else the_course()
    terms = Terms(course.rubric(pack.lesson), shared_class_judge(), pack.key)
    graded = grade_with_retry(partial(grade_submission, repaired, choice.name, terms))
    graded = replace(graded, confined_by=str(strength))
    review = (*choice.review, *reasons_to_review(graded.reports))
    outcome = Outcome(_STUDENT, graded, review, points=points_in(released))
    shown = make_showable(outcome)
    if shown.graded is None:
        raise ValueError(shown.why)
    return results(shown, visibility=pack.visibility, notes=(*choice.notes, *repaired.notes))


def find_notebook(folder: Path, pack: Pack, released: NotebookNode) -> Choice:
    """Return the submitted notebook: the one that holds work, wherever it lies.

    Raises:
        NothingToGrade: there is none, or several hold different work.
    """
    files = {name: path for name, path, is_file in walk_files(folder) if is_file}
    names = {pack.notebook, f"{pack.lesson}.ipynb"}
    named = [name for name in files if Path(name).name in names]
    expected = min(named, key=lambda name: (name.count("/"), name), default=pack.notebook)
    choice = choose_notebook(files, expected, pack.lesson, [released])
    if choice.path is None:
        found = join_names(choice.in_doubt)
        text = messages.SEVERAL_NOTEBOOKS if found else messages.NO_NOTEBOOK
        raise NothingToGrade(text.format(name=pack.notebook, found=found))
    return choice


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
