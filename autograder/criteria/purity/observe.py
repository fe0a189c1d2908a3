"""Runs a student's function in every mode and reports what is impure."""

from __future__ import annotations

import contextlib
import contextvars
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from types import ModuleType

import numpy as np

from autograder.core import jax_access
from autograder.core.error_origins import find_leak
from autograder.core.finding import Finding
from autograder.core.program import concrete
from autograder.criteria.purity import changed, process_state, state, traces, walk
from autograder.criteria.purity.effect_free import is_effect_free
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.replay import report_replays
from autograder.criteria.purity.runs import (
    EAGER_OPERATIONS,
    Bench,
    CallResult,
    Run,
    capture_screen,
    is_same,
)
from autograder.criteria.purity.sequence import MakeArgs, report_sequence
from autograder.criteria.purity.sniffing import may_tell_tracers
from autograder.criteria.purity.student import StudentModule, packages_since
from autograder.criteria.purity.untaken import report_untaken
from autograder.criteria.shape import Seen, Subject

_ATTEMPTS = 3
"""How often a function is observed while it still imports packages for the first time."""


def observe(subject: Subject) -> Seen | None:
    """Report side effects of the watched calls: all that can be seen, of the first one."""
    exercise, calls = subject.exercise, subject.calls
    if not calls or "purity" not in exercise.points:
        return None

    try:
        subject.restore()  # what earlier calls have changed already would not change again
        found = check_purity(
            subject.function,
            lambda: concrete(calls[0]),
            subject.module,
            others=[partial(concrete, args) for args in calls[1:]],
            effect_free=subject.effect_free,
        )
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    return Seen(tuple(f for f in found if f.rule not in exercise.permits))


def remember_state(function: Callable, module: ModuleType) -> Callable[[], bool]:
    """Remember all state that a student's function can reach.

    Returns:
        A function that restores it, and returns whether it had changed.
    """
    student = StudentModule.of(module, function)
    before = walk.snapshot(student, function, saving=True)

    def restore() -> bool:
        changed = bool(state.changes(before, walk.snapshot(student, function)))
        before.restore()
        return changed

    return restore


def check_purity(
    function: Callable,
    make_args: MakeArgs,
    module: ModuleType,
    *,
    others: Sequence[MakeArgs] = (),
    effect_free: bool | None = None,
) -> list[Finding]:
    """Check that a student's function has no side effects and depends on its arguments only.

    Args:
        function: the function, jitted or not; a partial or bound method will do.
        make_args: gives a fresh tuple of positional arguments at each call. Leaves that are not
            arrays are static: they stay as they are when the function is traced.
        module: the module that the student's code ran in.
        others: give the arguments of further calls. Each is made in a state of its own and after
            the others, and must do the same.
        effect_free: what `is_effect_free` says about it, if that is known already.

    Returns:
        Findings in order of lines, the same at every call. The function is pure when none of
        them has severity "error". The state of the module and of the process is restored, as
        far as Python allows (an iterator cannot be reset).
    """
    if effect_free is None:
        effect_free = is_effect_free(function, module)
    with _quiet_jax():
        run = contextvars.copy_context().run
        return run(_check, function, make_args, module, others, effect_free)


@contextlib.contextmanager
def _quiet_jax() -> Iterator[None]:
    """Keep JAX from logging while a function is checked: it is not the function that writes."""
    with contextlib.ExitStack() as stack:
        for setting in jax_access.LOGGING:
            stack.enter_context(setting(False))
        yield


def _check(
    function: Callable,
    make_args: MakeArgs,
    module: ModuleType,
    others: Sequence[MakeArgs],
    effect_free: bool,
) -> list[Finding]:
    # Garbage collection, and the search for tracers, then skip all objects that JAX and NumPy have
    # made before: some hundred thousand.
    jax_access.freeze()
    try:
        student = StudentModule.of(module, function)
        findings = Findings(student)
        process_state.report_patches(student, findings)
        if findings.found or not effect_free:
            findings = _check_by_running(student, function, make_args, others, findings)
        process_state.report_tampering(findings)
        return findings.sorted()
    finally:
        jax_access.unfreeze()


def _check_by_running(
    student: StudentModule,
    function: Callable,
    make_args: MakeArgs,
    others: Sequence[MakeArgs],
    before: Findings,
) -> Findings:
    """Return what calls in every mode show, with the findings from before."""
    findings = before
    for _ in range(_ATTEMPTS):
        imported = set(sys.modules)
        findings = Findings(student, dict(before.found))
        _report_calls(student, function, make_args, others, findings)
        # What a package does when it is first imported is not the function's doing.
        if not packages_since(imported, student):
            break
    return findings


def _report_calls(
    student: StudentModule,
    function: Callable,
    make_args: MakeArgs,
    others: Sequence[MakeArgs],
    findings: Findings,
) -> None:
    """Call the function and report what it does; everything is restored afterwards."""
    with contextlib.ExitStack() as stack:  # the checks that follow begin from the same state
        process = process_state.ProcessSnapshot(student)
        stack.callback(process.restore)
        bench = Bench(student, function, make_args)
        stack.callback(bench.restore)
        _report_all(bench, findings, process, others)


