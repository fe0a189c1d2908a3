"""Shows how far a command is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console

from autograder.render.terminal import plain

if TYPE_CHECKING:
    from rich.progress import Progress

T = TypeVar("T")
_SECONDS_BETWEEN_LINES = 5.0


class Steps:
    """How far a command is; nothing is shown here."""

    done = 0
    total: int | None = None

    def expect(self, total: int) -> None:
        """Set the number of steps."""
        self.total = total

    def begin(self, text: str) -> None:
        """Say what the next step does."""

    def finish(self) -> None:
        """Count one more step."""
        self.done += 1


class _Bar(Steps):
    """A bar below what the command prints, which goes away at its end."""

    def __init__(self, progress: Progress, what: str) -> None:
        self._progress = progress
        self._task = progress.add_task(str(plain(what)), total=None)

    def expect(self, total: int) -> None:
        super().expect(total)
        self._progress.update(self._task, total=total)

    def begin(self, text: str) -> None:
        self._progress.update(self._task, description=str(plain(text)))

    def finish(self) -> None:
        super().finish()
        self._progress.advance(self._task)


class _Lines(Steps):
    """A line every few seconds, so that a log shows that the command goes on."""

    def __init__(self, console: Console, what: str) -> None:
        self._console, self._text = console, what
        self._shown = time.monotonic()

    def begin(self, text: str) -> None:
        self._text = text

    def finish(self) -> None:
        super().finish()
        if time.monotonic() - self._shown > _SECONDS_BETWEEN_LINES and self.done != self.total:
            self._shown = time.monotonic()
            of = f" of {self.total}" if self.total else ""
            self._console.print(plain(f"{self._text}: {self.done}{of}"), soft_wrap=True)


@contextmanager
def progress(what: str, console: Console | None = None, *, lines: bool = True) -> Iterator[Steps]:
    """Show how far a command is, where it takes more than a moment.

    Args:
        what: is done, in a few words.
        console: that the command prints to meanwhile; by default, what is shown goes to stderr.
        lines: whether to print plain lines where there is no terminal. False for a command that
            prints a line at each step anyway.

    Yields:
        Call `expect` once their number is known, `begin` before a step and `finish` after it.

    Examples:
        >>> with progress("making the assignments") as steps:
        ...     steps.expect(len(lessons))
        ...     for lesson in lessons:
        ...         make(lesson)
        ...         steps.finish()
    """
    console = console or Console(stderr=True, highlight=False)
    if not console.is_terminal:
        yield _Lines(console, what) if lines else Steps()
        return
    # Most commands end without it, and its import takes a tenth of a second.
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = [TextColumn("{task.description}", markup=False), BarColumn()]
    columns += [MofNCompleteColumn(), TimeElapsedColumn()]
    with Progress(
        *columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False
    ) as bar:
        yield _Bar(bar, what)


def track(items: Sequence[T], what: str, console: Console | None = None) -> Iterator[T]:
    """Yield items, and show how many of them are done; see `progress`."""
    with progress(what, console) as steps:
        steps.expect(len(items))
        for item in items:
            yield item
            steps.finish()
