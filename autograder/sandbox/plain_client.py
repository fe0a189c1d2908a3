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
from functools import lru_cache
from typing import Any

import psutil

from autograder.model.kit_fault import CannotJudge
from autograder.processes.child_process import compiling_fast, module_command
from autograder.processes.frames import MAX_ANSWER, FrameError
from autograder.processes.usage import descendants
from autograder.processes.watched_child import Unanswered, WatchedChild
from autograder.sandbox.keeper import Limits
from autograder.sandbox.zygote_client import START_SECONDS, Answer, worker_settings

_DROPPED = ("JAX_", "XLA_PYTHON", "PYTHONHASHSEED", "PYTHONOPTIMIZE", "PYTHONSTARTUP")
"""How the names of settings begin that must not decide how a notebook is judged."""


class _PlainWorker:
    """A child process that waits for one request. `second` decides its hash seed."""

    def __init__(self, *, second: bool) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        environment = {k: v for k, v in os.environ.items() if not k.startswith(_DROPPED)}
        environment |= worker_settings(second=second)
        command = module_command("autograder.sandbox.plain_process", str(int(second)))
        folder = self._folder.name
        try:
            self.child = WatchedChild(command, compiling_fast(environment), folder, MAX_ANSWER)
        except OSError as error:
            self._folder.cleanup()
            raise CannotJudge(f"no worker could be started: {error}") from None

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits) -> Answer:
        """Serve the request and return the answer; for the errors, see `PlainWorkers.ask`."""
        child = self.child
        try:
            child.frames.next(START_SECONDS)
            child.send(request, [part])
        except (FrameError, TimeoutError, OSError):
            problem = child.last_words() or "the process ended"
            raise CannotJudge(f"no worker could be started: {problem}") from None

        # The second process of a submission waits while the first computes: sleeping counts.
        seconds, resident = limits.seconds, limits.resident
        try:
            return Answer(
                *child.receive(seconds, resident, processes=limits.processes, may_sleep=True)
            )
        except Unanswered as error:
            return Answer(reason=error.reason)

    def close(self) -> None:
        """End the process and all that it started, and remove its folder."""
        for started in descendants(self.child.process.pid):
            with contextlib.suppress(psutil.Error):
                psutil.Process(started).kill()
        self.child.close()
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
            CannotJudge: none can be started here.
        """
        with self._lock:
            for second in self._kinds:
                self._start(second)

    def _start(self, second: bool) -> None:
        if second in self._waiting:
            if self._waiting[second].child.is_alive():
                return
            self._waiting.pop(second).close()
        self._waiting[second] = _PlainWorker(second=second)

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits, *, second: bool) -> Answer:
        """Serve one request in a process of its own and return its answer.

        Args:
            request: cells, and calls by exercise.
            part: of the rubric, for the worker (`autograder.sandbox.worker_part`).
            limits: of the process and all that it starts.
            second: whether it is the second of a notebook's two workers.

        Raises:
            CannotJudge: no worker can be started here.
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


@lru_cache
def shared_workers() -> PlainWorkers:
    """Return this process's own workers, which end with the process."""
    workers = PlainWorkers()
    atexit.register(workers.close)
    return workers
