"""A child process that answers requests, and is watched while it works on one."""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from typing import IO, Any

from autograder.processes.child_process import end, with_kit
from autograder.processes.frames import MAX_HEADER, FrameError, FrameQueue, send_frame
from autograder.processes.usage import Stopwatch, family, resident_bytes

POLL_SECONDS = 0.05
"""How often a child's time, and what else is limited, are checked while it works."""


class Unanswered(Exception):
    """A child has not answered; `reason` is "died", an `Overdue`, "memory" or "processes"."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WatchedChild:
    """A child that talks in frames on its standard input and output. Ctrl-C does not end it.

    Args:
        command: see `autograder.processes.child_process.module_command`.
        environment: the whole of it, but for what the child needs to import the kit.
        folder: that it runs in.
        max_header: of the frames that it writes, see `read_frame`.

    Attributes:
        process: the child.
        frames: that it writes.
        is_ready: for whoever waits until it is, to note it.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        folder: str,
        max_header: int = MAX_HEADER,
    ) -> None:
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                env=with_kit(environment),
                cwd=folder,
                creationflags=flags,
                start_new_session=sys.platform != "win32",
            )
        except OSError:
            self._log.close()
            raise
        assert self.process.stdout is not None
        self.frames = FrameQueue(self.process.stdout, max_header)
        self.is_ready = False

    def is_alive(self) -> bool:
        """Whether the child has not ended."""
        return self.process.poll() is None

    def send(self, header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
        """Send the child a frame, as `send_frame` does."""
        assert self.process.stdin is not None
        send_frame(self.process.stdin, header, blobs)

    def receive(
        self,
        seconds: float,
        resident: int,
        *,
        processes: float = math.inf,
        alone: bool = False,
        may_sleep: bool = False,
    ) -> tuple[dict[str, Any], list[bytes]]:
        """Return the child's next frame.

        Args:
            seconds: that it may take; see `Stopwatch`, for `may_sleep` too.
            resident: bytes of memory that it and all below it may have.
            processes: how many these may be.
            alone: whether what is below it may have any memory and number.

        Raises:
            Unanswered: there is no frame; the child may still run.
        """
        stopwatch = Stopwatch(self.process.pid, may_sleep=may_sleep)
        while True:
            try:
                return self.frames.next(min(POLL_SECONDS, seconds))
            except FrameError:
                raise Unanswered("died") from None
            except TimeoutError:
                pass
            counted = [self.process.pid] if alone else family(self.process.pid)
            if len(counted) > processes:
                raise Unanswered("processes")
            if sum(map(resident_bytes, counted)) > resident:
                raise Unanswered("memory")
            if reason := stopwatch.overdue(seconds):
                raise Unanswered(reason)

    def last_words(self) -> str:
        """End the child, and return the last line that it wrote to standard error; "" for none."""
        end(self.process)
        return last_line(self._log)

    def close(self) -> None:
        """End the child."""
        end(self.process)
        self._log.close()


def last_line(log: IO[bytes]) -> str:
    """Return the last line of what a process has written to a file; "" for none."""
    size = log.seek(0, os.SEEK_END)
    log.seek(max(0, size - 4000))
    lines = log.read().decode(errors="replace").strip().splitlines()
    return lines[-1][:300] if lines else ""
