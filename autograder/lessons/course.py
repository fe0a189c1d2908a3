"""A course: the folder in which every command finds lessons, rubrics and submissions.

The only course is the kit's own. Its rubrics are modules of the package. Its exercises, solutions
and submissions are in a checkout, and at the same places under `shipped/` in an installed package.
"""

from __future__ import annotations

import itertools
import logging
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.core.rubric import Rubric
from autograder.core.rubric_files import load_drills, load_lesson, rubric_names

SUBMISSIONS = Path("autograder") / "tests" / "submissions"
_HERE = Path(__file__).resolve().parents[2]
SHIPPED = Path(__file__).resolve().with_name("shipped")
"""The course in an installed package; `pyproject.toml` puts it there. A checkout has none."""

log = logging.getLogger("autograder")

NEEDS_CHECKOUT = (
    "there are no lessons at {path}. Name a checkout of the kit with --kit. Without --kit, the "
    "lessons of the installed package are used."
)


class LessonError(ValueError):
    """A lesson cannot be built or verified; the message says which, where and how to fix it."""


@dataclass(frozen=True)
class Lesson:
    """One lesson: its number, its stable name, its script and its rubric."""

    number: int
    name: str
    script: Path
    rubric: Rubric

    @property
    def notebook_name(self) -> str:
        return f"{self.script.stem}.ipynb"

    @cached_property
    def drills(self) -> Rubric | None:
        """The rubric of the lesson's drills; None where it has none."""
        return load_drills(self.name)

    @property
    def drill_names(self) -> list[str]:
        return [drill.name for drill in self.drills.exercises] if self.drills else []

    def rubric_of(self, exercise: str) -> Rubric:
        """Return the rubric of an exercise: the lesson's, or that of its drills."""
        return self.drills if self.drills and exercise in self.drill_names else self.rubric


@dataclass(frozen=True)
class Course:
    """A lesson folder.

    Attributes:
        root: holds `solutions` and `exercises`.
    """

    root: Path

    def names(self) -> list[str]:
        """Return the names of the lessons that have a rubric, sorted."""
        return rubric_names()

    def rubric(self, name: str) -> Rubric:
        """Return the rubric of a lesson, with the lesson's own solution where a criterion needs it.

        Raises:
            RubricError: no lesson has this name. The name is never taken for a file to run.
        """
        rubric = load_lesson(name)
        if not any(exercise.has_yardstick for exercise in rubric.exercises):
            return rubric
        from autograder.lessons.solutions import with_yardsticks  # it imports this module

        lesson = self.lesson(name)
        return rubric if lesson is None else with_yardsticks(lesson)

    def script(self, name: str) -> Path | None:
        """Return the script of a lesson, whose name begins with the lesson's number."""
        found = sorted((self.root / "solutions").glob(f"[0-9][0-9]_{name}.py"))
        return found[0] if found else None

    def lesson(self, name: str) -> Lesson | None:
        """Return one lesson by its name; None where it has no script."""
        script = self.script(name)
        if script is None:
            return None
        return Lesson(int(script.name[:2]), name, script, load_lesson(name))

    def lessons(self) -> list[Lesson]:
        """Return the lessons in course order.

        Raises:
            LessonError: a script without number or without rubric, or two of one number.
            RubricError: a rubric that cannot be loaded.
        """
        lessons = []
        for script in sorted((self.root / "solutions").glob("*.py")):
            match = re.fullmatch(r"(\d\d)_(\w+)", script.stem)
            if match is None:
                raise LessonError(f"{script.name}: a lesson is named NN_name.py, as 01_tracing.py")
            name = match[2]
            if name not in self.names():
                need = f"write autograder/rubrics/{name}.py"
                raise LessonError(f"{script.name} has no rubric yet: {need}")
            rubric = load_lesson(name)
            if rubric.lesson != name:
                text = f'its rubric says lesson="{rubric.lesson}", which must be "{name}"'
                raise LessonError(f"{script.name}: {text}")
            lessons.append(Lesson(int(match[1]), name, script, rubric))
        for one, other in itertools.pairwise(lessons):
            if one.number == other.number:
                raise LessonError(f"{one.script.name} and {other.script.name} have the same number")
        return lessons


def find_course(start: Path | None = None) -> Course:
    """Find the kit's own course: in a checkout of the kit, or in the installed package.

    Args:
        start: the folder to begin in; by default the current folder. The folders above it are
            searched too, and by default the one that the package is installed from.

    Raises:
        LessonError: not found.
    """
    here = Path.cwd() if start is None else start.resolve()
    for folder in (here, *here.parents, *([_HERE, SHIPPED] if start is None else [])):
        if (folder / "solutions").is_dir() and (folder / "autograder").is_dir():
            log.debug("the course: %s", folder)
            return Course(folder)
    raise LessonError(NEEDS_CHECKOUT.format(path=here / "solutions"))


def the_course() -> Course:
    """Return the kit's own course; without its lessons, at least its rubrics."""
    try:
        return find_course()
    except LessonError:
        return Course(_HERE)
