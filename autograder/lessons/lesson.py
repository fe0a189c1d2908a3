"""One lesson: its script, its rubric, and the rubric of its drills."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.model.rubric import KITS_FOLDER, Rubric
from autograder.model.rubric_files import load_drills, load_lesson


class LessonError(ValueError):
    """A lesson cannot be built or verified; the message says which, where and how to fix it."""


@dataclass(frozen=True)
class Lesson:
    """One lesson: its script, named as ``01_tracing.py``, and the folder of its rubric."""

    script: Path
    rubrics: Path = KITS_FOLDER

    @property
    def number(self) -> int:
        """Its number in the course."""
        return int(self.script.stem.partition("_")[0])

    @property
    def name(self) -> str:
        """Its name, which is also that of its rubric."""
        return self.script.stem.partition("_")[2]

    @property
    def is_own(self) -> bool:
        """Whether it is of a lesson folder of one's own, whose rubric students do not have."""
        return self.rubrics != KITS_FOLDER

    @property
    def notebook_name(self) -> str:
        """The file name of its notebook."""
        return f"{self.script.stem}.ipynb"

    @cached_property
    def rubric(self) -> Rubric:
        """Its rubric."""
        return load_lesson(self.name, self.rubrics)

    @cached_property
    def drills(self) -> Rubric | None:
        """The rubric of the lesson's drills; None where it has none."""
        return load_drills(self.name, self.rubrics)

    @property
    def drill_names(self) -> list[str]:
        """The names of its drills, in notebook order."""
        return [drill.name for drill in self.drills.exercises] if self.drills else []

    def rubric_of(self, exercise: str) -> Rubric:
        """Return the rubric of an exercise: the lesson's, or that of its drills."""
        return self.drills if self.drills and exercise in self.drill_names else self.rubric
