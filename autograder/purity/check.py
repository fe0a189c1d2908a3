"""The purity criterion: runs a function in every mode, watches, and says what is impure."""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable
from types import ModuleType

import numpy as np

from autograder.finding import Finding
from autograder.purity import (
    hash_order,
    integrity,
    memo,
    process,
    programs,
    sniffing,
    stale,
    state,
    trusted,
    untaken,
)
from autograder.purity.hits import Hits
from autograder.purity.locate import locate
from autograder.purity.report import Report
from autograder.purity.runs import EAGER_OPERATIONS, Bench, Mode, Result, Run, captured, same
from autograder.purity.student import Student
from autograder.purity.values import Token, describe

_KIND_RULES = {
    "global": "global-mutated",
    "closure": "closure-mutated",
    "default": "default-mutated",
    "instance": "attribute-mutated",
    "class": "attribute-mutated",
    "function attribute": "attribute-mutated",
    "iterator": "iterator-advanced",
    "cache": "array-memoised",
    "context": "context-mutated",
    "random": "random-state",
    "argument": "argument-mutated",
}


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
        return _watched(function, make_args, module)


def _watched(
    function: Callable, make_args: Callable[[], tuple], module: ModuleType
) -> list[Finding]:
    student = Student.of(module, function)
    report = Report(student)
    integrity.check_before(student, report)
    modules = process.watched_modules(student)
    picture = process.picture(modules, saving=True)
    try:
        bench = Bench(
            student,
            function,
            make_args,
            Hits(student),
            state.snapshot(student, function, saving=True),
        )
        _judge(bench, report, picture, modules)
    finally:
        picture.restore()
    integrity.check_after(report)
    return report.findings()


def _judge(
    bench: Bench,
    report: Report,
    picture: process.ProcessState,
    modules: list[ModuleType],
) -> None:
    plain = bench.run("plain", before=bench.start)
    again = bench.run("plain", before=plain.after)
    patched = _process_changes(bench, report, picture, modules, "plain")
    bench.restore()
    tracers = programs.live_tracers()
    first = bench.run("trace", watch=True, before=bench.start)
    second = bench.run("trace", before=first.after)
    kept = _new(tracers)
    traced = first.error is None and second.error is None
    later = bench.run("plain", before=second.after)
    patched |= _process_changes(bench, report, picture, modules, "trace")
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
    _arguments(bench, report, [plain, again, first])
    _state(bench, report, runs)
    _random(bench, report, runs, patched)
    _program(report, bench, first, second)
    _screen(bench, report, runs)
    if any(run.tampered for run in runs):
        report.add("probe-tampered", "the profiler hook that watches the call was removed", None)
    if not report.has_error("leaked-tracer"):
        _tracers(report, runs, leaked)
    untaken.check(bench, report)
    stale.check(bench, report)
    hash_order.check(bench, report, first)
    if not report.has_errors():
        _results(bench, report, plain, again, nojit, first, second, later)


def _without_jit(bench: Bench, first: Run, traced: bool) -> Run:
    """The run without jit, if it may tell something new: every operation of it is compiled."""
    leaves_tracers = any(map(_is_tracer, [*first.changed, *first.arguments]))
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


def _process_changes(
    bench: Bench,
    report: Report,
    picture: process.ProcessState,
    modules: list[ModuleType],
    mode: Mode,
) -> bool:
    """Report and undo what changed in the process; whether there was anything."""
    keys = process.changed_keys(picture, process.picture(modules))
    keys = [k for k in keys if k.group != "random"]
    picture.restore()
    for key in keys:
        is_patch = key.group in picture.namespaces
        rule, words = process.rule_for(key, is_patch), process.in_words(key, is_patch)
        if report.has_error(rule) and not is_patch:
            continue

        def look(args: tuple, key: process.Key = key) -> object:
            return process.value_of(key)

        line = None
        if key.group != "threads":
            line = locate(bench, mode, look)
            picture.restore()
        report.add(rule, words, line)
    return bool(keys)


def _arguments(bench: Bench, report: Report, runs: list[Run]) -> None:
    done: set[str] = set()
    for run in runs:
        for change in run.arguments:
            if change.path in done or any(change.path.startswith(d) for d in done):
                continue
            done.add(change.path)
            if change.after is not None and change.after[0] == "deleted":
                what = f"the buffer of {change.path} is donated: the caller's array is deleted"
                report.add("argument-donated", what, report.first_line(bench.function))
                continue

            def look(args: tuple, path: str = change.path) -> object:
                return state.snapshot_arguments(bench.student, args).tokens.get(path)

            line = locate(bench, run.mode, look)
            tracer = change.after is not None and change.after[0] == "tracer"
            if not tracer and _is_cached_property(run, change):
                report.add("static-memo", f"the property {change.path} is cached", line)
            elif tracer:
                report.add("leaked-tracer", f"a tracer is left in {change.path}", line)
            else:
                what = f"{change.path} changes {_from_to(change)}"
                report.add("argument-mutated", what, line)


