"""The grader's side of the workers: two waiting processes, and one forked for each submission."""

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

from autograder.core.child_process import module_command, with_kit
from autograder.core.one_core import ENVIRONMENT
from autograder.core.stopwatch import PATIENCE
from autograder.core.wire import MAX_ANSWER, DeadlineReader, FrameError, read_frame, write_frame
from autograder.sandbox import namespaces
from autograder.sandbox.confinement import Protection, confined, protection
from autograder.sandbox.limits import Limits

START_SECONDS = 120.0
SLACK_SECONDS = 5.0

# Nothing else of the grader's environment reaches a submission.
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "XLA_FLAGS", "TZ", "LD_LIBRARY_PATH", "PYTHONPATH")


class WorkerError(RuntimeError):
    """Workers cannot be started on this machine; no submission is to blame."""


@dataclass(frozen=True)
class Answer:
    """What came of one request: a header and blobs, or why there are none.

    `reason` is "" when there is an answer, else "timeout", "starved", "memory", "processes" or
    "died".
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
            **ENVIRONMENT,  # nor do threads survive a fork
            "PYTHONHASHSEED": "2" if echo else "1",  # fixed: the report must not vary
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._lock = threading.Lock()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        command = module_command("autograder.sandbox.zygote", str(int(echo)), str(int(confine)))
        with theirs:
            self._process = subprocess.Popen(
                confined(command) if confine else command,
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=with_kit(environment),
                cwd="/",
                start_new_session=True,
            )

    def wait_until_ready(self) -> None:
        self._control.settimeout(START_SECONDS)
        try:
            hello = json.loads(self._control.recv(4096) or b"{}")
        except (OSError, ValueError):
            hello = {}
        self._control.settimeout(None)
        if not hello.get("ready"):
            self._log.seek(0)
            said = self._log.read().decode(errors="replace").strip().splitlines()
            self.close()
            raise WorkerError(f"no worker could be started: {said[-1] if said else 'it ended'}")

    def fork(self, told: dict[str, Any], descriptors: list[int]) -> None:
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(told).encode()], descriptors)
        except OSError as error:
            raise WorkerError(f"the process that workers are forked from ended: {error}") from None

    def close(self) -> None:
        self._control.close()
        self._process.kill()
        self._process.wait()
        self._log.close()


class Zygotes:
    """Both waiting processes; start them early, since importing JAX takes them a second."""

    def __init__(self) -> None:
        self.confine = protection() is Protection.NAMESPACES
        self._lock = threading.Lock()
        self._zygotes: list[_Zygote] | None = None
        self._ready = False

    def launch(self) -> None:
        """Start the processes without waiting for them."""
        with self._lock:
            if self._zygotes is None:
                self._zygotes = [_Zygote(echo=echo, confine=self.confine) for echo in (False, True)]

    def _zygote(self, echo: bool) -> _Zygote:
        self.launch()
        with self._lock:
            assert self._zygotes is not None
            if not self._ready:
                for zygote in self._zygotes:
                    zygote.wait_until_ready()
                self._ready = True
            return self._zygotes[echo]

    def ask(self, request: dict[str, Any], limits: Limits, *, echo: bool) -> Answer:
        """Serve one request in a process of its own and return what it answered.

        Raises:
            WorkerError: no process can be started here.
        """
        zygote = self._zygote(echo)
        with contextlib.ExitStack() as stack:
            scratch = ""
            if not self.confine:
                folder = tempfile.TemporaryDirectory(
                    prefix="autograder-", ignore_cleanup_errors=True
                )
                scratch = stack.enter_context(folder)
            request_out, request_in = os.pipe()
            answer_out, answer_in = os.pipe()
            mine, lifeline = socket.socketpair()
            stack.enter_context(mine)
            told = {"limits": limits.to_json(), "scratch": scratch}
            try:
                zygote.fork(told, [request_out, answer_in, lifeline.fileno()])
            except WorkerError:
                os.close(request_in)
                os.close(answer_out)
                raise
            finally:
                os.close(request_out)
                os.close(answer_in)
                lifeline.close()
            deadline = time.monotonic() + PATIENCE * limits.seconds + SLACK_SECONDS
            answer = _exchange(request_in, answer_out, request, deadline)
            # Also after an answer: until then, something it started may still be running.
            reason = _reason(mine, deadline)
            return answer or Answer(reason=reason)

    def close(self) -> None:
        """End both processes, and with them all that they started."""
        with self._lock:
            for zygote in self._zygotes or ():
                zygote.close()
            self._zygotes, self._ready = None, False


def try_out() -> str:
    """Run an empty notebook just as a submission is run; "" if that works, else why not."""
    zygotes = Zygotes()
    nothing = {"rubric": "static_reshape", "rubric_text": "", "cells": [], "exercises": {}}
    try:
        answer = zygotes.ask(nothing, Limits(), echo=False)
    except WorkerError as error:
        return str(error)
    finally:
        zygotes.close()
    return "" if answer.header is not None else f"the process that ran it: {answer.reason}"


def _exchange(
    request_in: int, answer_out: int, request: dict[str, Any], deadline: float
) -> Answer | None:
    try:
        with os.fdopen(request_in, "wb") as stream:
            write_frame(stream, request)
        header, blobs = read_frame(DeadlineReader(answer_out, deadline), MAX_ANSWER)
    except (FrameError, BrokenPipeError, TimeoutError):
        return None
    finally:
        os.close(answer_out)  # whoever is still writing must not wait for a reader
    return Answer(header, blobs)


def _reason(lifeline: socket.socket, deadline: float) -> str:
    """Why there was no answer, as the keeper tells it."""
    lifeline.settimeout(max(0.1, deadline - time.monotonic()))
    try:
        told = lifeline.recv(64).decode(errors="replace")
    except OSError:  # the keeper itself hangs: closing the lifeline is all that is left
        return "timeout"
    if told == "unconfined":
        raise WorkerError("a worker could not be confined, although that worked at the start")
    return told if told in ("timeout", "starved", "memory", "processes") else "died"


_shared: Zygotes | None = None


def shared_zygotes() -> Zygotes:
    """This process's own, ended with it."""
    global _shared
    if _shared is None:
        _shared = Zygotes()
        atexit.register(_shared.close)
    return _shared
