"""A rubric: the exercises of one lesson; and an exercise with the draws that count."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from autograder.model.exercise import (
    Draws,
    Exercise,
    FunctionExercise,
    ProgramExercise,
    RubricError,
)
from autograder.model.hints import ANY_TASK, QUIZ, read_hints

PUBLIC_KEY = 0
"""The key of the draws that students see; an instructor's key is any other non-negative integer."""
_ROUNDS = 100_000
"""Of the derivation of a watched key: an instructor may choose a key that is short."""
MOST_REDRAWS = 20
"""How often a key's draw may be replaced by the next one before the rubric is at fault."""
KITS_FOLDER = Path(__file__).resolve().parents[1] / "rubrics"
"""The folder with the rubrics of the kit's own lessons."""


@lru_cache(maxsize=256)
def watch_key(key: int) -> int:
    """Return the key of the calls that are made, with numbers, in the student's process.

    For a learner it is the public key. Where an instructor grades, it is a throw-away key: no
    student knows its draws beforehand, and what a student's process learns of it tells nothing of
    the key that judges. It is derived by PBKDF2 (RFC 8018), so that a course's stays the same.
    """
    if key == PUBLIC_KEY:
        return PUBLIC_KEY
    digest = hashlib.pbkdf2_hmac("sha256", str(key).encode(), b"watched", _ROUNDS)
    return int.from_bytes(digest[:16])


