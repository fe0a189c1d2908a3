"""Runs exported programs on the data of a call, within limits.

Whoever judges asks a `Runner`: this process itself, or one that is confined and holds no secrets
(`autograder.sandbox.runner_client`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Protocol

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from autograder.model.kit_fault import is_kits
from autograder.model.program import ProgramError
from autograder.programs.exported import inspect_program, load_program, split_data
from autograder.programs.jax_private import Difference, Inspection, first_difference


def set_devices(count: int) -> None:
    """Give this process so many CPU devices, whatever XLA_FLAGS says. No backend may run yet."""
    jax.config.update("jax_num_cpu_devices", count)


def copied_to(devices: int) -> NamedSharding:
    """Return the sharding of an array that the first devices hold a copy of each."""
    mesh = jax.make_mesh((devices,), ("all",), (AxisType.Auto,), devices=jax.devices()[:devices])
    return NamedSharding(mesh, PartitionSpec())


MAX_MEMORY = 2 * 2**30
"""Bytes that a program may need for its inputs, results and what lies between them."""
MAX_RESULTS = 128 * 2**20
"""Bytes of a program's results: they are sent from one process to another."""


class RunnerEnded(BaseException):
    """The process that ran programs is gone, so nothing more can be judged.

    It is no `Exception`: no criterion may go on without it. `reason` is that of an
    `autograder.sandbox.zygote_client.Answer`.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Runner(Protocol):
    """Reads and runs exported programs. All its methods raise `ProgramError`, and `RunnerEnded`."""

    def inspect(self, blob: bytes) -> Inspection:
        """Return how large a program is and how many loops it runs, if it can be loaded."""
        ...

    def scratch_bytes(self, blob: bytes) -> int:
        """Return the bytes that XLA sets aside for intermediate results."""
        ...

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        """Return a program's results on the data leaves of a call."""
        ...

    def compare(self, blob: bytes, other: bytes) -> Difference | None:
        """Return the first operation in which two programs differ; None if they are equal."""
        ...


class LocalRunner:
    """Runs programs in this process.

    `devices` is how many of this process's devices a program may run on.
    """

    def __init__(self, devices: int = 1) -> None:
        self._devices = devices

    def inspect(self, blob: bytes) -> Inspection:
        """Return what a program holds; see `inspect_program`."""
        return inspect_program(blob, self._devices)

    def scratch_bytes(self, blob: bytes) -> int:
        """Return how many bytes of scratch memory a program needs."""
        memory = _compile(blob, self._devices)[1]
        return 0 if memory is None else int(memory.temp_size_in_bytes)

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        """Run a program on the data of a call."""
        data = split_data(args)[0]
        expected = [
            (a.shape, np.dtype(a.dtype)) for a in load_program(blob, self._devices).in_avals
        ]
        given = [(x.shape, np.dtype(x.dtype)) for x in data]
        if expected != given:
            raise ProgramError("other-inputs", f"made for {expected}, called with {given}")
        try:
            compiled, memory = _compile(blob, self._devices)
            if memory is not None:
                _check_memory(memory)
            return [np.asarray(x) for x in compiled(*data)]
        except Exception as error:  # XLA's own: out of memory, a shape it cannot compile
            if isinstance(error, ProgramError) or is_kits(error):
                raise
            detail = f"{type(error).__name__}: {str(error).split(chr(10))[0][:200]}"
            raise ProgramError("run-failed", detail) from None

    def compare(self, blob: bytes, other: bytes) -> Difference | None:
        """Return the first difference between two programs; None if they are the same."""
        loaded = (load_program(b, self._devices) for b in (blob, other))
        return first_difference(*(program.mlir_module() for program in loaded))


@lru_cache(maxsize=16)
def _compile(blob: bytes, devices: int) -> tuple[Any, Any]:
    """Return the compiled program, and how much memory it needs."""
    exported = load_program(blob, devices)
    specs = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in exported.in_avals]
    everywhere = copied_to(exported.nr_devices) if exported.nr_devices > 1 else None
    compiled = jax.jit(exported.call, in_shardings=everywhere).lower(*specs).compile()
    return compiled, compiled.memory_analysis()


def _check_memory(memory: Any) -> None:
    """Refuse a program before it takes what this machine cannot spare.

    Raises:
        ProgramError: ``run-failed``.
    """
    results = memory.output_size_in_bytes
    needed = memory.argument_size_in_bytes + results + memory.temp_size_in_bytes
    for what, size, limit in (("memory", needed, MAX_MEMORY), ("results", results, MAX_RESULTS)):
        if size > limit:
            text = f"it needs {size / 2**30:.3g} GiB of {what}; at most {limit / 2**30:.3g}"
            raise ProgramError("run-failed", f"{text} are available")
