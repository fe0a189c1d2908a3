"""Processes that check lessons: what ends or hangs one of them is named, and the rest goes on."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import psutil

from autograder.processes.usage import family

SECONDS = 180.0
ENDED = "it ended the process that checks it (exit status {status}): does it call os._exit?"
ENDLESS = "it took longer than {seconds:g} s: does its loop end?"


@dataclass(frozen=True)
class Row:
    """One check; `problems` is empty when it passes."""

    lesson: str
    what: str
    problems: list[str]
    seconds: float = 0.0


@dataclass(frozen=True)
class Check:
    """A check that is still to be made.

    Attributes:
        lesson, what: as in the row that says how it went.
        run: makes it.
        seconds: that it may take; None: as long as it likes.
    """

    lesson: str
    what: str
    run: Callable[[], list[Row]]
    seconds: float | None = SECONDS


ListChecks = Callable[..., Sequence[Check]]
"""A function of a module, whose arguments can be pickled."""


class Checker:
    """A process that makes checks, one after the other; it is started again when it has ended.

    Args:
        turn: counts the processes, which take turns on the cores.
    """

    def __init__(self, turn: Any) -> None:
        self._turn = turn
        self._process: Any = None
        self._connection: Connection | None = None

    def rows(self, list_checks: ListChecks, *arguments: Any) -> Iterator[Row]:
        """Make all checks that `list_checks(*arguments)` returns in the process.

        Raises:
            RuntimeError: the process ended between two checks.
        """
        done = 0
        while (announced := self._announced(list_checks, arguments, done)) is not None:
            lesson, what, seconds = announced
            done += 1
            assert self._connection is not None
            try:
                if self._connection.poll(seconds):
                    yield from self._connection.recv()
                    continue
                problem = ENDLESS.format(seconds=seconds)
            except (EOFError, ConnectionResetError):
                self._process.join()
                problem = ENDED.format(status=self._process.exitcode)
            self.end()
            yield Row(lesson, what, [problem])

    def _announced(
        self, list_checks: ListChecks, arguments: tuple[Any, ...], done: int
    ) -> tuple[str, str, float | None] | None:
        """Return the check that the process begins; None after the last one."""
        if self._connection is None or done == 0:
            self._started().send((list_checks, arguments, done))
        assert self._connection is not None
        try:
            return self._connection.recv()
        except (EOFError, ConnectionResetError):
            self.end()
            raise RuntimeError(f"a process ended between two checks of {arguments}") from None

    def _started(self) -> Connection:
        if self._connection is None:
            context = multiprocessing.get_context("spawn")
            self._connection, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self._turn), daemon=True)
            self._process.start()
            theirs.close()
        return self._connection

    def end(self) -> None:
        """End the process, and all that it has started."""
        if self._connection is not None:
            for pid in family(self._process.pid):
                with contextlib.suppress(psutil.Error):
                    psutil.Process(pid).kill()
            self._process.join()
            self._connection.close()
            self._connection = None


def _serve(connection: Connection, turn: Any) -> None:
    """Make the checks that are asked for, each announced before it begins."""
    _prepare(turn)
    while True:
        try:
            list_checks, arguments, done = connection.recv()
        except EOFError:
            return
        for check in list_checks(*arguments)[done:]:
            connection.send((check.lesson, check.what, check.seconds))
            connection.send(check.run())
        connection.send(None)


def _prepare(turn: Any) -> None:
    """Prepare a process.

    It ends with its parent. It keeps to one core, like its judge and kernels, which work only while
    it waits: XLA's threads would slow the other processes down.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with turn.get_lock():
            os.sched_setaffinity(0, {cores[turn.value % len(cores)]})
            turn.value += 1
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
