"""The folder a learner works in, and the lesson notebooks in it.

The pytest plug-in imports this module in every project of the environment, so it stays light.
"""

from __future__ import annotations

import difflib
import json
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.learner import sentences

if TYPE_CHECKING:
    from autograder.model.rubric import Rubric

KIT_METADATA = "autograder"
log = logging.getLogger("autograder")


class LearningError(ValueError):
    """A command cannot be carried out; the message says why and what to do."""


@dataclass(frozen=True)
class LessonNotebook:
    """The notebook of one lesson in a learner's folder."""

    lesson: str
    path: Path

    @property
    def number(self) -> int:
        """The lesson's number in the course, or that of the file name; 0 without one."""
        from autograder.lessons.course import the_course

        script = the_course().script(self.lesson)
        digits = re.match(r"\d+", self.path.name if script is None else script.name)
        return int(digits[0]) if digits else 0

    def rubric(self) -> Rubric:
        """Load the lesson's rubric; where it is not known here, what students get of it.

        Raises:
            autograder.model.exercise.RubricError: there is no lesson of this name.
        """
        from autograder.lessons.course import the_course
        from autograder.model.exercise import RubricError
        from autograder.model.public_rubric import public_file, read_public

        course, folder = the_course(), self.path.parent
        if self.lesson not in course.names():
            if self.lesson.isidentifier() and public_file(folder, self.lesson).is_file():
                return read_public(public_file(folder, self.lesson))
            words = {"file": self.path.name, "lessons": ", ".join(course.names())}
            raise RubricError(sentences.NOT_A_LESSON.format(lesson=self.lesson[:80], **words))
        return course.rubric(self.lesson)


def lesson_of(path: Path) -> str | None:
    """Return the lesson that a notebook names; by its file name when it cannot be read.

    None for a notebook of somebody else's, which has no metadata of the kit.
    """
    try:
        lesson = json.loads(path.read_bytes())["metadata"][KIT_METADATA]["lesson"]
        return lesson if isinstance(lesson, str) else None
    except (KeyError, TypeError):
        return None
    except (OSError, ValueError, RecursionError):
        stem, _, lesson = path.stem.partition("_")
        if not stem.isdigit():
            return None
    from autograder.lessons.course import the_course

    return lesson if lesson in the_course().names() else None


def find_notebooks(folder: Path) -> list[LessonNotebook]:
    """Return a folder's lessons in course order.

    If a lesson has several notebooks, the one with the shortest name counts: the others are copies
    (`02_static_branch-Copy1.ipynb`).
    """
    found: dict[str, LessonNotebook] = {}
    for path in sorted(folder.glob("*.ipynb"), key=lambda p: (len(p.name), p.name)):
        lesson = None if path.name.startswith(".") else lesson_of(path)
        if lesson is not None:
            found.setdefault(lesson, LessonNotebook(lesson, path))
    return sorted(found.values(), key=lambda n: (n.number, n.path.name))


def find_copies(folder: Path) -> list[str]:
    """Return one sentence for each copy of a lesson's notebook, which does not count."""
    counted = {one.lesson: one.path.name for one in find_notebooks(folder)}
    copies = []
    for path in sorted(folder.glob("[!.]*.ipynb")):
        lesson = lesson_of(path)
        if lesson in counted and path.name != counted[lesson]:
            words = {"copy": path.name, "counted": counted[lesson]}
            copies.append(sentences.IS_A_COPY.format(**words))
    return copies


def shorten(path: Path) -> Path:
    """Return a path as the learner would type it in the current folder."""
    here = Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def find_folder(start: Path | None = None) -> Path:
    """Find the learner's folder: `start`, or the current one and those above it.

    Where a folder has no lessons, its subfolder `exercises` is tried.

    Raises:
        LearningError: there are no lessons there.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents) if start is None else (here,):
        for candidate in (folder, folder / "exercises"):
            if candidate.is_dir() and find_notebooks(candidate):
                log.debug("your exercises: %s", candidate)
                return candidate
    raise LearningError(sentences.NO_LESSONS.format(folder=here))


def choose_notebook(known: Sequence[LessonNotebook], wanted: str) -> LessonNotebook:
    """Return the lesson with a name, a number or a file name.

    Raises:
        LearningError: no such lesson; the message names the nearest.
    """
    name = Path(wanted).stem
    for notebook in known:
        if name in (notebook.lesson, notebook.path.stem) or (
            name.isdigit() and int(name) == notebook.number
        ):
            return notebook
    lessons = [notebook.lesson for notebook in known]
    near = difflib.get_close_matches(name, lessons, 1)
    hint = sentences.DID_YOU_MEAN.format(near=near[0]) if near else ""
    raise LearningError(
        sentences.NO_SUCH_LESSON.format(lesson=wanted, hint=hint, lessons=", ".join(lessons))
    )
