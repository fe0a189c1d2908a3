"""Rubrics found by name: those of the kit's lessons, and those of folders that trusted code names.

A rubric is a Python file, so loading one runs it. A folder with rubrics of one's own is named by a
command, by the setting of a course, or by the environment (`LESSONS`), never by a notebook.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import itertools
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from autograder.model.exercise import Draws, Exercise, RubricError
from autograder.model.public_rubric import SUFFIX, find_public, read_public
from autograder.model.rubric import KITS_FOLDER, Drawn, Rubric

DRILLS = "drills"
"""The folder beside the kit's rubrics that holds one rubric of drills for each lesson."""


LESSONS = "AUTOGRADER_LESSONS"
"""The environment variable that names lesson folders of one's own, separated as in PATH."""

RUBRICS = (Path("rubrics"), Path("autograder") / "rubrics")
"""Where a lesson folder has its rubrics: of its own, or as a checkout of the kit has them."""


def own_folders() -> list[Path]:
    """Return the lesson folders that the environment names, in its order."""
    names = os.environ.get(LESSONS, "").split(os.pathsep)
    return [Path(name).resolve() for name in names if name]


def rubrics_in(root: Path) -> Path | None:
    """Return the folder with the rubrics of a lesson folder; None where it has none."""
    return next((root / name for name in RUBRICS if (root / name).is_dir()), None)


def _rubric_folders() -> Iterator[Path]:
    """Yield the folders in which the name of an exercise is looked up."""
    yield from filter(None, map(rubrics_in, own_folders()))
    yield KITS_FOLDER


def rubric_names(folder: Path = KITS_FOLDER) -> list[str]:
    """Names of the lessons that a folder has rubrics for, sorted; by default the kit's own."""
    # A dot is in the name of no module: hidden files of editors and of macOS are left out.
    return sorted(file.stem for file in folder.glob("[!_]*.py") if "." not in file.stem)


def load_lesson(name: str, folder: Path = KITS_FOLDER) -> Rubric:
    """Load the rubric of a lesson by its name; whatever a notebook names goes through here.

    Args:
        name: one of `rubric_names(folder)`.
        folder: of rubrics, which trusted code names; by default the kit's own.

    Raises:
        RubricError: no lesson has this name. No other file is ever run for a name.
    """
    names = rubric_names(folder)
    if name not in names:
        raise RubricError(f"there is no exercise {str(name)[:80]!r}; the lessons are: {names}")
    if folder == KITS_FOLDER:
        return _rubric_of(importlib.import_module(f"autograder.rubrics.{name}"))
    return load_rubric(folder / f"{name}.py")


def load_drills(name: str, folder: Path = KITS_FOLDER) -> Rubric | None:
    """Load the drills of a lesson; None where it has none.

    They are a rubric of their own, so that no mark of the lesson depends on them.
    """
    if name not in rubric_names(folder / DRILLS):
        return None
    if folder == KITS_FOLDER:
        return _rubric_of(importlib.import_module(f"autograder.rubrics.{DRILLS}.{name}"))
    return load_rubric(folder / DRILLS / f"{name}.py")


def find_lesson(name: str) -> Rubric:
    """Load the rubric of a lesson: of the environment's lesson folders, or else of the kit's.

    Raises:
        RubricError: no lesson has this name.
    """
    folders = [folder for folder in _rubric_folders() if name in rubric_names(folder)]
    return load_lesson(name, folders[0] if folders else KITS_FOLDER)


def load_rubric(source: str | Path) -> Rubric:
    """Load a rubric by lesson name, or from a Python file of one's own (``my_rubric.py``).

    A file is run, so only trusted callers may name one: the author of a script or a notebook in
    their own `check`, or the grader itself. Names from a notebook's metadata go to `load_lesson`.

    Raises:
        RubricError: no such lesson or file, or the file cannot be run or defines no rubric.
    """
    if str(source).endswith(SUFFIX):
        return read_public(Path(source))
    if str(source).endswith(".py"):
        file = Path(source).resolve()
        if not file.is_file():
            raise RubricError(f"there is no rubric file {file}")
        name = f"_rubric_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
        spec = importlib.util.spec_from_file_location(name, file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module  # dataclasses and pickling look their module up
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise RubricError(_describe(error, file)) from error
        return _rubric_of(module)
    return load_lesson(str(source))


def _describe(error: Exception, file: Path) -> str:
    """Return what is wrong with a rubric file, and on which line."""
    if isinstance(error, SyntaxError) and error.filename == str(file):
        return f"{file}, line {error.lineno}: {error.msg}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file)]
    where = f", line {lines[-1]}" if lines else ""
    kind = "" if isinstance(error, RubricError) else f"{type(error).__name__}: "
    return f"{file}{where}: {kind}{error}"


def _rubric_of(module: ModuleType) -> Rubric:
    file, rubric = Path(str(module.__file__)), getattr(module, "rubric", None)
    if not isinstance(rubric, Rubric):
        raise RubricError(f"{file} must define `rubric = Rubric(...)`")
    if rubric.file != file:
        object.__setattr__(rubric, "file", file)
        object.__setattr__(rubric, "exercises", rubric.with_hints().exercises)
    return rubric


def find_exercise(name: str, source: str | Path | None = None) -> tuple[Rubric, Exercise]:
    """Find an exercise or a drill, in the rubric `source` or in whichever lesson has it.

    The lesson folders that the environment names come first, then the public files of the current
    folder (`autograder.model.public_rubric`), which are data, and then the kit's lessons.

    Raises:
        RubricError: no lesson has an exercise of that name.
    """
    if source is not None:
        rubric = load_rubric(source)
        return rubric, rubric.exercise(name)
    known: list[str] = []
    for folder in _rubric_folders():
        if folder == KITS_FOLDER and (public := find_public(name, Path.cwd())):
            return public
        names = rubric_names(folder)
        lessons = sorted(names, key=lambda lesson: lesson != name)  # most often its namesake
        for load, lesson in itertools.product((load_lesson, load_drills), lessons):
            rubric = load(lesson, folder)
            if rubric and name in [exercise.name for exercise in rubric.exercises]:
                return rubric, rubric.exercise(name)
        known += names
    raise RubricError(
        f"there is no exercise {name!r}. Check the spelling; the lessons are: {', '.join(known)}. "
        f"(A lesson of your instructor's own needs its file NAME{SUFFIX} beside the notebook.)"
    )


def load_drawn(data: Mapping[str, Any]) -> Drawn:
    """Return the exercise that `Drawn.to_json` has named, in any process.

    Raises:
        RubricError: its rubric cannot be loaded.
    """
    rubric = load_rubric(data["rubric"])
    judged, watched = Draws(*data["judged"]), Draws(*data["watched"])
    solution, exercise = tuple(data["reference_solution"]), rubric.exercise(data["name"])
    where = rubric.source, rubric.digest
    return Drawn(*where, data["name"], judged, watched, rubric.devices, solution, exercise)
