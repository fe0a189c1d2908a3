"""Keep a child process that runs programs, give it one entry at a time, replace it if it dies."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

from autograder.core.child_process import module_command, with_kit
from autograder.criteria.speed import messages

_START_SECONDS = 180.0


class ChildError(Exception):
    """The child could not be started; the message says why."""


def environment_for(platform: str) -> dict[str, str]:
    """The environment of a process that times on a platform; see `Child`."""
    environment = with_kit(os.environ)
    if platform != "any":
        environment["JAX_PLATFORMS"] = {"gpu": "cuda", "cpu": "cpu"}[platform]
    # TF32 keeps 10 bits of each factor: a program must not look fast for that. What XLA's own
    # kernels do was fixed when the program was exported (see the package's docstring).
    environment["NVIDIA_TF32_OVERRIDE"] = "0"
    # Only the memory that the programs need: a notebook's kernel may hold three quarters of it.
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    return environment


class Child:
    """A running child.

    Args:
        bundle: folder of the bundle.
        platform: ``"gpu"``, ``"cpu"``, or ``"any"``: a GPU where JAX finds one, else the CPU.
        rubric: file of a rubric that is not the kit's, where the baseline is eager.
        silent: what the child writes to stderr is not shown: a notebook's check cell must not.

    Attributes:
        device: the name of the device it uses, as JAX gives it.
        platform: ``"gpu"`` or ``"cpu"``.
        threads: how many threads a CPU's programs run with.
        jax: its release.

    Raises:
        ChildError: it does not get ready.
    """

    def __init__(
        self, bundle: Path, platform: str, *, rubric: str = "", silent: bool = False
    ) -> None:
        command = module_command("autograder.criteria.speed.child", str(bundle), platform, rubric)
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if silent else None,
            text=True,
            env=environment_for(platform),
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
        self.platform, self.threads = str(ready["platform"]), int(ready["threads"])

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _next(self, seconds: float) -> dict[str, Any] | None:
        line = self._lines.get(timeout=seconds)
        return None if line is None else json.loads(line)

    def compare(self, index: int, limit_seconds: float, patience: float) -> dict[str, Any]:
        """The comparison of entry `index` as JSON; `alive` tells whether the child lives on.

        Args:
            index: of the entry in the bundle.
            limit_seconds: after which no new pair of timings is begun.
            patience: seconds without a sign of life after which the child is killed.
        """
        assert self._process.stdin is not None
        in_program = False
        try:
            self._process.stdin.write(f"{index} {limit_seconds}\n")
            self._process.stdin.flush()
            while True:
                message = self._next(patience)
                if message is None:
                    reason = messages.ENDED_PROCESS
                    break
                if message["event"] == "done":
                    return {**message, "alive": True}
                in_program = message["event"] == "program"
        except queue.Empty:
            reason = messages.NOT_FINISHED.format(seconds=patience)
        except BrokenPipeError:
            reason = messages.ENDED_PROCESS
        self.close()
        # Before the student's program ran, nothing can be held against it.
        verdict = "failed" if in_program else "inconclusive"
        return {"verdict": verdict, "reason": reason, "alive": False, "fault": not in_program}

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
