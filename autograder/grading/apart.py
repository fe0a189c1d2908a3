"""Reads submissions apart: in a child process with limits on CPU time and memory.

What reads source, metadata or texts is trusted code, but what it reads may be made to keep it busy
for ever, or to fill the memory. So none of it runs in the process that grades. One child serves
this process, one reading after the other. It is ended when a reading exceeds a limit, and the next
reading starts another. It is the same on every system; only the limits that the child sets itself
(`apart_process`) need a Unix.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable
from typing import IO, Any

from autograder.grading import messages, readings
from autograder.model.kit_fault import CannotJudge, KitFault
from autograder.model.messages import KIT_FAILED, MACHINE_BUSY
from autograder.processes.child_process import ONE_CORE, end, module_command, start
from autograder.processes.frames import FrameError, FrameQueue, send_frame
from autograder.processes.usage import Overdue, Stopwatch, family, resident_bytes

# Copied when the kit is imported, before a student's cell can change it.
_ENVIRONMENT = dict(os.environ)

SECONDS = 10.0
"""CPU time of one reading; that of a lesson's submission takes some 0.05 s."""
RESIDENT = 2**30
"""Bytes of memory of the child; it begins with less than a tenth of this."""
START_SECONDS = 120.0
POLL_SECONDS = 0.05

_NOTHING = {"function": [readings.nothing.__module__, "nothing"], "arguments": []}


class OutOfLimits(Exception):
    """A reading exceeded its limits; `problem` says which, as a part of a sentence."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


class ReadingFailed(KitFault):
    """The kit failed on what it read; `problem` says how, as a part of a sentence."""

    def __init__(self, error: str) -> None:
        super().__init__(KIT_FAILED.format(error=error, where=""))
        self.problem = messages.READING_FAILED.format(error=error)


class ReaderError(CannotJudge):
    """No process that reads can be started here; no submission is to blame."""


class Reader:
    """A child process that reads: it starts when it is first needed, or was ended.

    Args:
        seconds: of CPU time that one reading may take.
        resident: bytes of memory that the child may have.
    """

    def __init__(self, seconds: float = SECONDS, resident: int = RESIDENT) -> None:
        self._seconds, self._resident = seconds, resident
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._frames: FrameQueue | None = None
        self._log: IO[bytes] | None = None
        self._is_ready = False

    def launch(self) -> None:
        """Start the child, if there is none, without waiting until it is ready.

        Raises:
            ReaderError: it cannot be started here.
        """
        with self._lock:
            self._launch()

    def _launch(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        self._end()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        environment = {**_ENVIRONMENT, **ONE_CORE, "PYTHONHASHSEED": "1"}
        command = module_command("autograder.grading.apart_process", str(self._seconds))
        try:
            self._process = start(command, environment, tempfile.gettempdir(), self._log)
        except OSError as error:
            self._end()
            raise ReaderError(messages.NO_READER.format(problem=error)) from None
        assert self._process.stdout is not None
        self._frames = FrameQueue(self._process.stdout)

    def read(self, function: Callable[..., Any], *arguments: Any, raw: bytes | None = None) -> Any:
        """Call a function in the child, and return what it returns.

        Args:
            function: of a module of the kit. It takes and returns what JSON can hold. Its module
                should not import JAX, which takes a second.
            arguments: what it is called with.
            raw: bytes that it takes as its last argument, if any.

        Raises:
            OutOfLimits: it took too much time or memory, or is nested too deeply.
            ReadingFailed: it raised anything else.
            KitFault: the machine is too busy.
            ReaderError: no child can be started here.
        """
        request = {
            "function": [function.__module__, function.__qualname__],
            "arguments": list(arguments),
        }
        blobs = [] if raw is None else [raw]
        with self._lock:
            answer = self._ask(request, blobs) or self._ask(request, blobs)
            if answer is None:  # twice: is it the submission, or does no child live here?
                if self._ask(_NOTHING, []) is None:
                    raise ReaderError(messages.NO_READER.format(problem="it ends at once"))
                raise OutOfLimits(messages.OUT_OF_LIMITS["died"])
        if "failed" in answer:
            raise ReadingFailed(answer["failed"])
        if "out" in answer:
            gib = self._resident / 2**30
            text = messages.OUT_OF_LIMITS[answer["out"]]
            raise OutOfLimits(text.format(seconds=self._seconds, gib=gib))
        return answer["result"]

    def _ask(self, request: dict[str, Any], blobs: list[bytes]) -> dict[str, Any] | None:
        """Return what the child answers; None where it ended instead."""
        self._launch()
        process = self._process
        assert process is not None and process.stdin is not None
        done = False
        try:
            if not self._is_ready:
                self._wait_until_ready()
            try:
                send_frame(process.stdin, request, blobs)
            except OSError:  # the child has ended
                return None
            answer = self._receive(process)
            # A reading may leave much behind, which must not count against the next.
            done = (
                answer is not None
                and "result" in answer
                and resident_bytes(process.pid) < self._resident / 2
            )
            return answer
        finally:
            if not done:  # nobody may take its answer for that to another request
                self._end()

    def _wait_until_ready(self) -> None:
        assert self._frames is not None
        try:
            self._frames.next(START_SECONDS)
        except (FrameError, TimeoutError):
            raise ReaderError(messages.NO_READER.format(problem=self._last_words())) from None
        self._is_ready = True

    def _receive(self, process: subprocess.Popen[bytes]) -> dict[str, Any] | None:
        assert self._frames is not None
        stopwatch: Stopwatch | None = None  # most readings are done before one is needed
        while True:
            try:
                answer, blobs = self._frames.next(POLL_SECONDS)
                return {"result": json.loads(blobs[0])} if blobs else answer
            except TimeoutError:
                pass
            except (FrameError, ValueError, RecursionError):
                return None
            if sum(map(resident_bytes, family(process.pid))) > self._resident:
                return {"out": "memory"}
            stopwatch = stopwatch or Stopwatch(process.pid)
            overdue = stopwatch.overdue(self._seconds)
            if overdue is Overdue.TIMEOUT:
                return {"out": "time"}
            if overdue is not None:
                raise KitFault(MACHINE_BUSY)

    def _last_words(self) -> str:
        assert self._log is not None
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "it ended"

    def close(self) -> None:
        """End the child, if there is one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        self._is_ready = False
        if self._process is not None:
            end(self._process)
            self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None


_shared = Reader()
atexit.register(_shared.close)


def shared_reader() -> Reader:
    """Return this process's own reader, which ends with the process."""
    return _shared


def read_if_possible(
    function: Callable[..., Any], *arguments: Any, raw: bytes | None = None
) -> Any | None:
    """Call a function as `read_apart` does; None where it exceeds the limits, or fails."""
    try:
        return read_apart(function, *arguments, raw=raw)
    except (OutOfLimits, ReadingFailed):
        return None


def read_apart(function: Callable[..., Any], *arguments: Any, raw: bytes | None = None) -> Any:
    """Call a function in this process's own reader; see `Reader.read`."""
    return _shared.read(function, *arguments, raw=raw)
