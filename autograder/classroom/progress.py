"""The lines of a grading run: one for each submission, as soon as it is recorded."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rich.console import Console

from autograder.classroom.outcome import Outcome
from autograder.model.printable import one_line
from autograder.render.terminal import plain


def outcome_line(outcome: Outcome, assignment: str = "") -> str:
    """Return one submission in one line, with its assignment where there are several."""
    known = "" if outcome.fresh else "  (known)"
    seconds = f"{outcome.graded.seconds:5.1f} s" if outcome.graded and outcome.fresh else " " * 7
    review = f"  ! {outcome.review[0]}" if outcome.review else ""
    of = f"{assignment:<18} " if assignment else ""
    return f"{of}{one_line(outcome.student):<20} {seconds}  {outcome.mark()}{known}{review}"


class Display:
    """Shows outcomes as they come; `begin` is called first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._count, self._done, self._several = 0, 0, False
        self._started = time.monotonic()

    def begin(self, counts: Sequence[int]) -> None:
        """Set the number of submissions of each assignment."""
        self._count, self._several = sum(counts), len(counts) > 1

    def add(self, assignment: str, outcome: Outcome) -> None:
        """Show one more outcome, how many there are, and about how long the others will take."""
        self._done += 1
        spent = time.monotonic() - self._started
        left = spent / self._done * (self._count - self._done)
        line = outcome_line(outcome, assignment if self._several else "")
        text = f"[{self._done}/{self._count}, {left:.0f} s left] {line}"
        self._console.print(plain(text), soft_wrap=True)
