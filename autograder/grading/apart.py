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
import tempfile
import threading
from collections.abc import Callable
from typing import Any

from autograder.grading import messages, readings
from autograder.model.kit_fault import CannotJudge, KitFault
from autograder.model.messages import KIT_FAILED, MACHINE_BUSY
from autograder.processes.child_process import ONE_CORE, module_command
from autograder.processes.frames import FrameError
from autograder.processes.usage import Overdue, resident_bytes
from autograder.processes.watched_child import Unanswered, WatchedChild

# Copied when the kit is imported, before a student's cell can change it.
_ENVIRONMENT = dict(os.environ)

SECONDS = 10.0
"""CPU time of one reading; that of a lesson's submission takes some 0.05 s."""
RESIDENT = 2**30
"""Bytes of memory of the child; it begins with less than a tenth of this."""
START_SECONDS = 120.0

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


class Reader:
    """A child process that reads: it starts when it is first needed, or was ended.

    Args:
        seconds: of CPU time that one reading may take.
        resident: bytes of memory that the child may have.
    """

    def __init__(self, seconds: float = SECONDS, resident: int = RESIDENT) -> None:
        self._seconds, self._resident = seconds, resident
        self._lock = threading.Lock()
        self._child: WatchedChild | None = None

    def launch(self) -> None:
        """Start the child, if there is none, without waiting until it is ready.

        Raises:
            CannotJudge: it cannot be started here.
        """
        with self._lock:
            self._launch()

    def _launch(self) -> WatchedChild:
        if self._child is not None and self._child.is_alive():
            return self._child
        self._end()
        environment = {**_ENVIRONMENT, **ONE_CORE, "PYTHONHASHSEED": "1"}
        command = module_command("autograder.grading.apart_process", str(self._seconds))
        try:
            self._child = WatchedChild(command, environment, tempfile.gettempdir())
        except OSError as error:
            raise CannotJudge(messages.NO_READER.format(problem=error)) from None
        return self._child

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
            CannotJudge: no child can be started here.
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
                    raise CannotJudge(messages.NO_READER.format(problem="it ends at once"))
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
        child = self._launch()
        done = False
        try:
            if not child.is_ready:
                self._wait_until_ready(child)
            child.send(request, blobs)
            answer, found = child.receive(self._seconds, self._resident)
            if not found:
                return answer
            result = json.loads(found[0])
            # A reading may leave much behind, which must not count against the next.
            done = resident_bytes(child.process.pid) < self._resident / 2
            return {"result": result}
        except (OSError, ValueError, RecursionError):  # the child has ended, or answers nonsense
            return None
        except Unanswered as error:
            if error.reason in (Overdue.STARVED, Overdue.STALLED):
                raise KitFault(MACHINE_BUSY) from None
            out = {Overdue.TIMEOUT: "time", "memory": "memory"}.get(error.reason)
            return {"out": out} if out else None
        finally:
            if not done:  # nobody may take its answer for that to another request
                self._end()

    def _wait_until_ready(self, child: WatchedChild) -> None:
        try:
            child.frames.next(START_SECONDS)
        except (FrameError, TimeoutError):
            problem = child.last_words() or "it ended"
            raise CannotJudge(messages.NO_READER.format(problem=problem)) from None
        child.is_ready = True

    def close(self) -> None:
        """End the child, if there is one."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


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
