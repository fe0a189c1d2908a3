"""The process that runs programs and the rubric's code: one task at a time.

``autograder.criteria.speed.child PLATFORM`` first answers with the device it found. It then reads
frames with a task and its arguments: `prepare`, `compile` or `compare`. While it compares, it says
what runs from now on: ``{"running": "program"}`` before the student's program is compiled and
before it runs, ``{"running": "baseline"}`` in between. So its parent knows whose code has ended or
hung it.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cache, lru_cache, partial
from typing import Any

import jax
import numpy as np

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import Bundle, BundleError, BundleWriter, Entry, read_bundle
from autograder.criteria.speed.pairs import Device, SpeedComparison, Standard, TimedProgram, compare
from autograder.criteria.speed.right_results import (
    Judge,
    Unjudgeable,
    choose_draws,
    judge_by_results,
    judge_by_rubric,
)
from autograder.criteria.speed.standards import (
    baseline_call,
    describe,
    fill_call,
    make_standards,
)
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.model.printable import clean
from autograder.model.program import ProgramError
from autograder.model.rubric_files import find_lesson, load_drawn, load_rubric
from autograder.processes.child_process import count_cores
from autograder.processes.frames import FrameError, read_frame, write_frame
from autograder.programs.exported import load_program

_open_bundle = lru_cache(read_bundle)


def prepare(folder: str, exercise: dict[str, Any]) -> dict[str, Any]:
    """Make what an exercise's programs are timed with: fields of an entry, or an ``error``."""
    try:
        return make_standards(BundleWriter(folder), load_drawn(exercise))
    except Exception as error:  # whatever the rubric's code raises
        return {"error": describe(error)[:1000]}


def compile_part(device: Device, folder: str, index: int, part: str) -> None:
    """Compile the program, the baseline or the reference solution of an entry, for the cache.

    Whether it can be compiled is for `compare_entry` to say.
    """
    with contextlib.suppress(Exception):
        bundle = _open_bundle(folder)
        entry = bundle.entries[index]
        draw = bundle.draws(entry.inputs)[0]
        if part == "baseline" and entry.eager:
            _load_eager(entry, load_exercise(entry), device).results(draw)
        else:
            compile_program(bundle.program(getattr(entry, part)), draw, device, 1)


def compare_entry(
    device: Device,
    folder: str,
    index: int,
    limit_seconds: float,
    now_running: Callable[[str], None],
    rubric: str = "",
) -> SpeedComparison:
    """Time entry `index` of a bundle.

    A program that cannot be loaded, compiled or run has failed, and the reason is for the student.
    Where the machine, the bundle or the rubric is at fault, the comparison says so.

    Args:
        device: to time on.
        folder, index: the bundle and the entry.
        limit_seconds: see `compare`.
        now_running: called with ``"program"`` before the student's program is compiled or run, and
            with ``"baseline"`` afterwards.
        rubric: file of a rubric that is not the kit's.
    """
    running = "baseline"

    def begin(what: str) -> None:
        nonlocal running
        running = what
        now_running(what)

    try:
        bundle = _open_bundle(folder)
        entry = bundle.entries[index]
        standard = load_standard(bundle, replace(entry, program=""), device, rubric)
        begin("program")
        arrays = standard.draws[0].arrays
        blob = bundle.program(entry.program)
        program = compile_program(blob, arrays, device, entry.program_iterations)
        begin("baseline")
        return compare(
            standard,
            program,
            entry.threshold,
            factor=entry.factor,
            limit_seconds=limit_seconds,
            before_program=lambda: begin("program"),
        )
    except ProgramError as error:
        return SpeedComparison("failed", error.finding().message)
    except BundleError as error:
        # It names files of this machine, which a report to a student must not.
        print(error, file=sys.stderr)
        reason = messages.BUNDLE_FAULT
    except Unjudgeable as error:
        reason = str(error)
    except Exception as error:  # XLA's own errors: out of memory, a kernel that fails
        first = (str(error).splitlines() or [""])[0]
        what = clean(f"{type(error).__name__}: {first}".removesuffix(": "), 300)
        if "RESOURCE_EXHAUSTED" in str(error):  # XLA's code has no other place
            reason = messages.OUT_OF_MEMORY
        elif running == "program":
            return SpeedComparison("failed", ProgramError("run-failed", what).finding().message)
        else:
            reason = messages.NOT_STARTED.format(error=what)
    return SpeedComparison("inconclusive", reason, fault=True)


def compile_program(
    blob: bytes, draw: Sequence[np.ndarray], device: Device, iterations: int
) -> TimedProgram:
    """Deserialize, check and compile a program for the inputs it will get.

    Raises:
        ProgramError: not a program, too large, for other inputs, or a forbidden custom call.
    """
    exported = load_program(blob)
    wanted = [(aval.shape, str(aval.dtype)) for aval in exported.in_avals]
    given = [(array.shape, str(array.dtype)) for array in draw]
    if wanted != given:
        raise ProgramError("other-inputs", f"made for {wanted}, called with {given}")
    sharding = jax.sharding.SingleDeviceSharding(device)
    specs = [jax.ShapeDtypeStruct(a.shape, a.dtype, sharding=sharding) for a in draw]
    return TimedProgram(jax.jit(exported.call).lower(*specs).compile(), device, iterations)


