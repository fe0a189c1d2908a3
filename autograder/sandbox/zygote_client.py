"""The grader's side of the zygotes: starts them, and has them fork a process for each request."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from autograder.model.kit_fault import CannotJudge
from autograder.processes.child_process import ONE_CORE, compiling_fast, module_command, with_kit
from autograder.processes.frames import (
    MAX_ANSWER,
    DeadlineReader,
    FrameError,
    read_frame,
    write_frame,
)
from autograder.processes.usage import PATIENCE
from autograder.processes.watched_child import last_line
from autograder.sandbox import namespaces
from autograder.sandbox.confinement import Protection, add_wall, protection
from autograder.sandbox.keeper import Limits

_REASONS = {"timeout", "stalled", "starved", "memory", "processes"}

START_SECONDS = 120.0
SLACK_SECONDS = 5.0

# A submission sees nothing else of the grader's environment.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "XLA_FLAGS", "TZ", "LD_LIBRARY_PATH", "PYTHONPATH")


@dataclass(frozen=True)
class Answer:
    """A worker's answer to a request, or why there is none.

    Attributes:
        header: of the answer's frame; None if there is no answer.
        blobs: of the same frame.
        reason: why there is no answer: "timeout", "stalled", "starved", "memory", "processes" or
            "died".
    """

    header: dict[str, Any] | None = None
    blobs: list[bytes] = field(default_factory=list)
    reason: str = ""


def worker_settings(*, second: bool) -> dict[str, str]:
    """Return what the environment of a worker says, on any machine.

    It has one thread only until its backend starts: others do not survive a fork. The hash seed of
    each of a notebook's two workers is fixed, so that the report does not vary.
    """
    return {
        "MPLBACKEND": "Agg",
        "JAX_PLATFORMS": "cpu",
        **ONE_CORE,
        "PYTHONHASHSEED": "2" if second else "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


class _Zygote:
    """One waiting process. A ``"second"`` one has another hash seed, clock and random numbers."""

    def __init__(self, service: str, strength: Protection) -> None:
        environment = {k: v for k, v in os.environ.items() if k in _KEPT}
        confine = strength is Protection.NAMESPACES
        scratch = namespaces.SCRATCH if confine else tempfile.gettempdir()
        environment |= {
            "HOME": scratch,
            "TMPDIR": scratch,
            "MPLCONFIGDIR": scratch,
            **worker_settings(second=service == "second"),
        }
        self._ready = False
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        command = module_command("autograder.sandbox.zygote_process", service, strength)
        with theirs:
            self._process = subprocess.Popen(
                add_wall(command) if confine else command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=compiling_fast(with_kit(environment)),
                cwd="/",
                start_new_session=True,
            )

    def wait_until_ready(self) -> None:
        if self._ready:
            return
        self._control.settimeout(START_SECONDS)
        with contextlib.suppress(OSError):
            self._ready = self._control.recv(16) == b"ready"
        self._control.settimeout(None)
        if not self._ready:
            problem = last_line(self._log) or "it ended"
            raise CannotJudge(f"no worker could be started: {problem}")

    def fork(self, order: dict[str, Any], descriptors: list[int]) -> None:
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(order).encode()], descriptors)
        except OSError as error:
            raise CannotJudge(f"the process that workers are forked from ended: {error}") from None

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._log.close()


class Fork:
    """A process forked for one submission, as the grader sees it.

    Attributes:
        requests: what it reads.
        answers: what it writes.
        lifeline: when this is closed, everything that the process started ends.
    """

    def __init__(self, zygote: _Zygote, limits: Limits, scratch: str) -> None:
        self.lifeline, theirs = socket.socketpair()
        request_out, request_in = os.pipe()
        answer_out, answer_in = os.pipe()
        self.requests = os.fdopen(request_in, "wb")
        self.answers = os.fdopen(answer_out, "rb")
        order = {"limits": vars(limits), "scratch": scratch}
        try:
            zygote.fork(order, [request_out, answer_in, theirs.fileno()])
        except CannotJudge:
            self.close()
            raise
        finally:
            os.close(request_out)
            os.close(answer_in)
            theirs.close()
        self.deadline = time.monotonic() + PATIENCE * limits.seconds + SLACK_SECONDS

    def exchange(self, request: dict[str, Any], blobs: Sequence[bytes]) -> Answer | None:
        """Send a request and read the answer; None if there is none in time."""
        try:
            write_frame(self.requests, request, blobs)
            reader = DeadlineReader(self.answers.fileno(), self.deadline)
            return Answer(*read_frame(reader, MAX_ANSWER))
        except (FrameError, BrokenPipeError, TimeoutError):
            return None

    def close_pipes(self) -> None:
        """Ask for nothing more: a process that is still writing must not wait for a reader."""
        with contextlib.suppress(BrokenPipeError):
            self.requests.close()
        self.answers.close()

    def wait_for_end(self) -> str:
        """Wait until everything has ended; return the keeper's reason, or "died" for none."""
        self.lifeline.settimeout(max(0.1, self.deadline - time.monotonic()))
        try:
            reason = self.lifeline.recv(64).decode(errors="replace")
        except OSError:  # the keeper itself hangs; closing the lifeline is all that we can do
            return "starved"
        if reason == "unconfined":
            raise CannotJudge("a worker could not be confined, although that worked at the start")
        return reason if reason in _REASONS else "died"

    def close(self) -> None:
        """Hang up, which ends everything."""
        self.lifeline.close()
        self.close_pipes()


class Zygotes:
    """Waiting processes, one a service. Launch them early: importing JAX takes them a second."""

    def __init__(self, services: Sequence[str] = ("worker", "second")) -> None:
        self.protection = protection()
        self._services = services
        self._lock = threading.RLock()
        self._zygotes: dict[str, _Zygote] = {}

    def launch(self) -> None:
        """Start the processes without waiting until they are ready."""
        with self._lock:
            if not self._zygotes:
                self._zygotes = {s: _Zygote(s, self.protection) for s in self._services}

    def _ready_zygote(self, service: str) -> _Zygote:
        with self._lock:
            self.launch()
            try:
                for zygote in self._zygotes.values():
                    zygote.wait_until_ready()
            except CannotJudge:
                self.close()
                raise
            return self._zygotes[service]

    @contextlib.contextmanager
    def fork(self, service: str, limits: Limits) -> Iterator[Fork]:
        """Fork a process, which ends with the block.

        Raises:
            CannotJudge: no process can be started here.
        """
        zygote = self._ready_zygote(service)
        folder = contextlib.nullcontext("")
        if self.protection is not Protection.NAMESPACES:
            folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        with folder as scratch:
            fork = Fork(zygote, limits, scratch)
            try:
                yield fork
            finally:
                fork.close()

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits, *, second: bool) -> Answer:
        """Serve one request in a new worker; see `PlainWorkers.ask`."""
        with self.fork("second" if second else "worker", limits) as fork:
            answer = fork.exchange(request, [part])
            fork.close_pipes()
            # Wait even after an answer: something that the worker started may still be running.
            reason = fork.wait_for_end()
            return answer or Answer(reason=reason)

    def close(self) -> None:
        """End the processes, and with them all that they started."""
        with self._lock:
            for zygote in self._zygotes.values():
                zygote.close()
            self._zygotes = {}


@lru_cache
def shared_zygotes() -> Zygotes:
    """Return this process's own zygotes, which end with the process."""
    zygotes = Zygotes()
    atexit.register(zygotes.close)
    return zygotes
