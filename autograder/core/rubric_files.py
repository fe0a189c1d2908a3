"""Rubrics found by name: those of the kit's lessons, and files that trusted code names."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import itertools
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

from autograder.core.rubric import KITS_FOLDER, Exercise, Rubric, RubricError

DRILLS = "drills"
"""The folder beside the kit's rubrics that holds one rubric of drills for each lesson."""


def rubric_names() -> list[str]:
    """Names of the lessons that the kit has rubrics for, sorted."""
    return sorted(_module_names(KITS_FOLDER))


def _module_names(folder: Path) -> list[str]:
    modules = pkgutil.iter_modules([str(folder)])
    return [m.name for m in modules if m.name[0] != "_" and not m.ispkg]


def load_lesson(name: str) -> Rubric:
    """Load the rubric of a lesson by its name; whatever a notebook names goes through here.

    Raises:
        RubricError: no lesson has this name. No file is ever run for a name.
    """
    names = rubric_names()
    if name not in names:
        raise RubricError(f"there is no exercise {str(name)[:80]!r}; the lessons are: {names}")
    return _rubric_of(importlib.import_module(f"autograder.rubrics.{name}"))


def load_drills(name: str) -> Rubric | None:
    """Load the drills of one of the kit's lessons; None where it has none.

    They are a rubric of their own, so that no mark of the lesson depends on them.
    """
    if name not in _module_names(KITS_FOLDER / DRILLS):
        return None
    return _rubric_of(importlib.import_module(f"autograder.rubrics.{DRILLS}.{name}"))


def load_rubric(source: str | Path) -> Rubric:
    """Load a rubric by lesson name, or from a Python file of one's own (``my_rubric.py``).

    A file is run, so only trusted callers may name one: the author of a script or a notebook in
    their own `check`, or the grader itself. Names from a notebook's metadata go to `load_lesson`.

    Raises:
        RubricError: no such lesson or file, or the file defines no rubric.
    """
    if str(source).endswith(".py"):
        file = Path(source).resolve()
        if not file.is_file():
            raise RubricError(f"there is no rubric file {file}")
        name = f"_rubric_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses and pickling look their module up
        spec.loader.exec_module(module)
        return _rubric_of(module)
    return load_lesson(str(source))


def _rubric_of(module: ModuleType) -> Rubric:
    file, rubric = Path(str(module.__file__)), getattr(module, "rubric", None)
    if not isinstance(rubric, Rubric):
        raise RubricError(f"{file} must define `rubric = Rubric(...)`")
    object.__setattr__(rubric, "file", file)
    return rubric


def find_exercise(name: str, source: str | Path | None = None) -> tuple[Rubric, Exercise]:
    """Find an exercise or a drill, in the rubric `source` or in whichever lesson has it.

    Raises:
        RubricError: no lesson has an exercise of that name.
    """
    if source is not None:
        rubric = load_rubric(source)
        return rubric, rubric.exercise(name)
    names = rubric_names()
    lessons = sorted(names, key=lambda lesson: lesson != name)  # most often its namesake
    for load, lesson in itertools.product((load_lesson, load_drills), lessons):
        rubric = load(lesson)
        if rubric and name in [exercise.name for exercise in rubric.exercises]:
            return rubric, rubric.exercise(name)
    raise RubricError(
        f"there is no exercise {name!r}. Check the spelling; the lessons are: {', '.join(names)}."
    )