def _is_cached_property(run: Run, change: state.Change) -> bool:
    if change.before is not None:
        return False
    owner_path, _, name = change.path.rpartition(".")
    number = owner_path.removeprefix("argument ")
    if not number.isdigit():
        return False
    owner = run.argument_objects[int(number) - 1]
    found = next((vars(c)[name] for c in type(owner).__mro__ if name in vars(c)), None)
    return type(found) is functools.cached_property


def _from_to(change: state.Change) -> str:
    before, after = describe(change.before), describe(change.after)
    return "its content" if before == after else f"from {before} to {after}"


def _is_tracer(change: state.Change) -> bool:
    return change.after is not None and change.after[0] == "tracer"


def _state(bench: Bench, report: Report, runs: list[Run]) -> None:
    plain, again, nojit, first, second = runs[:5]
    cold = [r for r in (plain, nojit, first) if r.error is None and not r.unfinished]
    cold = [r for r in cold if r.changed]
    done: list[str] = []
    found = [(run, change) for run in runs for change in run.changed]
    found.sort(key=lambda pair: not _is_tracer(pair[1]))  # the most telling evidence first
    for run, change in found:
        if any(memo.inside(change.path, d) or memo.inside(d, change.path) for d in done):
            continue
        done.append(change.path)
        tracer = change.after is not None and change.after[0] == "tracer"
        if not tracer and cold and memo.is_static_memo(bench, change, cold, [again, second]):
            line = _locate_state(bench, run.mode, change)
            report.add("static-memo", f"`{change.path}` remembers a static value", line)
            continue
        line = _locate_state(bench, run.mode, change)
        name = change.path.replace("<function>.", "").replace("<function>", "the function")
        if tracer:
            report.add("leaked-tracer", f"a tracer is left in `{name}`", line)
            continue
        rule = _KIND_RULES.get(change.kind, "global-mutated")
        if change.after is not None and change.after[0] == "deleted":
            report.add("argument-donated", f"the buffer of `{name}` is donated", line)
        elif rule == "array-memoised":
            report.add(rule, f"the cache of `{name}` keeps what a call computed", line)
        else:
            what = f"`{name}` changes from {describe(change.before)} to {describe(change.after)}"
            report.add(rule, what, line)


def _locate_state(bench: Bench, mode: Mode, change: state.Change) -> int | None:
    def look(args: tuple, path: str = change.path) -> object:
        shot = bench.snapshot(only=change.root)
        return {p: t for p, t in shot.tokens.items() if memo.inside(p, path)}

    found = locate(bench, mode, look)
    if found is None:  # an iterator is not wound back: it changes elsewhere the second time
        found = locate(bench, mode, lambda args: look(args, change.root))
    return found if found is not None else stale.reader_line(bench, change.root)


def _random(bench: Bench, report: Report, runs: list[Run], patched: bool) -> None:
    for key in sorted({k for run in runs for k in run.drawn}, key=lambda k: k.name):
        if report.has_error("random-state"):
            return
        run = next(r for r in runs if key in r.drawn)
        line = locate(bench, run.mode, lambda args: process.random_states())
        report.add("random-state", process.in_words(key, False), line)


def _program(report: Report, bench: Bench, first: Run, second: Run) -> None:
    if first.traced is None:
        return
    for rule, what, line in programs.effects(first.traced.jaxpr, bench.student):
        report.add(rule, what, line)


def _screen(bench: Bench, report: Report, runs: list[Run]) -> None:
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


def _results(
    bench: Bench,
    report: Report,
    plain: Run,
    again: Run,
    nojit: Run,
    first: Run,
    second: Run,
    later: Run,
) -> None:
    """Evidence by comparison, for causes that no probe has seen."""
    line = report.first_line(bench.function)
    if first.program is not None and second.program is not None:
        found = programs.difference(first.program, second.program, bench.student)
        if found is not None:
            what = f"traced twice, the function gives two programs: {found[0]}"
            report.add("retrace-differs", what, found[1] or line)
            return
    deleted = [r for r in (plain, again, later) if "deleted" in str(r.error or "")]
    if deleted:
        report.add("argument-donated", "an array is used after its buffer was donated", line)
        return
    if plain.result is None:
        return
    for other in (again, later):
        if other.error is None and other.result is not None:
            if not same(plain.result, other.result, exact=True):
                report.add("results-differ", "the same arguments give another result", line)
                return
        elif other.error is not None:
            what = f"the same call works first and then raises {type(other.error).__name__}"
            report.add("results-differ", what, line)
            return
    what = _jit_differs(bench, plain, nojit, first)
    if what is not None:
        # jit hands dicts over in the order of their keys: that alone is no impurity.
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
    """The traced program's result, or None when it need not or cannot be run.

    It is run operation by operation: an unrolled loop would take long to compile as a whole.
    """
    if traced.traced is None or hasattr(bench.function, "lower"):
        return None
    try:
        with captured():
            return bench.result(trusted.as_function(traced.traced.jaxpr)(*traced.inputs))
    except Exception:
        return None
