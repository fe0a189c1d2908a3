"""Submissions as small files: a header with the expected result, then a solution cell.

    # right: WHAT; exercise: NAME
    # wrong: WHAT; exercise: NAME; must fail: CRITERION[, CRITERION]; says: PHRASE
    # starter: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE
    # empty: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE

Those of drills are short, and share the file `drills.ipy`: each begins with a line `# %%`.

A starter is only a header: its code is the lesson's own. A finding of the first criterion that
must fail has to hold the PHRASE.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.lessons.course import submissions_in
from autograder.model.report import CRITERIA

KINDS = ("right", "wrong", "starter", "empty")


class HeaderError(ValueError):
    """The first line of a submission does not give the expected result."""


@dataclass(frozen=True)
class Submission:
    """One file, or one cell of one; `must_fail` is empty where all points are expected.

    `source` is None for the starter, which the lesson holds.
    """

    name: str
    kind: str
    exercise: str
    source: str | None
    must_fail: tuple[str, ...] = ()
    says: str = ""


def read_submission(path: Path) -> Submission:
    """Read one file; see `parse_submission`."""
    return parse_submission(path.name, path.read_text(encoding="utf-8"))


def parse_submission(name: str, source: str) -> Submission:
    """Read the text of one submission.

    Raises:
        HeaderError: its first line is not a header as described above.
    """
    first = source.partition("\n")[0]
    head, _, says = first.removeprefix("# ").partition("; says: ")
    parts = (part.partition(":") for part in head.split("; "))
    fields = {name.strip(): value.strip() for name, _, value in parts}
    kind = next(iter(fields))
    must_fail = tuple(c.strip() for c in fields.get("must fail", "").split(",") if c.strip())
    known = kind in KINDS and "exercise" in fields and set(must_fail) <= set(CRITERIA)
    # Right submissions, and no others, have no criterion that must fail and no PHRASE.
    if not known or (kind == "right") != (not must_fail) or bool(must_fail) != bool(says):
        raise HeaderError(
            f"{name}: the first line must be `# right: WHAT; exercise: NAME`, or "
            "`# wrong: WHAT; exercise: NAME; must fail: CRITERION; says: PHRASE` "
            f"(or starter, empty); it is {first!r}"
        )
    given = None if kind == "starter" else source
    return Submission(name, kind, fields["exercise"], given, must_fail, says.strip())


def find_submissions(root: Path, lesson: str) -> list[Submission]:
    """Return the submissions of a lesson, sorted by file name."""
    return [read_submission(path) for path in sorted((submissions_in(root) / lesson).glob("*.py"))]


def find_all_submissions(root: Path, lesson: str) -> list[Submission]:
    """Return the submissions of a lesson, and those of its drills."""
    return [*find_submissions(root, lesson), *find_drill_submissions(root, lesson)]


def find_drill_submissions(root: Path, lesson: str) -> list[Submission]:
    """Return the submissions of a lesson's drills; none where it has no drills."""
    path = submissions_in(root) / lesson / "drills.ipy"
    if not path.is_file():
        return []
    sources = path.read_text(encoding="utf-8").split("# %%\n")[1:]
    return [parse_submission(_name_drill(source), source) for source in sources]


def _name_drill(source: str) -> str:
    """Return what stands before the criterion in the header: kind, mistake and drill."""
    return source.partition("\n")[0].removeprefix("# ").partition("; must fail")[0]
