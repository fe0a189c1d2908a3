"""The grader's side of the zygotes: starts both, and has them fork a worker for each request."""

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
from dataclasses import dataclass, field
from typing import Any

from autograder.core.child_process import ONE_CORE, module_command, with_kit
from autograder.core.kit_fault import CannotJudge
from autograder.core.process_usage import PATIENCE
from autograder.core.wire import MAX_ANSWER, DeadlineReader, FrameError, read_frame, write_frame
from autograder.sandbox import namespaces
from autograder.sandbox.confinement import Protection, add_wall, protection
from autograder.sandbox.keeper import Limits
from autograder.sandbox.worker_part import pack

START_SECONDS = 120.0
SLACK_SECONDS = 5.0

# A submission sees nothing else of the grader's environment.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "XLA_FLAGS", "TZ", "LD_LIBRARY_PATH", "PYTHONPATH")


class WorkerError(CannotJudge):
    """Workers cannot be started on this machine; no submission is to blame."""


@dataclass(frozen=True)
class Answer:
    """A worker's answer to a request, or why there is none.

    Attributes:
        header: of the answer's frame; None if there is no answer.
        blobs: of the same frame.
        reason: why there is no answer: "timeout", "starved", "memory", "processes" or "died".
    """

    header: dict[str, Any] | None = None
    blobs: list[bytes] = field(default_factory=list)
    reason: str = ""


class _Zygote:
    """One waiting process. `echo` decides its hash seed, clock and random numbers."""

    def __init__(self, *, echo: bool, confine: bool) -> None:
        environment = {k: v for k, v in os.environ.items() if k in _KEPT}
        scratch = namespaces.SCRATCH if confine else tempfile.gettempdir()
        environment |= {
            "HOME": scratch,
            "TMPDIR": scratch,
            "MPLCONFIGDIR": scratch,
            "MPLBACKEND": "Agg",
            "JAX_PLATFORMS": "cpu",
            **ONE_CORE,  # a zygote must have one thread only: others do not survive a fork
            "PYTHONHASHSEED": "2" if echo else "1",  # fixed, so that the report does not vary
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._ready = False
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        arguments = (str(int(echo)), str(int(confine)))
        command = module_command("autograder.sandbox.zygote_process", *arguments)
        with theirs:
            self._process = subprocess.Popen(
                add_wall(command) if confine else command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=with_kit(environment),
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
            self._log.seek(0)
            lines = self._log.read().decode(errors="replace").strip().splitlines()
            raise WorkerError(f"no worker could be started: {lines[-1] if lines else 'it ended'}")

    def fork(self, order: dict[str, Any], descriptors: list[int]) -> None:
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(order).encode()], descriptors)
        except OSError as error:
            raise WorkerError(f"the process that workers are forked from ended: {error}") from None

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._log.close()


class Zygotes:
    """Both waiting processes. Launch them early: importing JAX takes them a second."""

    def __init__(self) -> None:
        self.confine = protection() is Protection.NAMESPACES
        self._lock = threading.RLock()
        self._zygotes: list[_Zygote] = []

    def launch(self) -> None:
        """Start the processes without waiting until they are ready."""
        with self._lock:
            if not self._zygotes:
                self._zygotes = [_Zygote(echo=echo, confine=self.confine) for echo in (False, True)]

    def _ready_zygote(self, echo: bool) -> _Zygote:
        with self._lock:
            self.launch()
            try:
                for zygote in self._zygotes:
                    zygote.wait_until_ready()
            except WorkerError:
                self.close()
                raise
            return self._zygotes[echo]

    def ask(self, request: dict[str, Any], part: bytes, limits: Limits, *, echo: bool) -> Answer:
        """Serve one request in a new worker and return its answer.

        Args:
            request: cells, and calls by exercise.
            part: of the rubric, for the worker (`autograder.sandbox.worker_part`).
            limits: of the worker's processes.
            echo: whether it is the second of a submission's two workers.

        Raises:
            WorkerError: no worker can be started here.
        """
        zygote = self._ready_zygote(echo)
        folder = contextlib.nullcontext("")
        if not self.confine:
            folder = tempfile.TemporaryDirectory(prefix="autograder-", ignore_cleanup_errors=True)
        mine, lifeline = socket.socketpair()
        with folder as scratch, mine:
            request_out, request_in = os.pipe()
            answer_out, answer_in = os.pipe()
            order = {"limits": limits.to_json(), "scratch": scratch}
            try:
                zygote.fork(order, [request_out, answer_in, lifeline.fileno()])
            except WorkerError:
                os.close(request_in)
                os.close(answer_out)
                raise
            finally:
                os.close(request_out)
                os.close(answer_in)
                lifeline.close()
            deadline = time.monotonic() + PATIENCE * limits.seconds + SLACK_SECONDS
            answer = _exchange(request_in, answer_out, request, part, deadline)
            # Wait even after an answer: something that the worker started may still be running.
            reason = _wait_for_end(mine, deadline)
            return answer or Answer(reason=reason)

    def close(self) -> None:
        """End both processes, and with them all that they started."""
        with self._lock:
            for zygote in self._zygotes:
                zygote.close()
            self._zygotes = []


def try_out() -> str:
    """Run an empty notebook in the way that submissions run; return "" or why that failed."""
    zygotes = Zygotes()
    nothing = {"cells": [], "exercises": {}}
    try:
        answer = zygotes.ask(nothing, pack(()), Limits(), echo=False)
    except WorkerError as error:
        return str(error)
    finally:
        zygotes.close()
    return "" if answer.header is not None else f"the process that ran it: {answer.reason}"


def _exchange(
    request_in: int, answer_out: int, request: dict[str, Any], part: bytes, deadline: float
) -> Answer | None:
    """Send the request and read the answer; None if there is none in time."""
    try:
        with os.fdopen(request_in, "wb") as stream:
            write_frame(stream, request, [part])
        header, blobs = read_frame(DeadlineReader(answer_out, deadline), MAX_ANSWER)
    except (FrameError, BrokenPipeError, TimeoutError):
        return None
    finally:
        os.close(answer_out)  # a worker that is still writing must not wait for a reader
    return Answer(header, blobs)


def _wait_for_end(lifeline: socket.socket, deadline: float) -> str:
    """Wait until the keeper has ended everything; return its reason, or "died" for no reason."""
    lifeline.settimeout(max(0.1, deadline - time.monotonic()))
    try:
        reason = lifeline.recv(64).decode(errors="replace")
    except OSError:  # the keeper itself hangs; closing the lifeline is all that we can do
        return "timeout"
    if reason == "unconfined":
        raise WorkerError("a worker could not be confined, although that worked at the start")
    return reason if reason in ("timeout", "starved", "memory", "processes") else "died"


_shared: Zygotes | None = None


def shared_zygotes() -> Zygotes:
    """Return this process's own zygotes, which end with the process."""
    global _shared
    if _shared is None:
        _shared = Zygotes()
        atexit.register(_shared.close)
    return _shared