def _report_all(
    bench: Bench,
    findings: Findings,
    process: process_state.ProcessSnapshot,
    others: Sequence[MakeArgs],
) -> None:
    plain = bench.run("plain")
    again = bench.run("plain", before=plain.after)
    changed.report_process(bench, findings, process, "plain")
    bench.restore()
    tracers = traces.find_tracers()
    first = bench.run("trace", watch=True)
    second = bench.run("trace", before=first.after)
    kept = _has_new_tracers(tracers)
    later = bench.run("plain", before=second.after)
    changed.report_process(bench, findings, process, "trace")
    bench.restore()
    nojit = _run_without_jit(bench, first, traced=first.error is None and second.error is None)
    runs = [plain, again, nojit, first, second, later]
    leaked = False
    if kept:  # JAX's own check is slow, so it only confirms
        tracers = traces.find_tracers()
        leaks = bench.run("leaks")
        leaked = (leaks.error is None or "eaked" in str(leaks.error)) and _has_new_tracers(tracers)
        bench.restore()
        runs.append(leaks)
    if leaked:
        # Where the student's own jit traces nothing that stays, this check's own trace has put its
        # tracers into the key of a jitted function, in a static argument or aux data.
        tracers = traces.find_tracers()
        bench.run("retraced")
        leaked = _has_new_tracers(tracers)
        bench.restore()

    changed.report_hits(bench, findings)
    changed.report_arguments(bench, findings, [plain, again, first])
    changed.report_state(bench, findings, runs, [plain, nojit, first], [again, second])
    changed.report_random_states(bench, findings, runs)
    changed.report_program(bench, findings, first)
    changed.report_screen(findings, runs)
    if any(run.tampered for run in runs):
        findings.add("probe-tampered", "the profiler hook that watches the call was removed", None)
    errors = [run.error for run in runs if run.error is not None]
    unexpected = [e for e in errors if type(e).__name__ == "UnexpectedTracerError"]
    if unexpected:
        made = next(filter(None, map(find_leak, unexpected)), None)
        line = made if made is not None and made.file in bench.student.files else None
        findings.add("leaked-tracer", "a tracer kept from an earlier trace is used", line)
    elif leaked:
        findings.add("leaked-tracer", "a tracer is kept alive somewhere after the trace", None)
    report_untaken(bench, findings)
    report_replays(bench, findings, first)
    if not findings.has_errors():
        _report_differences(bench, findings, runs)
    report_sequence(bench, findings, process, first, others)


def _run_without_jit(bench: Bench, first: Run, traced: bool) -> Run:
    """Run without jit only if that may show something new: it compiles every operation."""
    leaves_tracers = any(c.became == "tracer" for c in (*first.changed, *first.arguments))
    if traced and (leaves_tracers or not may_tell_tracers(bench)):
        return Run("nojit", unfinished=True)
    # If the function cannot be traced, the beginning of the run is enough.
    operations = EAGER_OPERATIONS if traced else EAGER_OPERATIONS // 10
    run = bench.run("nojit", watch=True, operations=operations)
    bench.restore()
    return run


def _has_new_tracers(known: list[object]) -> bool:
    """Check whether tracers are alive that are not among the known ones."""
    ids = set(map(id, known))
    return any(id(t) not in ids for t in traces.find_tracers())


def _report_differences(bench: Bench, findings: Findings, runs: list[Run]) -> None:
    """Compare results and programs, for causes that no probe has seen."""
    plain, again, nojit, first, second, later = runs[:6]
    line = findings.first_line(bench.function)
    if first.program is not None and second.program is not None:
        found = traces.difference(first.program, second.program, bench.student)
        if found is not None:
            what = f"traced twice, the function gives two programs: {found[0]}"
            findings.add("retrace-differs", what, found[1] or line)
            return
    if any("deleted" in str(r.error or "") for r in (plain, again, later)):
        findings.add("argument-donated", "an array is used after its buffer was donated", line)
        return
    if plain.result is None:
        return
    exact = jax_access.default_backend() == "cpu"  # a GPU may add up in another order each time
    for other in (again, later):
        if other.error is not None:
            what = f"the same call works first and then raises {type(other.error).__name__}"
            findings.add("results-differ", what, line)
            return
        if other.result is not None and not is_same(plain.result, other.result, exact):
            findings.add("results-differ", "the same arguments give another result", line)
            return
    what = _compare_with_jit(bench, plain, nojit, first)
    if what is not None:
        # jit passes dicts in the order of their keys: that alone is not impure.
        bench.canonical = True
        bench.restore()
        plain, nojit, first = bench.run("plain"), bench.run("nojit"), bench.run("trace")
        bench.restore()
        what = _compare_with_jit(bench, plain, nojit, first)
    if what is not None and _has_nan(nojit) and not _has_nan(plain):
        findings.add("nan-without-jit", "without jit, the result has NaN", line)
    elif what is not None:
        findings.add("jit-differs", what, line)


def _has_nan(run: Run) -> bool:
    leaves = run.result.leaves if run.result is not None else ()
    arrays = [leaf for leaf in leaves if not isinstance(leaf, tuple)]
    return any(leaf.dtype.kind == "f" and bool(np.isnan(leaf).any()) for leaf in arrays)


def _compare_with_jit(bench: Bench, plain: Run, nojit: Run, traced: Run) -> str | None:
    if plain.result is None:
        return None
    if nojit.result is not None and not is_same(plain.result, nojit.result, exact=False):
        return "the function gives another result without jit"
    if traced.program is None or type(bench.function) is jax_access.Jitted:
        return None
    try:
        with capture_screen():  # operation by operation: an unrolled loop takes long to compile
            compiled = bench.result(jax_access.as_function(traced.program.closed)(*traced.inputs))
    except Exception:
        return None
    arrays = [leaf for leaf in plain.result.leaves if not isinstance(leaf, tuple)]
    if not is_same(CallResult([*arrays], ""), compiled, exact=False):
        return "the jitted function gives another result"
    return None
