"""The folder a learner works in, and the lesson notebooks in it.

The pytest plug-in uses this in every project of the environment: nothing heavy is imported.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.learner import sentences

if TYPE_CHECKING:
    from autograder.core.rubric import Rubric

KIT_METADATA = "autograder"


class LearningError(ValueError):
    """A command that cannot be carried out; the message says why and what to do."""


@dataclass(frozen=True)
class LessonNotebook:
    """One lesson of a learner's folder."""

    lesson: str
    path: Path

    @property
    def number(self) -> int:
        """The lesson's place in the course, as its file name says; 0 when it says nothing."""
        digits = re.match(r"\d+", self.path.name)
        return int(digits[0]) if digits else 0

    def rubric(self) -> Rubric:
        """The lesson's rubric.

        Raises:
            autograder.core.rubric.RubricError: the notebook names something else as its lesson.
        """
        from autograder.core.rubric import RubricError
        from autograder.lessons.course import the_course

        if self.lesson not in the_course().names():
            where = {"file": self.path.name, "lessons": ", ".join(the_course().names())}
            raise RubricError(sentences.NOT_A_LESSON.format(lesson=self.lesson[:80], **where))
        return the_course().rubric(self.lesson)


def lesson_of(path: Path) -> str | None:
    """The lesson a notebook belongs to; by its file name when it can no longer be read."""
    try:
        lesson = json.loads(path.read_bytes())["metadata"][KIT_METADATA]["lesson"]
        return lesson if isinstance(lesson, str) else None
    except (OSError, ValueError, KeyError, TypeError):
        stem, _, lesson = path.stem.partition("_")
        if not stem.isdigit():
            return None
    from autograder.lessons.course import the_course

    return lesson if lesson in the_course().names() else None


def notebooks(folder: Path) -> list[LessonNotebook]:
    """A folder's lessons in course order.

    Of several notebooks of one lesson the one with the shortest name counts: the others are copies
    (`03_static_branch-Copy1.ipynb`).
    """
    found: dict[str, LessonNotebook] = {}
    for path in sorted(folder.glob("*.ipynb"), key=lambda p: (len(p.name), p.name)):
        lesson = None if path.name.startswith(".") else lesson_of(path)
        if lesson is not None:
            found.setdefault(lesson, LessonNotebook(lesson, path))
    return sorted(found.values(), key=lambda n: n.path.name)


def find_folder(start: Path | None = None) -> Path:
    """The learner's folder: the one named or the current one, one above it, or `exercises` in it.

    Raises:
        LearningError: there are no lessons there.
    """
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents) if start is None else (here,):
        for candidate in (folder, folder / "exercises"):
            if candidate.is_dir() and notebooks(candidate):
                return candidate
    raise LearningError(sentences.NO_LESSONS.format(folder=here))


def choose(known: Sequence[LessonNotebook], wanted: str) -> LessonNotebook:
    """The lesson meant by a name, a number or a file name.

    Raises:
        LearningError: no such lesson; near misses are named.
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
