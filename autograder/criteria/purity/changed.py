"""Reports what calls changed, with the line that did it; tolerates harmless memos.

The line is found by running the call again line by line. A memo is harmless if (1) a second call
changes nothing, (2) every run that starts without the memo stores the same content, traced or not,
so the content does not depend on array values, and (3) a second call reads the content instead of
storing it again: a marker put in its place survives.
"""

from __future__ import annotations

import copy
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import FrameType
from typing import Any

from autograder.core import jax_access
from autograder.core.student_code import Line
from autograder.criteria.purity import process_state, traces
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.probes import Hits, Tripwires, audit
from autograder.criteria.purity.runs import EAGER_OPERATIONS, Bench, Mode, Run, capture_screen
from autograder.criteria.purity.source import reader_line
from autograder.criteria.purity.state import Change, Snapshot, changes, inside, subtree
from autograder.criteria.purity.values import describe
from autograder.criteria.purity.walk import argument_path, snapshot_arguments

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
}
_MAX_READS = 4000
_MAX_SNAPSHOTS = 300
_SUBCLASSES = {kind: type("Marked", (kind,), {}) for kind in (int, float, str, tuple, bytes)}
_GROWING = ("list", "set", "deque", "array", "buffer", "stream")


def _follow(
    bench: Bench, mode: Mode, args: tuple, trace: Callable, watcher: Tripwires | None = None
) -> None:
    """Call the function with a trace function on the frames of the student's code."""

    def enter(frame: FrameType, event: str, arg: object) -> Any:
        return trace(frame, event, arg) if bench.student.owns_frame(frame) else None

    before = jax_access.gettrace()
    with capture_screen(), audit(Hits(bench.student)):
        jax_access.settrace(enter)
        try:
            bench.attempt(mode, args, Run(mode), watcher)
        finally:
            jax_access.settrace(before)


def _locate(bench: Bench, mode: Mode, read: Callable[[tuple], object]) -> int | None:
    """Find the line after which `read(arguments)` first changes; None if it never does.

    The state of the student's module is restored before and after. A jitted function whose
    program is compiled runs no Python, so the body is traced anew if `mode` shows nothing.
    """
    for tried in dict.fromkeys((mode, "trace")):
        found = _first_line_after_change(bench, tried, read)
        if found is not None:
            return found
    return None


def _first_line_after_change(
    bench: Bench, mode: Mode, read: Callable[[tuple], object]
) -> int | None:
    bench.restore()
    args = bench.arguments()
    last = read(args)
    blamed: int | None = None
    current: int | None = None
    reads = 0

    def check() -> None:
        nonlocal blamed, reads
        reads += 1
        if blamed is None and reads < _MAX_READS and current is not None and read(args) != last:
            blamed = current

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal current
        if event != "exception" and blamed is None:
            check()
        if event == "line" or current is None:
            current = Line.of(frame)
        return trace

    _follow(bench, mode, args, trace)
    check()
    bench.restore()
    return blamed


def find_covered_lines(bench: Bench, wanted: set[tuple[str, int]]) -> set[tuple[str, int]]:
    """Collect (file, line) of the student's lines that run, traced or without jit.

    Without jit the function is run only if the trace has left out some of the `wanted` lines.
    """
    seen: set[tuple[str, int]] = set()

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        if event == "line":
            seen.add((frame.f_code.co_filename, frame.f_lineno))
        return trace

    for mode in ("trace", "nojit"):
        if not wanted <= seen:
            bench.restore()
            operations = EAGER_OPERATIONS if mode == "nojit" else None
            watcher = Tripwires(Hits(bench.student), operations)  # code may ask for a profiler
            _follow(bench, mode, bench.arguments(), trace, watcher)
    bench.restore()
    return seen


def find_state_during_call(bench: Bench, mode: Mode) -> str:
    """Return the path of what a call sets for a while, the first of several; empty for nothing."""
    bench.restore()
    found: list[Change] = []
    reads = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal reads
        reads += 1
        if event != "exception" and not found and reads < _MAX_SNAPSHOTS:
            found.extend(changes(bench.start, bench.snapshot())[:1])
        return trace

    _follow(bench, mode, bench.arguments(), trace)
    bench.restore()
    return found[0].path if found else ""


def report_hits(bench: Bench, findings: Findings) -> None:
    """Report what the probes have noted."""
    for (rule, line, filename), what in bench.hits.found.items():
        findings.add(rule, what, line, filename)


