"""Keeps a child process that runs programs: gives it one entry at a time, kills it if it hangs."""

from __future__ import annotations

import contextlib
import json
import os
import pkgutil
import queue
import subprocess
import threading
from importlib import metadata, util
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.processes.child_process import (
    caching_in,
    module_command,
    with_kit,
    without_settings,
)
from plnkit.compiler_guard import works_with

_START_SECONDS = 180.0
_NO_TRITON = "--xla_gpu_enable_triton_gemm=false"


class TimingProcessError(Exception):
    """The process could not be started; the message says why."""


def may_find_gpu() -> bool:
    """Whether JAX has a CUDA plug-in here, without which it finds no GPU; nothing is started."""
    names = [entry.name for entry in metadata.entry_points(group="jax_plugins")]
    package = util.find_spec("jax_plugins")
    folders = package.submodule_search_locations if package else None
    names += [module.name for module in pkgutil.iter_modules(folders or [])]
    return any("cuda" in name for name in names)


def environment_for(platform: str, cache: Path | None = None) -> dict[str, str]:
    """Return the environment of a process that times on a platform; see `TimingProcess`."""
    environment = with_kit(without_settings(os.environ))
    if platform != "any":
        environment["JAX_PLATFORMS"] = {"gpu": "cuda", "cpu": "cpu"}[platform]
    # TF32 keeps 10 bits of each factor: a program must not look fast for that. What XLA's own
    # kernels do was fixed when the program was exported (see the package's docstring).
    environment["NVIDIA_TF32_OVERRIDE"] = "0"
    # Only the memory that the programs need: a notebook's kernel may hold three quarters of it.
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    # For each product of matrices, XLA would compile and try dozens of Triton kernels, which takes
    # most of a program's compilation; at the lessons' sizes, none is faster than cuBLAS.
    if (platform == "gpu" or (platform == "any" and may_find_gpu())) and works_with(_NO_TRITON):
        environment["XLA_FLAGS"] = f"{environment.get('XLA_FLAGS', '')} {_NO_TRITON}".strip()
    return environment if cache is None else environment | caching_in(cache)


class TimingProcess:
    """A running child process.

    Args:
        bundle: folder of the bundle.
        platform: ``"gpu"``, ``"cpu"``, or ``"any"``: a GPU where JAX finds one, else the CPU.
        rubric: file of a rubric that is not the kit's, where the baseline is eager.
        silent: whether to hide what the child writes to stderr: a notebook's check cell must.
        cache: folder for what it compiles, where it also finds what others have compiled.

    Attributes:
        device: the name of the device it uses, as JAX gives it.
        platform: ``"gpu"`` or ``"cpu"``.
        threads: how many threads a CPU's programs run with.
        jax: its release.

    Raises:
        TimingProcessError: it does not get ready.
    """

    def __init__(
        self,
        bundle: Path,
        platform: str,
        *,
        rubric: str = "",
        silent: bool = False,
        cache: Path | None = None,
    ) -> None:
        module = "autograder.criteria.speed.timing_child"
        self._process = subprocess.Popen(
            module_command(module, str(bundle), platform, rubric),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if silent else None,
            encoding="utf-8",
            env=environment_for(platform, cache),
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            ready = self._next(_START_SECONDS)
        except queue.Empty:
            ready = None
        if ready is None:
            self.close()
            error = "the process did not get ready"
            raise TimingProcessError(messages.NOT_STARTED.format(error=error))
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
        """Return the comparison of an entry as JSON; `alive`: whether the process lives on.

        Args:
            index: of the entry in the bundle.
            limit_seconds: after which no new pair of timings is begun.
            patience: seconds without a sign of life after which the process is killed.
        """
        in_program = False
        reason = messages.ENDED_PROCESS
        try:
            self._ask("compare", index, limit_seconds)
            while (message := self._next(patience)) is not None:
                if message["event"] == "done":
                    return {**message, "alive": True}
                in_program = message["event"] == "program"
        except queue.Empty:
            or_else = messages.BUSY_CORES if self.platform == "cpu" else ""
            reason = messages.NOT_FINISHED.format(seconds=patience, or_else=or_else)
        except BrokenPipeError:
            pass
        self.close()
        # A failure before the student's program ran does not count against it.
        verdict = "failed" if in_program else "inconclusive"
        return {"verdict": verdict, "reason": reason, "alive": False, "fault": not in_program}

    def compile(self, index: int, part: str, patience: float) -> bool:
        """Compile a part of an entry, for whoever shares the cache.

        Args:
            index: of the entry in the bundle.
            part: ``"program"``, ``"baseline"`` or ``"yardstick"``.
            patience: seconds after which the process is killed.

        Returns:
            Whether the process lives on. Whether the part can be compiled is for `compare` to say.
        """
        with contextlib.suppress(queue.Empty, BrokenPipeError):
            self._ask("compile", index, part)
            if self._next(patience) is not None:
                return True
        self.close()
        return False

    def _ask(self, *words: str | float) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(" ".join(map(str, words)) + "\n")
        self._process.stdin.flush()

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
