"""A course: the folder in which every command finds lessons, rubrics and submissions.

The kit's own course has its rubrics as modules of the package. Its exercises, solutions and
submissions are in a checkout, and at the same places under `shipped/` in an installed package.

A lesson folder of one's own holds `solutions`, `rubrics`, `submissions` and the generated
`exercises`. Its rubrics are run, so it is named by a command, by the setting of an nbgrader course
or by the environment, and never found by chance in the current folder.
"""

from __future__ import annotations

import itertools
import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.lessons.lesson import Lesson, LessonError
from autograder.lessons.solutions import with_reference_solutions
from autograder.model.rubric import KITS_FOLDER, Rubric
from autograder.model.rubric_files import (
    RUBRICS,
    load_lesson,
    own_folders,
    rubric_names,
    rubrics_in,
)

SUBMISSIONS = (Path("submissions"), Path("autograder") / "tests" / "submissions")
"""Where a lesson folder has its submissions: of its own, or as a checkout of the kit has them."""
_HERE = Path(__file__).resolve().parents[2]
SHIPPED = Path(__file__).resolve().with_name("shipped")
"""The course in an installed package; `pyproject.toml` puts it there. A checkout has none."""

log = logging.getLogger("autograder")

NEEDS_CHECKOUT = (
    "there are no lessons at {path}. Name a lesson folder with --lessons (`autograder new-lesson` "
    "makes one). Without --lessons, the lessons of the installed package are used."
)
NO_RUBRIC = "{script} has no rubric yet: write {file}"


@dataclass(frozen=True)
class Course:
    """A lesson folder.

    Attributes:
        root: holds `solutions` and `exercises`.
        rubrics: the folder of the rubrics.
        beside: a course whose lessons can be named as well, where this one has none of that name.
    """

    root: Path
    rubrics: Path = KITS_FOLDER
    beside: Course | None = None

    def own_roots(self) -> list[Path]:
        """Return the lesson folders of one's own: this one and those beside it, in this order."""
        roots = [] if self.rubrics == KITS_FOLDER else [self.root]
        return roots + (self.beside.own_roots() if self.beside else [])

    def own_names(self) -> list[str]:
        """Return the names of the lessons that have a rubric in this folder, sorted."""
        return rubric_names(self.rubrics)

    def grades_by_hand(self, assignment: str) -> str:
        """Return whose rubric grades an assignment that was not made from a lesson's script.

        A rubric of one's own with the assignment's name does; without one, "".
        """
        course = self._holding(assignment)
        is_own = course.rubrics != KITS_FOLDER and assignment in course.own_names()
        return assignment if is_own else ""

    def names(self) -> list[str]:
        """Return the names of all lessons that have a rubric, also beside this folder, sorted."""
        beside = self.beside.names() if self.beside else []
        return sorted({*self.own_names(), *beside})

    def _holding(self, name: str) -> Course:
        """Return the course that has the lesson: this one, or one beside it."""
        if self.beside is None or name in self.own_names():
            return self
        return self.beside._holding(name)

    def rubric(self, name: str) -> Rubric:
        """Return the rubric of a lesson, with the lesson's own solution where a criterion needs it.

        Raises:
            RubricError: no lesson has this name. The name is never taken for a file to run.
        """
        lesson = self.lesson(name)
        if lesson is None:  # a notebook made by hand has no script
            return load_lesson(name, self._holding(name).rubrics)
        return with_reference_solutions(lesson)

    def script(self, name: str) -> Path | None:
        """Return the script of a lesson, whose name begins with the lesson's number."""
        folder = self._holding(name).root / "solutions"
        found = sorted(folder.glob(f"[0-9][0-9]_{name}.py"))
        return found[0] if found else None

    def lesson(self, name: str) -> Lesson | None:
        """Return one lesson by its name; None where it has no script."""
        script = self.script(name)
        return None if script is None else Lesson(script, self._holding(name).rubrics)

    def lessons(self) -> list[Lesson]:
        """Return the lessons of this folder in course order.

        Raises:
            LessonError: a script without number or without rubric, or two of one number.
            RubricError: a rubric that cannot be loaded.
        """
        lessons = []
        for script in sorted((self.root / "solutions").glob("*.py")):
            if re.fullmatch(r"\d\d_\w+", script.stem) is None:
                raise LessonError(f"{script.name}: a lesson is named NN_name.py, as 01_tracing.py")
            lesson = Lesson(script, self.rubrics)
            if lesson.name not in self.own_names():
                folder = self.rubrics if self.own_roots() else RUBRICS[1]
                file = folder / f"{lesson.name}.py"
                raise LessonError(NO_RUBRIC.format(script=script.name, file=file))
            if lesson.rubric.lesson != lesson.name:
                named = f'its rubric says lesson="{lesson.rubric.lesson}"'
                raise LessonError(f'{script.name}: {named}, which must be "{lesson.name}"')
            lessons.append(lesson)
        for one, other in itertools.pairwise(lessons):
            if one.number == other.number:
                raise LessonError(f"{one.script.name} and {other.script.name} have the same number")
        return lessons


def submissions_in(root: Path) -> Path:
    """Return the folder with the submissions of a lesson folder."""
    own, kits = (root / name for name in SUBMISSIONS)
    return kits if kits.is_dir() else own


def open_lessons(root: Path, beside: Course | None = None) -> Course:
    """Open a lesson folder that trusted code names: its rubrics are run.

    Args:
        root: a lesson folder, or a checkout of the kit.
        beside: see `Course`.

    Raises:
        LessonError: there are no lessons.
    """
    root = root.resolve()
    if not (root / "solutions").is_dir() and rubrics_in(root) is None:
        raise LessonError(NEEDS_CHECKOUT.format(path=root / "solutions"))
    kits = KITS_FOLDER if (root / "autograder").is_dir() else root / "rubrics"
    return Course(root, rubrics_in(root) or kits, beside)


def find_course(start: Path | None = None) -> Course:
    """Find the course that a command works on.

    Args:
        start: a lesson folder, as named by the user. By default the first that the environment
            names, or else the kit's own: in a checkout around the current folder, or in the
            installed package. Of a checkout that is found by chance, no rubric is run.

    Raises:
        LessonError: not found.
    """
    named = [start] if start is not None else own_folders()[:1]
    return open_lessons(named[0]) if named else kits_course()


def kits_course() -> Course:
    """Find the kit's own course.

    Raises:
        LessonError: not found.
    """
    here = Path.cwd()
    for folder in (here, *here.parents, _HERE, SHIPPED):
        if (folder / "solutions").is_dir() and (folder / "autograder").is_dir():
            log.debug("the course: %s", folder)
            return Course(folder)
    raise LessonError(NEEDS_CHECKOUT.format(path=here / "solutions"))


def the_course() -> Course:
    """Return the kit's own course, and before it the lesson folders that the environment names.

    Without the kit's lessons, at least its rubrics are there.

    Raises:
        LessonError: the environment names a folder without lessons.
    """
    return course_with(own_folders())


def course_with(folders: Sequence[Path]) -> Course:
    """Return a course of some lesson folders, in this order, and of the kit's own behind them.

    Raises:
        LessonError: one of the folders has no lessons.
    """
    try:
        course = kits_course()
    except LessonError:
        course = Course(_HERE)
    for folder in reversed(folders):
        course = open_lessons(folder, course)
    return course
