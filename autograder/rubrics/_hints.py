"""The hints of the kit's lessons: Markdown in `hints/`, one file a lesson, so that they are data.

A heading ``# static_branch`` names an exercise, ``## purity`` below it a criterion or the rule of
a finding, and the numbered list below that has the hints. A heading may name several, separated by
commas: they have these hints in common.
"""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "hints"

Hints = dict[str, tuple[str, ...]]
"""The hints of an exercise, by criterion or by rule of a finding."""


def read_hints(lesson: str) -> dict[str, Hints]:
    """Return the hints of a lesson by exercise, as `Exercise` takes them."""
    found: dict[str, Hints] = {}
    text = (_FOLDER / f"{lesson}.md").read_text(encoding="utf-8")
    for part in re.split(r"^# ", text, flags=re.M)[1:]:
        names, *sections = re.split(r"^## ", part, flags=re.M)
        for section in sections:
            keys, *hints = re.split(r"^\d\. ", section, flags=re.M)
            given = tuple(" ".join(hint.split()) for hint in hints)
            for name in names.strip().split(", "):
                found.setdefault(name, {}).update(dict.fromkeys(keys.strip().split(", "), given))
    return found
