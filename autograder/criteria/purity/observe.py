"""Runs a student's function in every mode and reports what is impure."""

from __future__ import annotations

import contextvars
import sys
from collections.abc import Callable
from types import ModuleType

import numpy as np

from autograder.core.finding import Finding
from autograder.core.program import concrete
from autograder.criteria.purity import changed, integrity, programs, trusted
from autograder.criteria.purity.hash_order import report_hash_order
from autograder.criteria.purity.probes import Hits
from autograder.criteria.purity.process import ProcessSnapshot
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import EAGER_OPERATIONS, Bench, Result, Run, captured, same
from autograder.criteria.purity.sniffing import may_tell_tracers
from autograder.criteria.purity.stale import report_stale
from autograder.criteria.purity.student import Student, packages_since
from autograder.criteria.purity.untaken import report_untaken
from autograder.criteria.purity.values import Token
from autograder.criteria.purity.walk import snapshot
from autograder.criteria.shape import Seen, Subject

_SETTLES = 3
"""How often a function is observed while it still imports packages for the first time."""


def check_purity(
    function: Callable, make_args: Callable[[], tuple], module: ModuleType
) -> list[Finding]:
    """Check that a student's function has no side effects and depends on its arguments only.

    Args:
        function: the function, jitted or not; a partial or bound method will do.
        make_args: gives a fresh tuple of positional arguments at each call. Leaves that are no
            arrays are static: they stay as they are when the function is traced.
        module: the module that the student's code ran in.

    Returns:
        Findings in order of lines, the same at every call. The function is pure when none of
        them has severity "error". The state of the module and of the process is restored, as
        far as Python allows (an iterator cannot be reset).
    """
    return contextvars.copy_context().run(_check, function, make_args, module)


def _check(function: Callable, make_args: Callable[[], tuple], module: ModuleType) -> list[Finding]:
    with trusted.only_new_garbage():
        student = Student.of(module, function)
        before = Report(student)
        integrity.check_before(student, before)
        report = before
        for _ in range(_SETTLES):
            imported = set(sys.modules)
            report = before.copy()
            _observe(student, function, make_args, report)
            # What a package does when it is first imported is not the function's doing.
            if not packages_since(imported, student):
                break
        integrity.check_after(report)
        return report.findings()


def _observe(
    student: Student, function: Callable, make_args: Callable[[], tuple], report: Report
) -> None:
    """Run the function and report what it does; everything is restored afterwards."""
    process = ProcessSnapshot(student)
    try:
        start = snapshot(student, function, saving=True)
        bench = Bench(student, function, make_args, Hits(student), start)
        try:
            _report_all(bench, report, process)
        finally:  # the checks that follow begin from the same state
            bench.restore()
    finally:
        process.restore()


def _report_all(bench: Bench, report: Report, process: ProcessSnapshot) -> None:
    plain = bench.run("plain", before=bench.start)
    again = bench.run("plain", before=plain.after)
    changed.report_process(bench, report, process, "plain")
    bench.restore()
    tracers = programs.live_tracers()
    first = bench.run("trace", watch=True, before=bench.start)
    second = bench.run("trace", before=first.after)
    kept = _has_new_tracers(tracers)
    traced = first.error is None and second.error is None
    later = bench.run("plain", before=second.after)
    changed.report_process(bench, report, process, "trace")
    bench.restore()
    nojit = _without_jit(bench, first, traced)
    runs = [plain, again, nojit, first, second, later]
    leaked = False
    if kept:  # JAX's own check is slow, so it only confirms
        tracers = programs.live_tracers()
        leaks = bench.run("leaks", before=bench.start)
        leaked = (leaks.error is None or "eaked" in str(leaks.error)) and _has_new_tracers(tracers)
        bench.restore()
        runs.append(leaks)

    for (rule, line, filename), what in bench.hits.found.items():
        report.add(rule, what, line, filename)
    changed.report_arguments(bench, report, [plain, again, first])
    changed.report_state(bench, report, runs, [plain, nojit, first], [again, second])
    changed.report_random_states(bench, report, runs)
    _report_effects(bench, report, first)
    _report_screen(report, runs)
    if any(run.tampered for run in runs):
        report.add("probe-tampered", "the profiler hook that watches the call was removed", None)
    _report_tracers(report, runs, leaked)
    report_untaken(bench, report)
    report_stale(bench, report)
    report_hash_order(bench, report, first)
    if not report.has_errors():
        _report_differences(bench, report, runs)


