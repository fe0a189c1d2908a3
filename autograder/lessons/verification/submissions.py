"""Submissions as cases of a file: a header with the expected result, then a solution cell.

    # right: WHAT; exercise: NAME
    # wrong: WHAT; exercise: NAME; must fail: CRITERION[, CRITERION]; says: PHRASE
    # starter: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE
    # empty: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE

`submissions/LESSON.py` has those of a lesson, `submissions/drills/LESSON.py` those of its drills;
`cases.py` beside this file describes such files.

A starter is only a header: its code is the lesson's own. A finding of the first criterion that
must fail has to hold the PHRASE.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.lessons.course import submissions_in
from autograder.lessons.lesson import LessonError
from autograder.lessons.verification.cases import CaseText, read_cases, read_fields
from autograder.model.report import CRITERIA

KINDS = ("right", "wrong", "starter", "empty")
FIELDS = (*KINDS, "exercise", "must fail", "says")

BAD_HEADER = (
    "{case}: the first line must be `# right: WHAT; exercise: NAME`, or `# wrong: WHAT; exercise: "
    "NAME; must fail: CRITERION; says: PHRASE` (or starter, empty); it is {line!r}"
)


@dataclass(frozen=True)
class Submission:
    """One submission; `must_fail` is empty where all points are expected.

    `source` is None for the starter, which the lesson holds.
    """

    name: str
    kind: str
    exercise: str
    source: str | None
    must_fail: tuple[str, ...] = ()
    says: str = ""


def read_submission(case: CaseText) -> Submission:
    """Read one submission.

    Raises:
        LessonError: its first line is not a header as described above.
    """
    fields = read_fields(case, case.header, FIELDS)
    kind, says = next(iter(fields)), fields.get("says", "")
    must_fail = tuple(c.strip() for c in fields.get("must fail", "").split(",") if c.strip())
    known = kind in KINDS and "exercise" in fields and set(must_fail) <= set(CRITERIA)
    # Right submissions, and no others, have no criterion that must fail and no PHRASE.
    if not known or (kind == "right") != (not must_fail) or bool(must_fail) != bool(says):
        raise LessonError(BAD_HEADER.format(case=case, line=case.header))
    source = None if kind == "starter" else case.text
    return Submission(case.name, kind, fields["exercise"], source, must_fail, says)


def submissions_file(root: Path, lesson: str) -> Path:
    """Return the file with a lesson's submissions; those of its drills are `drills/LESSON`'s."""
    return submissions_in(root) / f"{lesson}.py"


def find_submissions(root: Path, lesson: str) -> list[Submission]:
    """Return the submissions of a lesson, in the order of their file; none where it is missing."""
    path = submissions_file(root, lesson)
    return [read_submission(case) for case in read_cases(path)] if path.is_file() else []


def find_all_submissions(root: Path, lesson: str) -> list[Submission]:
    """Return the submissions of a lesson, and those of its drills."""
    return [*find_submissions(root, lesson), *find_submissions(root, f"drills/{lesson}")]
