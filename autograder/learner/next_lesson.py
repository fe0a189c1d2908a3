"""`next`: the first lesson that is not solved, and its task."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograder.learner.checking import check_notebook
from autograder.learner.folder import LessonNotebook, find_notebooks
from autograder.learner.standing import Standing

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
    """Return the first lesson that is not solved; changed notebooks are checked on the way.

    Args:
        folder: the learner's.
        begin: called before a notebook is checked.

    Returns:
        The lesson, or None when all are solved.

    Raises:
        autograder.judge.process.JudgeError: the judge cannot work here.
        autograder.sandbox.zygotes.WorkerError: no worker can be started here.
    """
    for notebook in find_notebooks(folder):
        begin(notebook)
        rubric = notebook.rubric()
        lesson = Standing(notebook, rubric, check_notebook(notebook.path, rubric))
        if not lesson.is_solved:
            return lesson
    return None