def report_program(bench: Bench, findings: Findings, run: Run) -> None:
    """Report the effects of a traced program."""
    if run.program is not None:
        for rule, what, line in traces.effects(run.program.closed, bench.student):
            findings.add(rule, what, line)


def report_screen(findings: Findings, runs: Sequence[Run]) -> None:
    """Report text that appears, if no probe has seen what writes it."""
    screen = next((run.screen for run in runs if run.screen), None)
    if screen is not None and not findings.has("prints", "logs", "warns", "debug-print"):
        findings.add("prints", f"the call writes {screen.strip()[:60]!r}", None)


def report_process(
    bench: Bench, findings: Findings, start: process_state.ProcessSnapshot, mode: Mode
) -> None:
    """Report what changed in the process since `start`, and restore it."""
    keys = start.changed_keys()
    start.restore()
    for key in keys:
        rule, words = start.rule_and_words(key)
        if findings.has(rule) and not start.is_patch(key):
            continue
        line = None
        if key.group != "threads":
            line = _locate(bench, mode, lambda args, key=key: process_state.value_of(key))
            start.restore()
        findings.add(rule, words, line)


def report_random_states(bench: Bench, findings: Findings, runs: list[Run]) -> None:
    for key in sorted({k for run in runs for k in run.drawn}):
        if findings.has("random-state"):
            return
        run = next(r for r in runs if key in r.drawn)
        line = _locate(bench, run.mode, lambda args: process_state.random_states())
        findings.add("random-state", f"the global random state of `{key}` is used", line)


def _each_cause(found: Iterable[tuple[Run, Change]]) -> Iterator[tuple[Run, Change]]:
    """Yield the changes, without those inside or around an earlier one."""
    done: list[str] = []
    for run, change in found:
        if not any(inside(change.path, d) or inside(d, change.path) for d in done):
            done.append(change.path)
            yield run, change


def report_arguments(bench: Bench, findings: Findings, runs: list[Run]) -> None:
    for run, change in _each_cause([(r, change) for r in runs for change in r.arguments]):
        path, name = change.path, _name_argument(bench, change.path)
        if change.became == "deleted":
            what = f"the buffer of {name} is donated: the caller's array is deleted"
            findings.add("argument-donated", what, findings.first_line(bench.function))
            continue

        def read(args: tuple, path: str = path) -> object:
            return snapshot_arguments(bench.student, args).tokens.get(path)

        line = _locate(bench, run.mode, read)
        if change.became == "tracer":
            findings.add("leaked-tracer", f"a tracer is left in {name}", line)
        elif _is_cached_property(run, change):
            findings.add("static-memo", f"the property {name} is cached", line)
        else:
            findings.add("argument-mutated", f"{name} {_describe_change(change)}", line)


def _name_argument(bench: Bench, path: str) -> str:
    """Return the path of an argument with the function's own name for it, if that is known."""
    try:
        names = list(inspect.signature(bench.function).parameters)
    except (TypeError, ValueError):
        return path
    for position, name in enumerate(names, 1):
        if inside(path, argument_path(position)):
            return f"`{name}{path.removeprefix(argument_path(position))}`"
    return path


def _describe_change(change: Change) -> str:
    before, after = describe(change.before), describe(change.after)
    how = "its content" if before == after else f"from {before} to {after}"
    return f"changes {how}"


def _is_cached_property(run: Run, change: Change) -> bool:
    argument, _, name = change.path.rpartition(".")
    number = argument.removeprefix("argument ")
    if change.before is not None or not number.isdigit():
        return False
    classes = type(run.argument_objects[int(number) - 1]).__mro__
    found = next((vars(c)[name] for c in classes if name in vars(c)), None)
    return type(found) is functools.cached_property


