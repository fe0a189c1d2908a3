"""Reports what calls changed, each with the student's line that did it."""

from __future__ import annotations

import functools
from types import ModuleType

from autograder.criteria.purity import memo, process, stale, state
from autograder.criteria.purity.locate import locate
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import Bench, Mode, Run
from autograder.criteria.purity.values import describe

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


def report_process(
    bench: Bench,
    report: Report,
    picture: process.ProcessState,
    modules: list[ModuleType],
    mode: Mode,
) -> None:
    """Report and undo what changed in the process."""
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


def report_random_states(bench: Bench, report: Report, runs: list[Run]) -> None:
    for key in sorted({k for run in runs for k in run.drawn}, key=lambda k: k.name):
        if report.has_error("random-state"):
            return
        run = next(r for r in runs if key in r.drawn)
        line = locate(bench, run.mode, lambda args: process.random_states())
        report.add("random-state", process.in_words(key, False), line)


def report_arguments(bench: Bench, report: Report, runs: list[Run]) -> None:
    done: set[str] = set()
    for run in runs:
        for change in run.arguments:
            if change.path in done or any(change.path.startswith(d) for d in done):
                continue
            done.add(change.path)
            if change.became == "deleted":
                what = f"the buffer of {change.path} is donated: the caller's array is deleted"
                report.add("argument-donated", what, report.first_line(bench.function))
                continue

            def look(args: tuple, path: str = change.path) -> object:
                return state.snapshot_arguments(bench.student, args).tokens.get(path)

            line = locate(bench, run.mode, look)
            if change.became == "tracer":
                report.add("leaked-tracer", f"a tracer is left in {change.path}", line)
            elif _is_cached_property(run, change):
                report.add("static-memo", f"the property {change.path} is cached", line)
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


def report_state(bench: Bench, report: Report, runs: list[Run]) -> None:
    plain, again, nojit, first, second = runs[:5]
    cold = [r for r in (plain, nojit, first) if r.error is None and not r.unfinished]
    cold = [r for r in cold if r.changed]
    done: list[str] = []
    found = [(run, change) for run in runs for change in run.changed]
    found.sort(key=lambda pair: pair[1].became != "tracer")  # the most telling evidence first
    for run, change in found:
        if any(state.inside(change.path, d) or state.inside(d, change.path) for d in done):
            continue
        done.append(change.path)
        tracer = change.became == "tracer"
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
        if change.became == "deleted":
            report.add("argument-donated", f"the buffer of `{name}` is donated", line)
        elif rule == "array-memoised":
            report.add(rule, f"the cache of `{name}` keeps what a call computed", line)
        else:
            what = f"`{name}` changes from {describe(change.before)} to {describe(change.after)}"
            report.add(rule, what, line)


def _locate_state(bench: Bench, mode: Mode, change: state.Change) -> int | None:
    def look(args: tuple, path: str = change.path) -> object:
        shot = bench.snapshot(only=change.root)
        return {p: t for p, t in shot.tokens.items() if state.inside(p, path)}

    found = locate(bench, mode, look)
    if found is None:  # an iterator is not wound back: it changes elsewhere the second time
        found = locate(bench, mode, lambda args: look(args, change.root))
    return found if found is not None else stale.reader_line(bench, change.root)
