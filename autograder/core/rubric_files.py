"""Rubrics found by name: those of the kit's lessons, and files that trusted code names."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import pkgutil
import sys
from pathlib import Path
from types import ModuleType

from autograder.core.rubric import KITS_FOLDER, Exercise, Rubric, RubricError


def rubric_names() -> list[str]:
    """Names of the lessons that the kit has rubrics for, sorted."""
    return sorted(m.name for m in pkgutil.iter_modules([str(KITS_FOLDER)]) if m.name[0] != "_")


def load_lesson(name: str) -> Rubric:
    """Load the rubric of a lesson by its name; whatever a notebook names goes through here.

    Raises:
        RubricError: no lesson has this name. No file is ever run for a name.
    """
    names = rubric_names()
    if name not in names:
        raise RubricError(f"there is no exercise {str(name)[:80]!r}; the lessons are: {names}")
    return _rubric_of(importlib.import_module(f"autograder.rubrics.{name}"))


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
    """Find an exercise, in the rubric `source` or in whichever lesson has it.

    Raises:
        RubricError: no lesson has an exercise of that name.
    """
    if source is not None:
        rubric = load_rubric(source)
        return rubric, rubric.exercise(name)
    names = rubric_names()
    for lesson in sorted(names, key=lambda lesson: lesson != name):  # most often its namesake
        rubric = load_rubric(lesson)
        if name in [exercise.name for exercise in rubric.exercises]:
            return rubric, rubric.exercise(name)
    raise RubricError(
        f"there is no exercise {name!r}. Check the spelling; the lessons are: {', '.join(names)}."
    )
