"""The learner's side of a plain worker: a child process for each run of a notebook, on any system.

A child imports JAX before it is asked, which takes seconds: `launch` early, and a check need not
wait for it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import tempfile
import threading
from typing import Any

import psutil

from autograder.processes.child_process import ONE_CORE, compiling_fast, end, module_command, start
from autograder.processes.frames import MAX_ANSWER, FrameError, FrameQueue, send_frame
from autograder.processes.usage import Stopwatch, descendants, family, resident_bytes
from autograder.sandbox.keeper import POLL_SECONDS, Limits
from autograder.sandbox.zygote_client import START_SECONDS, Answer, WorkerError

_DROPPED = ("JAX_", "XLA_PYTHON", "PYTHONHASHSEED", "PYTHONOPTIMIZE", "PYTHONSTARTUP")
"""How the names of settings begin that must not decide how a notebook is judged."""


class _PlainWorker:
    """A child process that waits for one request. `second` decides its hash seed."""

    def __init__(self, *, second: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(_DROPPED)}
        environment |= {
            "MPLBACKEND": "Agg",
            "JAX_PLATFORMS": "cpu",
            **ONE_CORE,
            "PYTHONHASHSEED": "2" if second else "1",  # fixed, so that the report does not vary
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = module_command("autograder.sandbox.plain_process", str(int(second)))
        try:
            self._process = start(
                command, compiling_fast(environment), self._folder.name, self._log
            )
        except OSError as error:
            self._log.close()
            self._folder.cleanup()
            raise WorkerError(f"no worker could be started: {error}") from None
        assert self._process.stdout is not None
        self._frames = FrameQueue(self._process.stdout, MAX_ANSWER)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits) -> Answer:
        """Serve the request and return the answer; for the errors, see `PlainWorkers.ask`."""
        assert self._process.stdin is not None
        try:
            self._frames.next(START_SECONDS)
            send_frame(self._process.stdin, request, [part])
        except (FrameError, TimeoutError, OSError):
            raise WorkerError(f"no worker could be started: {self._last_words()}") from None
        # The second process of a submission waits while the first computes: sleeping counts.
        stopwatch = Stopwatch(self._process.pid, may_sleep=True)
        while True:
            try:
                header, blobs = self._frames.next(POLL_SECONDS)
                return Answer(header, blobs)
            except FrameError:
                return Answer(reason="died")
            except TimeoutError:
                pass
            reason = stopwatch.overdue(limits.seconds) or self._exceeded(limits)
            if reason:
                return Answer(reason=reason)

    def _exceeded(self, limits: Limits) -> str:
        found = family(self._process.pid)
        if len(found) > limits.processes:
            return "processes"
        return "memory" if sum(map(resident_bytes, found)) > limits.resident else ""

    def _last_words(self) -> str:
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1][:300] if lines else "the process ended"

    def close(self) -> None:
        """End the process and all that it started, and remove its folder."""
        for started in descendants(self._process.pid):
            with contextlib.suppress(psutil.Error):
                psutil.Process(started).kill()
        end(self._process)
        self._log.close()
        self._folder.cleanup()


class PlainWorkers:
    """The learner's workers: those that wait, at most one of each kind, and those at work.

    The second worker is only made ready once a notebook has needed one: most never do.
    """

    def __init__(self) -> None:
        self._kinds = [False]
        self._lock = threading.Lock()
        self._waiting: dict[bool, _PlainWorker] = {}
        self._busy: set[_PlainWorker] = set()

    def launch(self) -> None:
        """Start those that are missing without waiting until they are ready.

        Raises:
            WorkerError: none can be started here.
        """
        with self._lock:
            for second in self._kinds:
                self._start(second)

    def _start(self, second: bool) -> None:
        if second in self._waiting and self._waiting[second].is_alive():
            return
        self._waiting[second] = _PlainWorker(second=second)

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits, *, second: bool) -> Answer:
        """Serve one request in a process of its own and return its answer.

        Args:
            request: cells, and calls by exercise.
            part: of the rubric, for the worker (`autograder.sandbox.worker_part`).
            limits: of the process and all that it starts.
            second: whether it is the second of a notebook's two workers.

        Raises:
            WorkerError: no worker can be started here.
        """
        with self._lock:
            self._kinds = [False, True] if second else self._kinds
            self._start(second)
            worker = self._waiting.pop(second)
            self._busy.add(worker)
        try:
            return worker.ask(request, part, limits)
        finally:
            with self._lock:
                self._busy.discard(worker)
            worker.close()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            workers = [*self._waiting.values(), *self._busy]
            self._waiting.clear()
        for worker in workers:
            worker.close()


_shared: PlainWorkers | None = None


def shared_workers() -> PlainWorkers:
    """Return this process's own workers, which end with the process."""
    global _shared
    if _shared is None:
        _shared = PlainWorkers()
        atexit.register(_shared.close)
    return _shared
