"""The hints of the kit's lessons: Markdown in `hints/`, one file a lesson, so that they are data.

A heading ``# static_branch`` names an exercise, ``## purity`` below it a criterion or the rule of
a finding, and the numbered list below that has the hints. A heading may name several, separated by
commas: they have these hints in common. What to think about where a prediction is wrong is below
``# questions of tracing``, one hint for each question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent / "hints"

Hints = dict[str, tuple[str, ...]]
"""The hints of an exercise, by criterion or by rule of a finding."""


def read_hints(lesson: str, exercise: str) -> Hints:
    """Return the hints of an exercise, as `Exercise` takes them."""
    return dict(_read(lesson)[exercise])


def read_questions(lesson: str, exercise: str) -> dict[str, str]:
    """Return the questions of an exercise on predictions, each with its hint."""
    return {name: hint for name, (hint,) in _read(lesson)[f"questions of {exercise}"].items()}


@cache
def _read(lesson: str) -> dict[str, Hints]:
    found: defaultdict[str, Hints] = defaultdict(dict)
    text = (_FOLDER / f"{lesson}.md").read_text(encoding="utf-8")
    for part in re.split(r"^# ", text, flags=re.M)[1:]:
        names, *sections = re.split(r"^## ", part, flags=re.M)
        for section in sections:
            keys, *hints = re.split(r"^\d\. ", section, flags=re.M)
            given = tuple(" ".join(hint.split()) for hint in hints)
            for name in names.strip().split(", "):
                found[name].update(dict.fromkeys(keys.strip().split(", "), given))
    return dict(found)
