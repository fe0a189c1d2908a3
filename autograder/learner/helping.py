"""`next` and `hint`: a lesson's task, and help with what failed, a little more at each call."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook
from autograder.learner.notebook_record import write_record
from autograder.learner.standing import check_lesson
from autograder.model.report import Status
from autograder.render import criterion_text

_TASK = re.compile(r"^## (?:Your task|Puzzle).*", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## ", re.MULTILINE)
_TITLE = re.compile(r"^# (.+)", re.MULTILINE)


def read_task(path: Path, exercise: str) -> tuple[str, str]:
    """Return a notebook's title and the task of one exercise, as Markdown.

    Both are empty where the notebook cannot be read or does not have them.
    """
    try:
        cells: list[Any] = json.loads(path.read_bytes())["cells"]
        read = [("".join(c["source"]), c["cell_type"], c.get("id")) for c in cells]
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
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


def next_hint(notebook: LessonNotebook) -> str:
    """Check the notebook if it has changed, and return the next hint on what fails first."""
    standing = check_lesson(notebook)
    failing = standing.first_failing()
    if failing is None:
        return sentences.NO_HINT_NEEDED.format(lesson=notebook.lesson)
    report, criterion = failing
    exercise = standing.rubric.exercise(report.exercise)
    about = exercise.hint_key(criterion)
    hints = exercise.hints_about(about)
    words = {"exercise": exercise.name, "criterion": criterion.name, "lesson": notebook.lesson}
    not_graded = criterion.status is Status.NOT_GRADED
    if not_graded or not hints:
        head = sentences.BEFORE_HINTS if not_graded else sentences.NO_HINTS
        return f"{head.format(**words)}\n\n{criterion_text(criterion)}"
    given = standing.record.hints.get(f"{exercise.name}:{about}", 0)
    tier = min(given, len(hints) - 1)
    head = sentences.HINT.format(tier=tier + 1, tiers=len(hints), **words)
    # Before the first hint, what the card says in whole: `watch` and `next` show what was seen.
    lines = [*([] if given else [criterion_text(criterion), ""]), head, "", hints[tier]]
    if given >= len(hints):
        lines += ["", sentences.NO_MORE_HINTS.format(**words)]
    elif not write_record(notebook.path, standing.record.with_hint(exercise.name, about)):
        lines += ["", sentences.NOT_KEPT.format(folder=notebook.path.parent)]
    return "\n".join(lines)
