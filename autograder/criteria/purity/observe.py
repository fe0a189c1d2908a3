"""The purity criterion: runs a function in every mode, watches, and says what is impure."""

from __future__ import annotations

import contextvars
import sys
from collections.abc import Callable
from types import ModuleType

from autograder.core.finding import Finding
from autograder.criteria.purity import (
    changed,
    hash_order,
    integrity,
    programs,
    sniffing,
    stale,
    trusted,
    untaken,
)
from autograder.criteria.purity.compared import report_differences
from autograder.criteria.purity.probes import Hits
from autograder.criteria.purity.process import ProcessSnapshot
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import EAGER_OPERATIONS, Bench, Run
from autograder.criteria.purity.student import Student, packages_since
from autograder.criteria.purity.walk import snapshot

_SETTLES = 3
"""How often a function is observed while it still imports packages for the first time."""


def check_purity(
    function: Callable, make_args: Callable[[], tuple], module: ModuleType
) -> list[Finding]:
    """Whether a student's function has no side effects and depends on its arguments only.

    Args:
        function: the function, jitted or not; a partial or bound method will do.
        make_args: gives a fresh tuple of positional arguments at each call. Leaves that are no
            arrays are static: they stay as they are when the function is traced.
        module: the module that the student's code ran in.

    Returns:
        Findings in order of lines, the same at every call. The function is pure when none of
        them has severity "error". The state of the module and of the process is put back, as
        far as Python allows (an iterator cannot be wound back).
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
    kept = _new(tracers)
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
        leaked = (leaks.error is None or "eaked" in str(leaks.error)) and _new(tracers)
        bench.restore()
        runs.append(leaks)

    for hit in bench.hits.found.values():
        report.add(hit.rule, hit.what, hit.line, hit.filename)
    changed.report_arguments(bench, report, [plain, again, first])
    changed.report_state(bench, report, runs, [plain, nojit, first], [again, second])
    changed.report_random_states(bench, report, runs)
    _effects(bench, report, first)
    _screen(report, runs)
    if any(run.tampered for run in runs):
        report.add("probe-tampered", "the profiler hook that watches the call was removed", None)
    if not report.has("leaked-tracer"):
        _tracers(report, runs, leaked)
    untaken.check(bench, report)
    stale.check(bench, report)
    hash_order.check(bench, report, first)
    if not report.has_errors():
        report_differences(bench, report, plain, again, nojit, first, second, later)


def _without_jit(bench: Bench, first: Run, traced: bool) -> Run:
    """The run without jit, if it may tell something new: every operation of it is compiled."""
    leaves_tracers = any(c.became == "tracer" for c in (*first.changed, *first.arguments))
    if traced and (leaves_tracers or not sniffing.may_tell_tracers(bench)):
        return Run("nojit", unfinished=True)
    # Of what cannot be traced, this tells no more than how it begins.
    operations = EAGER_OPERATIONS if traced else EAGER_OPERATIONS // 10
    run = bench.run("nojit", watch=True, before=bench.start, operations=operations)
    bench.restore()
    return run


def _new(tracers: list[object]) -> bool:
    """Whether tracers are alive that were not among these."""
    known = set(map(id, tracers))
    return any(id(t) not in known for t in programs.live_tracers())


def _effects(bench: Bench, report: Report, first: Run) -> None:
    if first.traced is None:
        return
    for rule, what, line in programs.effects(first.traced.jaxpr, bench.student):
        report.add(rule, what, line)


def _screen(report: Report, runs: list[Run]) -> None:
    if report.has("prints", "logs", "warns", "debug-print"):
        return
    for run in runs:
        if run.screen:
            report.add("prints", f"the call writes {run.screen.strip()[:60]!r}", None)
            return


def _tracers(report: Report, runs: list[Run], leaked: bool) -> None:
    for run in runs:
        if type(run.error).__name__ == "UnexpectedTracerError":
            report.add("leaked-tracer", "a tracer kept from an earlier trace is used", None)
            return
    if leaked:
        report.add("leaked-tracer", "a tracer is kept alive somewhere after the trace", None)
