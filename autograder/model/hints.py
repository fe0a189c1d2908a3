"""Hints beside a rubric, in Markdown: ``hints/LESSON.md``, so that they are data.

A heading ``# static_branch`` names an exercise, ``## purity`` below it a criterion or the rule of
a finding, and the numbered list below that has the hints. A heading may name several, separated by
commas: they have these hints in common. What to think about where a prediction is wrong is below
``# questions of tracing``, and the hint of each drill below ``# drills``. The hints of ``# any
task`` in ``hints/quiz.md`` are for all tasks of mixed quizzes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

QUIZ, ANY_TASK = "quiz", "any task"
"""The name of the file with what all mixed quizzes share, and its heading."""


def read_questions(rubric: str, exercise: str) -> dict[str, str]:
    """Return the questions of an exercise on predictions, each with its hint.

    Args:
        rubric: path of the rubric's file, which is named as the lesson: ``__file__``.
        exercise: its name.
    """
    file = Path(rubric)
    hints = read_hints(file.parent / "hints" / f"{file.stem}.md")
    return {name: hint for name, (hint,) in hints[f"questions of {exercise}"].items()}


def read_hints(file: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return the hints in a file, by what the headings name."""
    found: defaultdict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for part in re.split(r"^# ", file.read_text(encoding="utf-8"), flags=re.M)[1:]:
        names, *sections = re.split(r"^## ", part, flags=re.M)
        for section in sections:
            keys, *hints = re.split(r"^\d\. ", section, flags=re.M)
            given = tuple(" ".join(hint.split()) for hint in hints)
            for name in names.strip().split(", "):
                found[name].update(dict.fromkeys(keys.strip().split(", "), given))
    return dict(found)