def _without_jit(bench: Bench, first: Run, traced: bool) -> Run:
    """Run without jit, if it may tell something new: every operation of it is compiled."""
    leaves_tracers = any(c.became == "tracer" for c in (*first.changed, *first.arguments))
    if traced and (leaves_tracers or not may_tell_tracers(bench)):
        return Run("nojit", unfinished=True)
    # Of what cannot be traced, this tells no more than how it begins.
    operations = EAGER_OPERATIONS if traced else EAGER_OPERATIONS // 10
    run = bench.run("nojit", watch=True, before=bench.start, operations=operations)
    bench.restore()
    return run


def _has_new_tracers(known: list[object]) -> bool:
    """Check whether tracers are alive that are not among the known ones."""
    ids = set(map(id, known))
    return any(id(t) not in ids for t in programs.live_tracers())


def _report_effects(bench: Bench, report: Report, first: Run) -> None:
    if first.traced is not None:
        for rule, what, line in programs.effects(first.traced.jaxpr, bench.student):
            report.add(rule, what, line)


def _report_screen(report: Report, runs: list[Run]) -> None:
    written = next((run.screen for run in runs if run.screen), None)
    if written is not None and not report.has("prints", "logs", "warns", "debug-print"):
        report.add("prints", f"the call writes {written.strip()[:60]!r}", None)


def _report_tracers(report: Report, runs: list[Run], leaked: bool) -> None:
    if report.has("leaked-tracer"):
        return
    if any(type(run.error).__name__ == "UnexpectedTracerError" for run in runs):
        report.add("leaked-tracer", "a tracer kept from an earlier trace is used", None)
    elif leaked:
        report.add("leaked-tracer", "a tracer is kept alive somewhere after the trace", None)


def observe(subject: Subject) -> Seen | None:
    """Side effects of the first of the public calls."""
    exercise, calls = subject.exercise, subject.calls
    if not calls or "purity" not in exercise.points:
        return None
    try:
        found = check_purity(subject.function, lambda: concrete(calls[0]), subject.module)
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    return Seen(tuple(f for f in found if f.rule not in exercise.permits))


def _report_differences(bench: Bench, report: Report, runs: list[Run]) -> None:
    """Compare results and programs, for causes that no probe has seen."""
    plain, again, nojit, first, second, later = runs[:6]
    line = report.first_line(bench.function)
    if first.program is not None and second.program is not None:
        found = programs.difference(first.program, second.program, bench.student)
        if found is not None:
            what = f"traced twice, the function gives two programs: {found[0]}"
            report.add("retrace-differs", what, found[1] or line)
            return
    if any("deleted" in str(r.error or "") for r in (plain, again, later)):
        report.add("argument-donated", "an array is used after its buffer was donated", line)
        return
    if plain.result is None:
        return
    for other in (again, later):
        if other.error is not None:
            what = f"the same call works first and then raises {type(other.error).__name__}"
            report.add("results-differ", what, line)
            return
        if other.result is not None and not same(plain.result, other.result, exact=True):
            report.add("results-differ", "the same arguments give another result", line)
            return
    what = _jit_differs(bench, plain, nojit, first)
    if what is not None:
        # jit passes dicts in the order of their keys: that alone is not impure.
        bench.canonical = True
        bench.restore()
        plain, nojit, first = bench.run("plain"), bench.run("nojit"), bench.run("trace")
        bench.restore()
        what = _jit_differs(bench, plain, nojit, first)
    if what is not None:
        report.add("jit-differs", what, line)


def _jit_differs(bench: Bench, plain: Run, nojit: Run, traced: Run) -> str | None:
    if plain.result is None:
        return None
    if nojit.result is not None and not same(plain.result, nojit.result, exact=False):
        return "the function gives another result without jit"
    arrays: list[np.ndarray | Token] = [x for x in plain.result.leaves if not isinstance(x, tuple)]
    compiled = _compiled(bench, traced)
    if compiled is not None and not same(Result(arrays, ""), compiled, exact=False):
        return "the jitted function gives another result"
    return None


def _compiled(bench: Bench, traced: Run) -> Result | None:
    """Return the traced program's result, or None when it need not or cannot be run.

    It is run operation by operation: an unrolled loop would take long to compile as a whole.
    """
    if traced.traced is None or hasattr(bench.function, "lower"):
        return None
    try:
        with captured():
            return bench.result(trusted.as_function(traced.traced.jaxpr)(*traced.inputs))
    except Exception:
        return None
