"""How a grading run shows itself: a live display in a terminal, plain lines elsewhere."""

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

SHOWN = 8
"""Lines of the latest submissions under the bar."""


def line(outcome: Outcome, assignment: str = "") -> str:
    """One submission in one line; of which assignment, where there are several."""
    how = "" if outcome.fresh else "  (known)"
    seconds = f"{outcome.graded.seconds:5.1f} s" if outcome.graded and outcome.fresh else " " * 7
    look = f"  ! {outcome.look[0]}" if outcome.look else ""
    of = f"{assignment:<18} " if assignment else ""
    return f"{of}{one_line(outcome.student):<20} {seconds}  {outcome.mark()}{how}{look}"


class Display:
    """Told of each outcome; `begin` with the number of submissions of each assignment first."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._latest: deque[str] = deque(maxlen=SHOWN)
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
        self._count, self._several = sum(counts.values()), len(counts) > 1
        self._progress.update(self._task, total=self._count)

    def tell(self, assignment: str, outcome: Outcome) -> None:
        self._done += 1
        shown = line(outcome, assignment if self._several else "")
        if self._live is None:
            spent = time.monotonic() - self._started
            left = spent / self._done * (self._count - self._done)
            text = f"[{self._done}/{self._count}, {left:.0f} s left] {shown}"
            self._console.print(plain(text), soft_wrap=True)
            return
        self._latest.append(shown)
        self._progress.advance(self._task)
        self._live.update(self._shown())

    def _shown(self) -> Group:
        return Group(*map(plain, self._latest), self._progress)

    @contextmanager
    def running(self) -> Iterator[Display]:
        if not self._console.is_terminal:
            yield self
            return
        with Live(self._shown(), console=self._console, transient=True) as live:
            self._live = live
            yield self
        self._live = None
