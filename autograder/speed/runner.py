"""Keep a child process that runs programs, give it one entry at a time, replace it if it dies."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from autograder.speed import messages

_START_SECONDS = 180.0


class ChildError(Exception):
    """The child could not be started; the message says why."""


class Child:
    """A running child. `device` is the name of the device it uses, `jax` its release."""

    def __init__(self, bundle: Path, platform: str, limit_seconds: float) -> None:
        environment = dict(os.environ)
        environment["JAX_PLATFORMS"] = {"gpu": "cuda", "cpu": "cpu"}[platform]
        # TF32 keeps 10 bits of each factor: a program must not look fast for that. What XLA's own
        # kernels do was fixed when the program was exported (see the package's docstring).
        environment["NVIDIA_TF32_OVERRIDE"] = "0"
        root = str(Path(__file__).resolve().parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(
            [root, *filter(None, [environment.get("PYTHONPATH")])]
        )
        command = [sys.executable, "-m", "autograder.speed.child", str(bundle), platform]
        self._process = subprocess.Popen(
            [*command, str(limit_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            ready = self._next(_START_SECONDS)
        except queue.Empty:
            ready = None
        if ready is None:
            self.close()
            raise ChildError(messages.NOT_STARTED.format(error="the process did not get ready"))
        self.device, self.jax = str(ready["device"]), str(ready["jax"])

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _next(self, seconds: float) -> dict[str, Any] | None:
        line = self._lines.get(timeout=seconds)
        return None if line is None else json.loads(line)

    def compare(self, index: int, seconds: float) -> dict[str, Any]:
        """The comparison of entry `index` as JSON; `alive` tells whether the child lives on.

        Args:
            index: of the entry in the bundle.
            seconds: without a sign of life after which the child is killed.
        """
        assert self._process.stdin is not None
        in_program = False
        try:
            self._process.stdin.write(f"{index}\n")
            self._process.stdin.flush()
            while True:
                message = self._next(seconds)
                if message is None:
                    reason = messages.ENDED_PROCESS
                    break
                if message["event"] == "done":
                    return {**message, "alive": True}
                in_program = message["event"] == "program"
        except queue.Empty:
            reason = messages.NOT_FINISHED.format(seconds=seconds)
        except BrokenPipeError:
            reason = messages.ENDED_PROCESS
        self.close()
        # Before the student's program ran, nothing can be held against it.
        verdict = "failed" if in_program else "inconclusive"
        return {"verdict": verdict, "reason": reason, "alive": False}

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
