"""The child process that prepares, compiles and times programs, as its parent sees it.

It gets one task at a time. If it hangs it is killed, and the next task starts another.
"""

from __future__ import annotations

import os
import pkgutil
import subprocess
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from importlib import metadata, util
from pathlib import Path
from typing import Any

from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import Bundle
from autograder.processes.child_process import (
    caching_in,
    count_cores,
    end,
    module_command,
    with_kit,
    without_settings,
)
from autograder.processes.frames import FrameError, FrameQueue, write_frame
from plnkit.compiler_guard import works_with

_START_SECONDS = 180.0
_NO_TRITON = "--xla_gpu_enable_triton_gemm=false"
_MOST_PROCESSES = 8
"""Each of them takes some hundred megabytes of a GPU's memory."""


class SpeedProcessError(Exception):
    """The process could not be started; the message says why."""


def may_find_gpu() -> bool:
    """Return whether JAX has a CUDA plug-in, without which it finds no GPU; nothing is started."""
    names = [entry.name for entry in metadata.entry_points(group="jax_plugins")]
    package = util.find_spec("jax_plugins")
    folders = package.submodule_search_locations if package else None
    names += [module.name for module in pkgutil.iter_modules(folders or [])]
    return any("cuda" in name for name in names)


def environment_for(platform: str) -> dict[str, str]:
    """Return the environment of a process that times on a platform; see `SpeedProcess`."""
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
    return environment


class SpeedProcess:
    """A child process. It is started for its first task, and again after it has ended.

    Args:
        platform: ``"gpu"``, ``"cpu"``, or ``"any"``: a GPU where JAX finds one, else the CPU.
        settings: variables to add to its environment.
        silent: whether to hide what the child writes to stderr: a notebook's check cell must.

    Attributes:
        device: the name of the device it uses, as JAX gives it, once it was started.
        platform: ``"gpu"`` or ``"cpu"``.
        threads: how many threads a CPU's programs run with.
        jax: its release.
    """

    def __init__(
        self, platform: str, settings: Mapping[str, str] | None = None, *, silent: bool = False
    ) -> None:
        self._command = module_command("autograder.criteria.speed.child", platform)
        self._environment = environment_for(platform) | dict(settings or {})
        self._stderr = subprocess.DEVNULL if silent else None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the child, unless it runs already.

        Raises:
            SpeedProcessError: it does not get ready.
        """
        if self._process is not None:
            return
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env=self._environment,
        )
        assert self._process.stdout is not None
        self._frames = FrameQueue(self._process.stdout)
        try:
            ready, _ = self._frames.next(_START_SECONDS)
        except (TimeoutError, FrameError):
            self.close()
            error = "the process did not get ready"
            raise SpeedProcessError(messages.NOT_STARTED.format(error=error)) from None
        self.device, self.jax = str(ready["device"]), str(ready["jax"])
        self.platform, self.threads = str(ready["platform"]), int(ready["threads"])

    def ask(
        self,
        task: str,
        patience: float,
        now_running: Callable[[str], None] = lambda what: None,
        **arguments: Any,
    ) -> dict[str, Any]:
        """Give the child a task (see `autograder.criteria.speed.child`), and return its answer.

        Args:
            task: its name.
            patience: seconds without a sign of life after which the child is killed.
            now_running: called with each sign of life.
            arguments: of the task.

        Raises:
            SpeedProcessError: the child does not start.
            TimeoutError: it was killed.
            FrameError: it has ended.
        """
        self.start()
        assert self._process is not None and self._process.stdin is not None
        try:
            with suppress(OSError):  # its end is read below
                write_frame(self._process.stdin, {"task": task, **arguments})
            while "running" in (message := self._frames.next(patience)[0]):
                now_running(message["running"])
            del message["blobs"]
        except (TimeoutError, FrameError):
            self.close()
            raise
        return message

    def compare(
        self, bundle: Bundle, index: int, limit_seconds: float, patience: float, rubric: str = ""
    ) -> dict[str, Any]:
        """Return the `autograder.criteria.speed.pairs.SpeedComparison` of an entry, as JSON.

        Args:
            bundle, index: the entry.
            limit_seconds: after which no new pair of timings is begun.
            patience: see `ask`.
            rubric: file of a rubric that is not the kit's, where it is needed.
        """
        running = ["baseline"]
        try:
            return self.ask(
                "compare",
                patience,
                running.append,
                folder=str(bundle.path),
                index=index,
                limit_seconds=limit_seconds,
                rubric=rubric,
            )
        except TimeoutError:
            or_else = messages.BUSY_CORES if self.platform == "cpu" else ""
            reason = messages.NOT_FINISHED.format(seconds=patience, or_else=or_else)
        except FrameError:
            reason = messages.ENDED_PROCESS
        # A failure before the student's program ran does not count against it.
        fault = running[-1] != "program"
        return {"verdict": "inconclusive" if fault else "failed", "reason": reason, "fault": fault}

    def close(self) -> None:
        """End the child."""
        if self._process is not None:
            end(self._process)
            self._process = None


def compile_ahead(
    bundle: Bundle, indices: Iterable[int], platform: str, cache: Path, patience: float
) -> None:
    """Fill a compilation cache, on all cores, with what one process will time later.

    A program that ends or hangs its process here does so to nobody else. Where few programs are to
    be compiled, they are left to the process that times them.

    Args:
        bundle: as read.
        indices: of the entries.
        platform, cache: of the process that times them.
        patience: seconds after which a process is killed that still compiles one program.
    """
    folder, parts = str(bundle.path), find_parts(bundle, indices)
    # Two compilations take less time than the start of a process for them.
    count = min(_MOST_PROCESSES, count_cores(), len(parts) // 2)
    if count < 2:
        return

    def compile_share(share: list[tuple[int, str]]) -> None:
        with closing(SpeedProcess(platform, caching_in(cache), silent=True)) as process:
            for index, part in share:
                with suppress(TimeoutError, FrameError):
                    process.ask("compile", patience, folder=folder, index=index, part=part)

    with ThreadPoolExecutor(count) as pool:
        for done in [pool.submit(compile_share, parts[i::count]) for i in range(count)]:
            with suppress(SpeedProcessError):  # whoever times says why none starts
                done.result()


def find_parts(bundle: Bundle, indices: Iterable[int]) -> list[tuple[int, str]]:
    """Return an entry for each thing to compile, baselines first: an eager one takes longest."""
    found: dict[tuple[str, ...], tuple[int, str]] = {}
    for index in indices:
        entry = bundle.entries[index]
        baseline = (entry.inputs, entry.exercise) if entry.eager else (entry.inputs, entry.baseline)
        found.setdefault(baseline, (index, "baseline"))
        for part in ("reference_solution", "program"):
            if digest := getattr(entry, part):
                found.setdefault((entry.inputs, digest), (index, part))
    return sorted(found.values(), key=lambda one: one[1] != "baseline")