@dataclass(frozen=True)
class Drawn:
    """An exercise with the draws that count: the one value that names it in every process.

    Attributes:
        rubric, digest: the name or file of its rubric, and the rubric's digest.
        name: of the exercise.
        judged: the draws to judge with.
        watched: the draws of the calls that are made in the student's process.
        devices: that the rubric's code needs.
        reference_solution: the lesson's cells up to its own solution, where that is known.
        exercise: the exercise itself.
    """

    rubric: str
    digest: str
    name: str
    judged: Draws
    watched: Draws
    devices: int
    reference_solution: tuple[str, ...]
    exercise: Any = field(compare=False, repr=False)

    @property
    def key(self) -> int:
        """The key to judge with."""
        return self.judged.key

    @cached_property
    def calls(self) -> list[tuple]:
        """The calls to judge; none where nothing is drawn."""
        return self.exercise.calls(self.judged)

    @cached_property
    def watched_calls(self) -> list[tuple]:
        """The calls that are made in the student's process, with their numbers."""
        return self.exercise.calls(self.watched)

    @property
    def repeated_calls(self) -> list[tuple]:
        """Those of the watched calls that are made often: all but the long ones."""
        return self.watched_calls[: len(self.watched_calls) - self.exercise.long_calls]

    @cached_property
    def unrolling_calls(self) -> list[tuple]:
        """The calls that show whether a loop is unrolled."""
        return self.exercise.unrolling_calls(self.judged)

    def redrawn(self, redraws: Mapping[int, int]) -> Drawn:
        """Return the exercise with later draws: by key, how many of them are passed over."""
        draws = (self.judged, self.watched)
        judged, watched = (Draws(one.key, redraws.get(one.key, 0)) for one in draws)
        return replace(self, judged=judged, watched=watched)

    def to_json(self) -> dict[str, Any]:
        """Write the name as JSON; `autograder.model.rubric_files.load_drawn` reads it."""
        names = ("rubric", "name", "judged", "watched", "reference_solution")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Rubric:
    """The exercises of one lesson, in the order of the notebook.

    Attributes:
        lesson: the lesson's name.
        exercises: what is judged. Their hints may stand in a file (`autograder.model.hints`).
        learned: what the lesson teaches, in a few words; for the syllabus.
        minutes: how long a student takes; for the syllabus.
        practice: whether these are drills: checked, but never part of a mark.
        track: the title of the optional track that the lesson belongs to; "" for the core.
        quiz: whether it is a mixed quiz: tasks on earlier lessons, none of which says on which.
            Such a notebook teaches nothing new: no cell fails on purpose, nothing is predicted, no
            cost is shown. It ends with a table of the lessons to read again.
        tries: how many different programs must have been checked before the card says why one
            fails, and gives hints.
        reference_solutions: set by `autograder.lessons`: by exercise, the lesson's cells up to its
            own solution, where a criterion compares with it.
    """

    lesson: str
    exercises: tuple[Exercise, ...]
    learned: str = ""
    minutes: int = 0
    practice: bool = False
    track: str = ""
    quiz: bool = False
    tries: int = 0
    reference_solutions: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    file: Path = field(default=Path(), compare=False)

    def exercise(self, name: str) -> Any:
        """Return an exercise by its name.

        Raises:
            RubricError: there is none of this name.
        """
        exercises = {exercise.name: exercise for exercise in self.exercises}
        if name not in exercises:
            names = ", ".join(exercises)
            raise RubricError(f"lesson {self.lesson!r} has no exercise {name!r}; it has: {names}")
        return exercises[name]

    def only(self, names: Sequence[str]) -> Rubric:
        """Return the rubric with these exercises alone."""
        return replace(self, exercises=tuple(self.exercise(name) for name in names))

    def draw(self, name: str, key: int) -> Drawn:
        """Return an exercise with the first draws of a key, which judge, and of its watched key."""
        judged, watched = Draws(key), Draws(watch_key(key))
        solution = tuple(self.reference_solutions.get(name, ()))
        exercise = self.exercise(name)
        where = self.source, self.digest
        return Drawn(*where, name, judged, watched, self.devices, solution, exercise)

    @property
    def devices(self) -> int:
        """How many CPU devices the process needs that runs the lesson's cells."""
        return max((exercise.devices for exercise in self.exercises), default=1)

    @property
    def defended(self) -> Exercise:
        """The exercise whose program a student can be asked about.

        It is the lesson's namesake or else the first that has a program; the first of all where
        none has, about which nothing is asked.
        """
        programs = [one for one in self.exercises if isinstance(one, ProgramExercise)]
        namesakes = [exercise for exercise in programs if exercise.name == self.lesson]
        return (*namesakes, *programs, *self.exercises)[0]

    @property
    def source(self) -> str:
        """The name by which `load_rubric` finds this rubric, in any process."""
        return self.lesson if self.file.parent == KITS_FOLDER else str(self.file)

    @property
    def digest(self) -> str:
        """SHA-256 of the rubric's source: results made with another text are out of date.

        Modules that the kit's own rubrics share (with an underscore) count as part of it, and the
        files of its hints.
        """
        if not self.file.is_file():
            return ""
        is_kits = self.source == self.lesson
        shared = sorted(self.file.parent.glob("_[!_]*.py")) if is_kits else []
        texts = [file.read_bytes() for file in (self.file, *shared, *self.hint_files)]
        return hashlib.sha256(b"".join(texts)).hexdigest()

    @property
    def hint_files(self) -> list[Path]:
        """The files with hints beside the rubric's own; drills share that of their lesson."""
        folder = self.file.parents[1 if self.practice else 0] / "hints"
        names = [QUIZ, self.lesson] if self.quiz else [self.lesson]
        return [file for name in names if (file := folder / f"{name}.md").is_file()]

    def with_hints(self) -> Rubric:
        """Return the rubric with the hints that stand beside it, for exercises that lack them."""
        found: dict[str, dict[str, Any]] = {}
        for file in self.hint_files:
            found |= read_hints(file)
        drills, of_any = found.get("drills", {}), found.get(ANY_TASK, {})
        exercises = []
        for one in self.exercises:
            shared = of_any if isinstance(one, FunctionExercise) else {}
            if self.practice and one.name in drills:
                shared = dict.fromkeys(one.points, drills[one.name])
            hints = shared | found.get(one.name, {}) | dict(one.hints)
            exercises.append(replace(one, hints=hints))
        return replace(self, exercises=tuple(exercises))
