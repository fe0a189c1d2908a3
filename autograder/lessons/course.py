"""A course: a lesson folder, through which every command finds lessons, rubrics and submissions.

Today there is one, the kit's own: its rubrics are in the installed package, its solutions and
submissions in a checkout.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.core.rubric import Rubric
from autograder.core.rubric_files import load_lesson, rubric_names

SUBMISSIONS = Path("autograder") / "tests" / "submissions"

NEEDS_CHECKOUT = (
    "there are no lessons at {path}. This command needs a checkout of the kit, because the "
    "installed package holds no solutions: run it inside the checkout, or name it with --kit."
)


class LessonError(ValueError):
    """A lesson that cannot be built; the message says which, where and how to mend it."""


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


@dataclass(frozen=True)
class Course:
    """A lesson folder.

    Attributes:
        root: holds `solutions` and `exercises`.
    """

    root: Path

    def submissions(self, lesson: str) -> list[Path]:
        """Right and wrong submissions of a lesson, which `verify` grades."""
        return sorted((self.root / SUBMISSIONS / lesson).glob("*.py"))

    def names(self) -> list[str]:
        """Names of the lessons that there are rubrics for, sorted."""
        return rubric_names()

    def rubric(self, name: str) -> Rubric:
        """The rubric of a lesson, with the lesson's own solution where a criterion needs it.

        Raises:
            RubricError: no lesson has this name. No file is ever run for a name.
        """
        rubric = load_lesson(name)
        if not any("memory" in exercise.points for exercise in rubric.exercises):
            return rubric
        from autograder.lessons.solutions import with_yardsticks  # it builds the lesson

        lesson = self.lesson(name)
        return rubric if lesson is None else with_yardsticks(lesson)

    def lesson(self, name: str) -> Lesson | None:
        """One lesson by its name; None where its script is not at hand."""
        scripts = sorted((self.root / "solutions").glob(f"[0-9][0-9]_{name}.py"))
        if not scripts:
            return None
        return Lesson(int(scripts[0].name[:2]), name, scripts[0], load_lesson(name))

    def lessons(self) -> list[Lesson]:
        """The lessons in course order.

        Raises:
            LessonError: a script without number or without rubric, or two of one number.
            RubricError: a rubric that cannot be loaded.
        """
        lessons = []
        for script in sorted((self.root / "solutions").glob("*.py")):
            match = re.fullmatch(r"(\d\d)_(\w+)", script.stem)
            if match is None:
                raise LessonError(f"{script.name}: a lesson is named NN_name.py, as 01_tracing.py")
            lessons.append(Lesson(int(match[1]), match[2], script, self._rubric_of(script)))
        for one, other in itertools.pairwise(lessons):
            if one.number == other.number:
                raise LessonError(f"{one.script.name} and {other.script.name} have the same number")
        return lessons

    def _rubric_of(self, script: Path) -> Rubric:
        name = script.stem[3:]
        if name not in self.names():
            raise LessonError(
                f"{script.name} has no rubric yet: write autograder/rubrics/{name}.py"
            )
        rubric = load_lesson(name)
        if rubric.lesson != name:
            text = f'its rubric says lesson="{rubric.lesson}", which must be "{name}"'
            raise LessonError(f"{script.name}: {text}")
        return rubric


def find_course(start: Path | None = None) -> Course:
    """The checkout of the kit, whose lessons are the kit's own course.

    Args:
        start: where to look; by default the current folder and those above it, then the folder
            the package is installed from.

    Raises:
        LessonError: not found.
    """
    here = Path.cwd() if start is None else start.resolve()
    candidates = [here, *here.parents]
    if start is None:
        candidates.append(Path(__file__).resolve().parents[2])
    for folder in candidates:
        if (folder / "solutions").is_dir() and (folder / "autograder").is_dir():
            return Course(folder)
    raise LessonError(NEEDS_CHECKOUT.format(path=here / "solutions"))


def the_course() -> Course:
    """The course at hand: the checkout's, or without one the installed package's rubrics alone."""
    try:
        return find_course()
    except LessonError:
        return Course(Path(__file__).resolve().parents[2])
