"""Submissions as small files: a header that says what must come of them, then a solution cell.

    # right: WHAT; exercise: NAME
    # wrong: WHAT; exercise: NAME; must fail: CRITERION[, CRITERION]; says: PHRASE
    # starter: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE
    # empty: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE

A starter has no more than its header: its code is what the lesson ships. `says` is found in a
finding of the (first) criterion that must fail.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.core.report import CRITERIA
from autograder.lessons.course import Course

KINDS = ("right", "wrong", "starter", "empty")


class HeaderError(ValueError):
    """A submission whose first line does not say what must come of it."""


@dataclass(frozen=True)
class Submission:
    """One file; `must_fail` is empty for what is right."""

    path: Path
    kind: str
    what: str
    exercise: str
    must_fail: tuple[str, ...]
    says: str

    @property
    def source(self) -> str:
        return self.path.read_text(encoding="utf-8")


def read_submission(path: Path) -> Submission:
    """Read one file.

    Raises:
        HeaderError: its first line is not a header as described above.
    """
    first = path.read_text(encoding="utf-8").partition("\n")[0]
    head, says, phrase = first.removeprefix("# ").partition("; says: ")
    parts = (part.partition(":") for part in head.split("; "))
    fields = {name.strip(): value.strip() for name, _, value in parts}
    fields |= {"says": phrase.strip()} if says else {}
    kind = next(iter(fields))
    must_fail = tuple(c.strip() for c in fields.get("must fail", "").split(",") if c.strip())
    wanted = kind in KINDS and "exercise" in fields and set(must_fail) <= set(CRITERIA)
    if not wanted or (kind == "right") != (not must_fail) or bool(must_fail) != ("says" in fields):
        raise HeaderError(
            f"{path}: the first line must be `# right: WHAT; exercise: NAME`, or "
            "`# wrong: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE` "
            f"(or starter, empty); it is {first!r}"
        )
    return Submission(
        path, kind, fields[kind], fields["exercise"], must_fail, fields.get("says", "")
    )


def find_submissions(root: Path, lesson: str) -> list[Submission]:
    """The submissions of a lesson, sorted by file name."""
    return [read_submission(path) for path in Course(root).submissions(lesson)]