def load_exercise(entry: Entry, source: str = "") -> ProgramExercise:
    """Return the exercise of a bundle's entry, from the rubric installed here.

    `source` is that of a rubric that is not the kit's: its bundle never leaves this machine.

    Raises:
        BundleError: there is no such rubric, or it is not the one that the bundle was made with.
    """
    refused = messages.OTHER_RUBRIC.format(exercise=entry.exercise, lesson=entry.lesson)
    try:
        rubric = load_rubric(source) if source else find_lesson(entry.lesson)
        exercise = rubric.exercise(entry.exercise)
    except RubricError as error:
        raise BundleError(refused) from error
    if rubric.digest != entry.rubric:
        raise BundleError(refused)
    return exercise


def _load_eager(entry: Entry, exercise: ProgramExercise, device: Device) -> TimedProgram:
    assert exercise.speed is not None
    call, iterations, _ = baseline_call(exercise, entry.call)
    function = exercise.results(exercise.speed.baseline)

    def run(*arrays: jax.Array) -> Any:
        with jax.default_device(device), jax.default_matmul_precision("highest"):
            return jax.tree.leaves(function(*fill_call(call, arrays)))

    return TimedProgram(run, device, iterations)


@cache
def load_standard(bundle: Bundle, entry: Entry, device: Device, rubric: str) -> Standard:
    """Return what an entry's program is timed with, on draws that can be judged on this device.

    Entries that differ in nothing but the program share it.

    Raises:
        BundleError: the bundle or the rubric is at fault.
        Unjudgeable: there is no such draw.
    """
    draws = bundle.draws(entry.inputs)

    def load(digest: str, iterations: int) -> TimedProgram:
        try:
            return compile_program(bundle.program(digest), draws[0], device, iterations)
        except ProgramError as error:
            name = f"{digest}.stablehlo"
            text = messages.BAD_PROGRAM.format(path=bundle.path, name=name, error=str(error)[:200])
            raise BundleError(text) from error

    exercise = load_exercise(entry, rubric) if entry.lesson else None
    if exercise is not None and entry.eager:
        baseline = _load_eager(entry, exercise, device)
    else:
        baseline = load(entry.baseline, entry.baseline_iterations)
    own = None
    if entry.reference_solution:
        own = load(entry.reference_solution, entry.program_iterations)
    run_own = own and own.results
    expected = bundle.draws(entry.expected) if entry.expected else []

    def judge_of(i: int) -> Judge:
        if exercise is not None and not expected:
            return judge_by_rubric(exercise, fill_call(entry.call, draws[i]), draws[i], run_own)
        return judge_by_results(entry.paths, expected[i], draws[i], run_own)

    return Standard(baseline, choose_draws(draws, judge_of), own)


def _find_device(platform: str) -> tuple[Device, str]:
    """Return the device to time on, and its kind; platforms are those of `SpeedProcess`.

    Raises:
        RuntimeError: there is no such device.
    """
    if platform != "cpu":
        try:
            return jax.devices("cuda")[0], "gpu"
        except RuntimeError:
            if platform != "any":
                raise
    # This works even where JAX_PLATFORMS names a missing platform, or a plug-in fails.
    jax.config.update("jax_platforms", "cpu")
    return jax.devices("cpu")[0], "cpu"


def _count_threads() -> int:
    """Return how many threads XLA computes with on the CPU."""
    for name in ("PJRT_NPROC", "NPROC"):  # as XLA reads them
        if os.environ.get(name, "").isdecimal():
            return max(1, int(os.environ[name]))
    return count_cores()


def _main(platform: str) -> None:
    # Only answers go to the parent's pipe; whatever else is printed goes to stderr.
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    device, kind = _find_device(platform)
    found = {"device": device.device_kind, "platform": kind, "threads": _count_threads()}
    write_frame(pipe, {"jax": jax.__version__, **found})

    def now_running(what: str) -> None:
        write_frame(pipe, {"running": what})

    tasks: dict[str, Callable[..., dict[str, Any] | None]] = {
        "prepare": prepare,
        "compile": partial(compile_part, device),
        "compare": lambda **what: asdict(compare_entry(device, now_running=now_running, **what)),
    }
    while True:
        try:
            request, _ = read_frame(sys.stdin.buffer)
        except FrameError:  # the parent has closed it
            return
        del request["blobs"]
        write_frame(pipe, tasks[request.pop("task")](**request) or {})


if __name__ == "__main__":
    _main(sys.argv[1])
