"""The process that runs programs: one program at a time, killed from outside if one never ends.

``autograder.criteria.speed.timing_child BUNDLE PLATFORM [RUBRIC]`` first answers ``{"event":
"ready", ...}`` with the device it found. It then reads lines:

- ``compare INDEX LIMIT``, with the index of an entry and a limit in seconds, is answered with JSON
  lines: ``{"event": "program"}`` before the student's program is compiled and before it runs,
  ``{"event": "baseline"}`` in between, then ``{"event": "done", ...}`` with the comparison, and
  with ``fault`` where the machine or the rubric is to blame.
- ``compile INDEX PART``, an entry's program, baseline or yardstick, is answered with ``{"event":
  "done"}`` when it is in the compilation cache, or cannot be compiled.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

import jax
import numpy as np

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.criteria.speed import messages
from autograder.criteria.speed.bundle import Bundle, BundleError, Entry, read_bundle
from autograder.criteria.speed.calls import baseline_call, fill_call
from autograder.criteria.speed.pairs import Comparison, Device, Standard, TimedProgram, compare
from autograder.criteria.speed.right_results import (
    Judge,
    Unjudgeable,
    choose_draws,
    judge_by_results,
    judge_by_rubric,
)
from autograder.model.exercise import ProgramExercise, RubricError
from autograder.model.printable import clean
from autograder.model.program import ProgramError
from autograder.model.rubric_files import find_lesson, load_rubric
from autograder.processes.child_process import count_cores
from autograder.programs.export import load_program


def compare_entry(
    bundle: Bundle,
    index: int,
    device: Device,
    limit_seconds: float,
    standards: dict[tuple, Standard],
    now_running: Callable[[str], None],
    rubric: str = "",
) -> Comparison:
    """Time entry `index` of a bundle.

    `standards` keeps those of other entries. `now_running` is called with ``"program"`` before the
    student's program is compiled or run, and with ``"baseline"`` afterwards. A program that cannot
    be loaded, compiled or run has failed, and the reason is for the student.

    Raises:
        BundleError: the baseline, the yardstick or the inputs are at fault.
        Unjudgeable: no program's results can be judged here. Other exceptions are the machine's.
    """
    entry = bundle.entries[index]
    turn = "baseline"

    def begin(what: str) -> None:
        nonlocal turn
        turn = what
        now_running(what)

    key = tuple(vars(replace(entry, program="")).values())
    if key not in standards:
        standards[key] = _load_standard(bundle, entry, device, rubric)
    standard = standards[key]
    try:
        begin("program")
        blob = bundle.program(entry.program)
        arrays = standard.draws[0].arrays
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
        return Comparison("failed", error.finding().message)
    except (BundleError, Unjudgeable):
        raise
    except Exception as error:  # XLA's own
        if turn == "baseline" or _is_out_of_memory(error):
            raise
        return Comparison("failed", ProgramError("run-failed", _one_line(error)).finding().message)


def compile_program(
    blob: bytes, draw: Sequence[np.ndarray], device: Device, iterations: int
) -> TimedProgram:
    """Deserialize, check and compile a program for the inputs it will get.

    Raises:
        ProgramError: not a program, too large, for other inputs, or a forbidden custom call.
        BundleError: programs are not made for this device.
    """
    exported = load_program(blob)
    platform = "cuda" if device.platform == "gpu" else device.platform
    if platform not in exported.platforms:
        known = ", ".join(exported.platforms)
        raise BundleError(messages.OTHER_PLATFORM.format(platform=platform, platforms=known))
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


def _load_standard(bundle: Bundle, entry: Entry, device: Device, rubric: str) -> Standard:
    """Return what an entry's program is timed with, on draws that can be judged on this device.

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
    yardstick = load(entry.yardstick, entry.program_iterations) if entry.yardstick else None
    run_own = None if yardstick is None else yardstick.results
    expected = bundle.draws(entry.expected) if entry.expected else []

    def judge_of(i: int) -> Judge:
        if exercise is not None and not expected:
            return judge_by_rubric(exercise, fill_call(entry.call, draws[i]), draws[i], run_own)
        return judge_by_results(entry.paths, expected[i], draws[i], run_own)

    return Standard(baseline, choose_draws(draws, judge_of), yardstick)


def compile_part(bundle: Bundle, index: int, part: str, device: Device, rubric: str = "") -> None:
    """Compile the program, the baseline or the yardstick of an entry, as `compare_entry` will.

    What fails here fails there too, and is told then.
    """
    entry = bundle.entries[index]
    with contextlib.suppress(Exception):
        draw = bundle.draws(entry.inputs)[0]
        if part == "baseline" and entry.eager:
            _load_eager(entry, load_exercise(entry, rubric), device).results(draw)
        else:
            compile_program(bundle.program(getattr(entry, part)), draw, device, 1)


def _is_out_of_memory(error: Exception) -> bool:
    return "RESOURCE_EXHAUSTED" in str(error)


def _one_line(error: Exception) -> str:
    first = (str(error).splitlines() or [""])[0]
    return clean(f"{type(error).__name__}: {first}".removesuffix(": "), 300)


def _find_device(platform: str) -> tuple[Device, str]:
    """Return the device to time on, and its kind; platforms are those of `TimingProcess`.

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


def _serve(path: str, platform: str, rubric: str, answer: Callable[..., None]) -> None:
    bundle = read_bundle(path)
    device, kind = _find_device(platform)
    standards: dict[tuple, Standard] = {}
    found = {"device": device.device_kind, "platform": kind, "threads": _count_threads()}
    answer(event="ready", jax=jax.__version__, **found)
    for line in sys.stdin:
        task, index, argument = line.split()
        if task == "compile":
            compile_part(bundle, int(index), argument, device, rubric)
            answer(event="done")
            continue
        fault = True
        try:
            comparison = compare_entry(
                bundle,
                int(index),
                device,
                float(argument),
                standards,
                lambda what: answer(event=what),
                rubric,
            )
            fault = False
        except BundleError as error:
            # It names files of this machine, which a report to a student must not.
            print(error, file=sys.stderr)
            comparison = Comparison("inconclusive", messages.BUNDLE_FAULT)
        except Unjudgeable as error:
            comparison = Comparison("inconclusive", str(error))
        except Exception as error:  # XLA's own errors: out of memory, a kernel that fails
            reason = messages.NOT_STARTED.format(error=_one_line(error))
            if _is_out_of_memory(error):
                reason = messages.OUT_OF_MEMORY
            comparison = Comparison("inconclusive", reason)
        answer(event="done", fault=fault, **asdict(comparison))


def _main() -> None:
    path, platform, rubric = (*sys.argv[1:], "")[:3]
    # Only answers go to the parent's pipe; whatever libraries print goes to stderr.
    pipe = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def answer(**message: Any) -> None:
        pipe.write(json.dumps(message) + "\n")
        pipe.flush()

    _serve(path, platform, rubric, answer)


if __name__ == "__main__":
    _main()
