"""`next`: the first lesson that is not solved, and what it asks for."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.learner.checking import check_notebook
from autograder.learner.folder import LessonNotebook, notebooks
from autograder.learner.standing import Standing

_TASK = re.compile(r"^## Your task.*", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## ", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)", re.MULTILINE)


@dataclass(frozen=True)
class Asked:
    """A lesson's title, and its tasks by exercise, as Markdown."""

    title: str
    tasks: dict[str, str]


def asked(path: Path) -> Asked:
    """What a notebook asks for; empty texts where it can no longer be read."""
    try:
        cells: list[Any] = json.loads(path.read_bytes())["cells"]
        read = [("".join(c["source"]), c["cell_type"], str(c.get("id", ""))) for c in cells]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return Asked("", {})
    title, task, tasks = "", "", {}
    for source, kind, name in read:
        if kind == "markdown":
            title = title or (found[1] if (found := _TITLE.search(source)) else "")
            if begun := _TASK.search(source):
                task = begun[0].strip()
            elif _HEADING.search(source):
                task = ""
            elif task:  # said in several cells, with code to look at between them
                task += f"\n\n{source.strip()}"
        elif name.endswith("-solution") and task:
            tasks.setdefault(name.removesuffix("-solution"), task)
    return Asked(title, tasks)


def next_lesson(folder: Path, say: Callable[[LessonNotebook], None]) -> Standing | None:
    """The first lesson that is not solved; lessons changed since their last check are checked.

    Args:
        folder: the learner's.
        say: is told before a lesson is checked.

    Returns:
        The lesson, or None when all are solved.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
    """
    for notebook in notebooks(folder):
        say(notebook)
        rubric = notebook.rubric()
        here = Standing(notebook, rubric, check_notebook(notebook.path, rubric))
        if not here.solved:
            return here
    return None
