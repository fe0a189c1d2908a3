"""The judge's side of a runner: asks it about programs, and checks what it answers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from autograder.model.kit_fault import KitFault
from autograder.model.messages import PROGRAM_RULES
from autograder.model.printable import clean
from autograder.model.program import ProgramError
from autograder.model.wire import array_from_blob, array_to_blob
from autograder.programs.exported import split_data
from autograder.programs.jax_private import Difference, Inspection
from autograder.programs.runner import MAX_MEMORY, RunnerEnded
from autograder.sandbox.keeper import Limits
from autograder.sandbox.zygote_client import Fork, Zygotes

_MAX_DETAIL = 500
_ROOM = 2**30
"""Bytes that a runner may use beside its programs' data: XLA needs memory to compile."""


def runner_limits(seconds: float) -> Limits:
    """Return the limits of a runner that may compute for so long."""
    return Limits(
        seconds=seconds,
        allocated=2 * (MAX_MEMORY + _ROOM),
        resident=MAX_MEMORY + _ROOM,
        processes=4,
        file_size=2**20,
        may_sleep=False,
    )


class ConfinedRunner:
    """Runs the programs of one request in a process of its own, forked when first needed.

    Programs that break their process only spoil this request: the next one gets another process.
    Use it as a context manager.
    """

    def __init__(self, zygotes: Zygotes, limits: Limits, devices: int = 1) -> None:
        self._zygotes = zygotes
        self._limits = limits
        self._devices = devices
        self._open = contextlib.ExitStack()
        self._fork: Fork | None = None

    def __enter__(self) -> ConfinedRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def inspect(self, blob: bytes) -> Inspection:
        """Return what a program holds; see `LocalRunner.inspect`."""
        with self._answer({"do": "inspect"}, [blob]) as (answer, _):
            return Inspection(_count(answer["operations"]), loops=_count(answer["loops"]))

    def scratch_bytes(self, blob: bytes) -> int:
        """Return how many bytes of scratch memory a program needs."""
        with self._answer({"do": "scratch"}, [blob]) as (answer, _):
            return _count(answer["bytes"])

    def compare(self, blob: bytes, other: bytes) -> Difference | None:
        """Return the first difference between two programs; None if they are the same."""
        with self._answer({"do": "compare"}, [blob, other]) as (answer, _):
            if answer["difference"] is None:
                return None
            operation, line = answer["difference"]
            at = None if line is None else _count(line)
            return Difference(clean(operation, _MAX_DETAIL), at)

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        """Run a program on the data of a call."""
        sent = [array_to_blob(np.asarray(x)) for x in split_data(args)[0]]
        request = {"do": "run", "data": [meta for meta, _ in sent]}
        with self._answer(request, [blob, *(part for _, part in sent)]) as (answer, blobs):
            return [array_from_blob(m, b) for m, b in zip(answer["results"], blobs, strict=True)]

    @contextlib.contextmanager
    def _answer(
        self, request: dict[str, Any], blobs: Sequence[bytes]
    ) -> Iterator[tuple[dict[str, Any], Sequence[bytes]]]:
        """Give the answer to the block that reads it. It is untrusted: what fails there is no bug.

        Raises:
            ProgramError: the program must not run, or fails.
            KitFault: the kit failed in the runner.
            RunnerEnded: there is no answer.
        """
        if self._fork is None:
            self._fork = self._open.enter_context(self._zygotes.fork("runner", self._limits))
        request = {**request, "devices": self._devices}
        answer = self._fork.exchange(request, blobs)
        if answer is None or answer.header is None:
            raise RunnerEnded(self._fork.wait_for_end())
        header = answer.header
        try:
            if "refused" in header:
                rule, detail = header["refused"]
                known = rule if rule in PROGRAM_RULES else "unreadable-program"
                raise ProgramError(known, clean(detail, _MAX_DETAIL))
            if "fault" in header:
                raise KitFault(clean(header["fault"], _MAX_DETAIL))
            yield header, answer.blobs
        except (ProgramError, KitFault):
            raise
        except Exception:  # untrusted data can raise anything
            raise RunnerEnded("died") from None


def _count(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**63:
        raise ValueError("not a count")
    return value
