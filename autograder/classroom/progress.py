"""The display of a grading run: live in a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from autograder.classroom.outcome import Outcome
from autograder.core.printable import one_line
from autograder.render.terminal import plain

LATEST = 8
"""Number of the latest submissions that are shown above the bar."""


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
        self._latest: deque[str] = deque(maxlen=LATEST)
        self._count, self._done, self._several = 0, 0, False
        self._started = time.monotonic()
        self._progress = Progress(
            TextColumn("grading"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
        )
        self._task = self._progress.add_task("grading", total=None)
        self._live: Live | None = None

    def begin(self, counts: Mapping[str, int]) -> None:
        """Set the number of submissions of each assignment."""
        self._count, self._several = sum(counts.values()), len(counts) > 1
        self._progress.update(self._task, total=self._count)

    def add(self, assignment: str, outcome: Outcome) -> None:
        """Show one more outcome."""
        self._done += 1
        line = outcome_line(outcome, assignment if self._several else "")
        if self._live is None:
            spent = time.monotonic() - self._started
            left = spent / self._done * (self._count - self._done)
            text = f"[{self._done}/{self._count}, {left:.0f} s left] {line}"
            self._console.print(plain(text), soft_wrap=True)
            return
        self._latest.append(line)
        self._progress.advance(self._task)
        self._live.update(Group(*map(plain, self._latest), self._progress))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Keep the live display on the screen, where the console is a terminal."""
        if not self._console.is_terminal:
            yield
            return
        with Live(self._progress, console=self._console, transient=True) as self._live:
            yield
        self._live = None
