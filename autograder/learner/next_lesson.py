"""`next`: the first lesson that is not solved, and its task."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.learner.folder import LessonNotebook, find_notebooks
from autograder.learner.standing import Standing, check_lesson

_TASK = re.compile(r"^## Your task.*", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## ", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)", re.MULTILINE)


def read_task(path: Path, exercise: str) -> tuple[str, str]:
    """Return a notebook's title and the task of one exercise, as Markdown.

    Both are empty where the notebook cannot be read or does not have them.
    """
    try:
        cells: list[Any] = json.loads(path.read_bytes())["cells"]
        read = [("".join(c["source"]), c["cell_type"], c.get("id")) for c in cells]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return "", ""
    title = task = ""
    for source, kind, name in read:
        if kind == "markdown":
            title = title or (found[1] if (found := _TITLE.search(source)) else "")
            if begun := _TASK.search(source):
                task = begun[0].strip()
            elif _HEADING.search(source):
                task = ""
            elif task:  # a task may go on in the Markdown cells below
                task += f"\n\n{source.strip()}"
        elif name == f"{exercise}-solution":
            return title, task
    return title, ""


def find_next(folder: Path, begin: Callable[[LessonNotebook], None]) -> Standing | None:
    """Return the first lesson that is not solved; None when all are.

    Notebooks that have changed are checked on the way; `begin` is called before each.
    """
    for notebook in find_notebooks(folder):
        begin(notebook)
        lesson = check_lesson(notebook)
        if not lesson.is_solved:
            return lesson
    return None
