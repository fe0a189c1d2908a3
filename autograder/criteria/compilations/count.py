"""Counts what each call of a student's function compiles."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.criteria.compilations.watch import Compilation, Watch, explain
from autograder.model.kit_fault import is_kits
from autograder.model.student_code import called, is_interruption, student_files
from autograder.programs import jax_access
from autograder.programs.exported import (
    FLOATS,
    NUMBERS,
    concrete,
    is_numbers,
    signature,
    split_data,
    without_values,
)
from autograder.programs.jax_private import form_of

_NUDGE = 1 + 2.0**-8
_THREAD_SECONDS = 2.0


def nudge(args: Any) -> Any:
    """Change floating-point numbers slightly, so that results cached by value are of no use.

    Every float is scaled by the same factor near one, which keeps zeros, signs and positive
    definite matrices.
    """

    def scale(array: Any) -> Any:
        if not jnp.issubdtype(array.dtype, jnp.floating):
            return array
        if isinstance(array, jax.Array):
            if not is_numbers(array):  # a weakly typed array takes Python's number, and stays so
                return array * (_NUDGE if array.weak_type else array.dtype.type(_NUDGE))
            array = np.asarray(array)  # JAX would compile a program for each shape
        return array * array.dtype.type(_NUDGE)

    data, rebuild = split_data(args)
    return rebuild(list(map(scale, data)))


@dataclass
class CallRecord:
    """What one call of the student's function compiled.

    Attributes:
        programs: of the student's own.
        operations: single operations of JAX, which were run eagerly.
        ahead: whether a program compiled ahead of time was run.
        raised: the error that ended the call; None when it returned.
    """

    programs: list[Compilation] = field(default_factory=list)
    operations: list[Compilation] = field(default_factory=list)
    ahead: bool = False
    raised: BaseException | None = None

    @cached_property
    def forms(self) -> set[tuple]:
        """What each program is but for the numbers in it, with its function."""
        return {(p.source, form_of(p.program)) for p in self.programs if p.program is not None}


@dataclass(frozen=True)
class Counted:
    """Calls in order with their signatures and records; the last `repeats` repeat earlier ones."""

    calls: list[tuple]
    signatures: list[tuple]
    records: list[CallRecord]
    repeats: int

    def known(self, *, numbers: bool = False) -> list[str]:
        """Say of each call why a program was there already, or would have been enough.

        "same": for the same signature. "numbers": for other plain numbers, where they count as one
        signature; for other floats, where the programs of all calls that differ in nothing else are
        the same but for numbers. Where no float decides about a shape, a branch or a loop's length,
        a traced one does. Empty: nothing was known.
        """
        full, records = self.signatures, self.records
        alike = [without_values(key, NUMBERS if numbers else FLOATS) for key in full]
        known = []
        for i, record in enumerate(records):
            similar = [j for j, key in enumerate(alike) if key == alike[i]]
            every = set[tuple]().union(*(records[j].forms for j in similar))
            before = set[tuple]().union(*(records[j].forms for j in similar if j < i))
            decides = len({function for function, _ in every}) < len(every)
            enough = similar[0] < i if numbers else not decides and before & record.forms
            known.append("same" if full[i] in full[:i] else "numbers" if enough else "")
        return known


def count_compilations(
    function: Callable[..., Any], calls: Sequence[tuple], module: ModuleType
) -> list[CallRecord]:
    """Call a student's function on each tuple, in order, and count what each call compiles.

    JAX's caches are cleared first. Each call gets copies of its arguments, waits for its result,
    and has its error in its record. The module is the one that the student's code ran in.
    """
    ready = [concrete(args) for args in calls]
    jax_access.block_until_ready(ready)
    jax_access.clear_caches()
    records: list[CallRecord] = []
    with Watch(student_files(module), module).watching() as watch:
        for watch.call, args in enumerate(ready):
            watch.ahead.clear()
            before = {*threading.enumerate()}
            raised = run_once(function, args, module)
            _wait_for({*threading.enumerate()} - before)
            records.append(CallRecord([], [], bool(watch.ahead), raised))
    for one in explain(watch.compilations):
        record = records[one.call]
        (record.operations if one.source is None else record.programs).append(one)
    return records


def run_once(function: Callable[..., Any], args: tuple, module: ModuleType) -> BaseException | None:
    """Make one call. Return the error that it raised, if any."""
    try:
        jax_access.block_until_ready(called(function, *args))
    except BaseException as error:  # SystemExit too: it must not end the grader
        if is_interruption(error) or is_kits(error, module, student_files(module)):
            raise
        return error
    return None


def _wait_for(threads: Collection[threading.Thread]) -> None:
    """Let threads begun in a call finish, so that what they compile is counted with that call."""
    end = time.monotonic() + _THREAD_SECONDS
    for thread in threads:
        # Workers of an executor never end, and what Python has not started cannot be joined.
        if not thread.name.startswith(("ThreadPoolExecutor", "Dummy")):
            thread.join(max(0.0, end - time.monotonic()))


def count_with_repeats(
    function: Callable[..., Any], calls: Sequence[tuple], module: ModuleType
) -> Counted:
    """Count what calls compile, then each signature once more, with slightly different numbers."""
    repeats = {signature(args): nudge(args) for args in calls}
    everything = [*calls, *repeats.values()]
    signatures = [*map(signature, calls), *repeats]
    records = count_compilations(function, everything, module)
    return Counted(everything, signatures, records, len(repeats))
