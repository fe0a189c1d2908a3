"""What a grader hands over to nbgrader's converter in the same process.

`autograder grade` has read, repaired and graded a submission when it has nbgrader record it. The
preprocessors take that result as it is. Under `nbgrader autograde` nothing is handed over, and they
prepare and grade the submission themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from autograder.grading.repair import Repaired
from autograder.grading.store import Graded


@dataclass(frozen=True)
class Handover:
    """A graded submission: its repaired notebook, the notes for the student, and its result."""

    repaired: Repaired
    notes: tuple[str, ...]
    graded: Graded


_handed_over: dict[tuple[str, str], Handover] = {}


@contextmanager
def hand_over(assignment: str, student: str, handover: Handover) -> Iterator[None]:
    """Let nbgrader's preprocessors find a submission's result while the context lasts."""
    _handed_over[assignment, student] = handover
    try:
        yield
    finally:
        del _handed_over[assignment, student]


def find_handover(assignment: str, student: str) -> Handover | None:
    """Return what was handed over for a submission; None under nbgrader's own command."""
    return _handed_over.get((assignment, student))