def report_state(
    bench: Bench, findings: Findings, runs: list[Run], cold: list[Run], again: list[Run]
) -> None:
    """Report what `runs` changed in the reachable state.

    Of these, `cold` began in the state at the start, and each of `again` followed one of `cold`
    without a restore.
    """
    cold = [r for r in cold if r.error is None and not r.unfinished and r.changed]
    found = [(run, change) for run in runs for change in run.changed]
    found.sort(key=lambda pair: pair[1].became != "tracer")  # the strongest evidence first
    for run, change in _each_cause(found):
        static = change.became != "tracer" and cold and is_static_memo(bench, change, cold, again)
        line = _locate_state(bench, run.mode, change)
        name = _name_state(change.path)
        rule = _KIND_RULES.get(change.kind, "global-mutated")
        if static:
            rule, what = "static-memo", f"`{change.path}` remembers a static value"
        elif change.became == "tracer" or (change.before or ("",))[0] == "tracer":
            # If it was one before, the trace that made the program has left it there.
            rule, what = "leaked-tracer", f"a tracer is left in `{name}`"
        elif change.became == "deleted":
            rule, what = "argument-donated", f"the buffer of `{name}` is donated"
        elif rule == "array-memoised":
            what = f"the cache of `{name}` keeps what a call computed"
        else:
            what = f"`{name}` {_describe_change(change)}"
        findings.add(rule, what, line)


def _name_state(path: str) -> str:
    """Name a part of the reachable state: `history[0]`, `fit.<default history>`."""
    name = path.replace("<function>.", "").replace("<function>", "the function")
    return name.replace(".__wrapped__", "")  # the function that jit was given


def _locate_state(bench: Bench, mode: Mode, change: Change) -> int | None:
    # An iterator cannot be reset: another path changes the second time.
    for path in (change.path, change.root):
        found = _locate(
            bench, mode, lambda args, p=path: subtree(bench.snapshot(only=change.root), p)
        )
        if found is not None:
            return found
    return reader_line(bench.student, bench.hits.codes, change.root)


def _marker(value: Any) -> Any:
    """Make an equal value that is another object; None if there is no way to make one."""
    kind = type(value)
    if kind in _SUBCLASSES:
        return _SUBCLASSES[kind](value)
    if kind is types.FunctionType:
        return types.FunctionType(
            value.__code__, value.__globals__, value.__name__, value.__defaults__, value.__closure__
        )
    if callable(value):
        return functools.partial(value)
    if kind in (bool, type(None)):
        return None
    try:
        return copy.copy(value)
    except Exception:
        return None


def _find_stored(start: Snapshot, after: Snapshot, change: Change) -> list[tuple[dict, Any]]:
    """Find the outermost dicts and keys where values were stored.

    The list is empty if something else changed as well.
    """
    homes: dict[str, tuple[dict, Any]] = {}
    for path in sorted({**start.tokens, **after.tokens}, key=len):
        before, now = start.tokens.get(path), after.tokens.get(path)
        if before == now or not inside(path, change.path) or any(inside(path, p) for p in homes):
            continue
        kind = before[0] if before and now and before[0] == now[0] else None
        if kind == "dict":
            continue  # its new entries follow
        if now is None or path not in after.homes or kind in _GROWING:
            return []
        homes[path] = after.homes[path]
    return list(homes.values())


def is_static_memo(bench: Bench, change: Change, cold: list[Run], again: list[Run]) -> bool:
    """Check whether a change is a harmless memo.

    Args:
        bench: runs further calls.
        change: what changed in at least one of `cold`.
        cold: finished runs of different modes, each from the state at the start.
        again: runs that followed one of them without a restore.
    """
    if change.kind in ("iterator", "context", "random", "closure", "default"):
        return False
    if any(inside(c.path, change.path) for run in again for c in run.changed):
        return False
    contents = [subtree(run.after, change.path) for run in cold]
    kinds = {token[0] for content in contents for token in content.values()}
    if "tracer" in kinds or any(content != contents[0] for content in contents):
        return False
    if "array" in kinds and all(run.mode != "trace" for run in cold):
        return False  # the arrays may come from the arguments: only a trace could tell
    return change.kind == "cache" or any(_survives(bench, change, m) for m in ("plain", "trace"))


def _survives(bench: Bench, change: Change, mode: Mode) -> bool:
    """Check whether a second call in this mode reads what the first one stored."""
    bench.restore()
    first = bench.run(mode)
    homes = _find_stored(bench.start, first.after, change) if first.error is None else []
    markers = [_marker(dict.__getitem__(*home)) for home in homes]
    survived = bool(homes) and all(marker is not None for marker in markers)
    if survived:
        for home, marker in zip(homes, markers, strict=True):
            dict.__setitem__(*home, marker)
        bench.run(mode)
        survived = all(dict.get(*h) is m for h, m in zip(homes, markers, strict=True))
    bench.restore()
    return survived
