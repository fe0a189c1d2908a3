"""Rubrics found by name: those of the kit's lessons, and files that trusted code names."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import inspect
import pkgutil
import sys
from pathlib import Path
from typing import Any

from autograder.core.rubric import KITS_FOLDER, Exercise, Rubric, RubricError


def _from_module(module: Any, file: Path) -> Rubric:
    rubric = getattr(module, "rubric", None)
    if not isinstance(rubric, Rubric):
        raise RubricError(f"{file} must define `rubric = Rubric(...)`")
    object.__setattr__(rubric, "file", file)
    return rubric


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
    module = importlib.import_module(f"autograder.rubrics.{name}")
    return _from_module(module, Path(inspect.getfile(module)))


def load_rubric(source: str | Path) -> Rubric:
    """Load a rubric by lesson name, or from a Python file of one's own (``my_rubric.py``).

    A file is run, so only trusted callers may name one: the author of a script or a notebook in
    their own `check`, or the grader itself. For what a notebook's metadata says: `load_lesson`.

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
        return _from_module(module, file)
    return load_lesson(str(source))


def find_exercise(name: str, source: str | Path | None = None) -> tuple[Rubric, Exercise]:
    """The exercise `name`, in the rubric `source` or in whichever lesson has it.

    Raises:
        RubricError: no lesson has an exercise of that name.
    """
    if source is not None:
        rubric = load_rubric(source)
        return rubric, rubric.exercise(name)
    names = rubric_names()
    for lesson in sorted(names, key=lambda lesson: lesson != name):  # most often its namesake
        rubric = load_rubric(lesson)
        for exercise in rubric.exercises:
            if exercise.name == name:
                return rubric, exercise
    raise RubricError(
        f"there is no exercise {name!r}. Check the spelling; the lessons are: {', '.join(names)}."
    )
