"""Calls a function with one set of arguments after another, as one process does, and compares.

Each call is made in a new process's state as well, where jit has traced nothing. A function of its
arguments does the same in both. One whose jitted part reads what the call sets elsewhere (a global,
a context, an attribute) does not: jit traces that part once, and keeps what it read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import CodeType
from typing import Any

from autograder.core import jax_access
from autograder.core.program import abstract
from autograder.criteria.purity import changed, messages, traces
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.probes import Hits
from autograder.criteria.purity.process_state import ProcessSnapshot
from autograder.criteria.purity.runs import Bench, Mode, Run, is_same
from autograder.criteria.purity.source import reader_line
from autograder.criteria.purity.values import is_array, is_floating

MakeArgs = Callable[[], tuple]
_NUDGE = 1 + 2.0**-8


@dataclass(frozen=True)
class _Made:
    """A call in one mode, and the student's code that ran in it."""

    make_args: MakeArgs
    run: Run
    codes: dict[CodeType, None]


def other_numbers(make_args: MakeArgs, whole: bool) -> MakeArgs | None:
    """Return what makes the same arguments with other numbers; None if there are none.

    Args:
        make_args: makes the arguments.
        whole: whether integers change, and not arrays. This is for calls that are only traced: a
            loop may run for another time.
    """

    def change(leaf: Any) -> Any:
        kind = type(leaf)
        if kind is int and whole:
            return leaf + 1
        if kind is float:
            return leaf * _NUDGE
        if not whole and is_array(leaf) and is_floating(leaf):
            return leaf * leaf.dtype.type(_NUDGE)
        return leaf

    leaves = jax_access.flatten(make_args())[0]
    if all(change(leaf) is leaf for leaf in leaves):
        return None

    def make() -> tuple:
        leaves, structure = jax_access.flatten(make_args())
        return jax_access.unflatten(structure, list(map(change, leaves)))

    return make


def report_sequence(
    bench: Bench,
    findings: Findings,
    process: ProcessSnapshot,
    first: Run,
    others: Sequence[MakeArgs],
) -> None:
    """Report what calls do with other arguments, and what a call does after others.

    Args:
        bench: calls the function; its own arguments are those of the first call.
        findings: of the first call. Where there are errors, one cause is enough.
        process: the process as it was at first.
        first: a traced run of the first call.
        others: make the arguments of further calls.
    """
    own = bench.make_args
    try:
        alone = _call_alone(bench, findings, process, first, others)
        if not findings.has_errors():
            _compare(bench, findings, [*alone, alone[0]])
    finally:
        bench.make_args = own
        bench.restore()


def _call_alone(
    bench: Bench,
    findings: Findings,
    process: ProcessSnapshot,
    first: Run,
    others: Sequence[MakeArgs],
) -> list[_Made]:
    """Make each call in a state in which no other has been made, and report its effects."""
    own = bench.make_args
    # A function that cannot be traced as a whole is compared by its results.
    traced = first.program is not None
    mode: Mode = "trace" if traced else "retraced"
    alone = [_Made(own, first, dict(bench.hits.codes))] if traced else []
    known = {repr(abstract(own()))} if traced else set()
    for make_args in (*(() if traced else (own,)), *others, other_numbers(own, traced)):
        if findings.has_errors() or make_args is None:
            break
        shapes = repr(abstract(make_args()))
        if shapes in known:
            continue
        known |= {shapes} if traced else set()
        bench.restore()
        public = make_args in others
        made = _make(bench, mode, make_args, watch=public, compare=public)
        alone.append(made)
        if public:
            changed.report_process(bench, findings, process, mode)
            _report_effects(bench, findings, made.run)
    bench.restore()
    return alone


def _make(
    bench: Bench, mode: Mode, make_args: MakeArgs, *, watch: bool, compare: bool = False
) -> _Made:
    bench.make_args, hits = make_args, bench.hits
    bench.hits = Hits(bench.student)
    try:
        run = bench.run(mode, watch=watch, compare=compare)
        return _Made(make_args, run, bench.hits.codes)
    finally:
        hits.found.update({k: v for k, v in bench.hits.found.items() if k not in hits.found})
        bench.hits = hits


def _report_effects(bench: Bench, findings: Findings, run: Run) -> None:
    changed.report_hits(bench, findings)
    changed.report_arguments(bench, findings, [run])
    changed.report_state(bench, findings, [run], [run], [])
    changed.report_random_states(bench, findings, [run])
    changed.report_program(bench, findings, run)
    changed.report_screen(findings, [run])


def _compare(bench: Bench, findings: Findings, alone: Sequence[_Made]) -> None:
    """Make the calls one after another, and report the first that does something else then."""
    found = _find_difference(bench, alone)
    bench.restore()
    if found is None:
        return
    made, line = alone[found[0]], found[1]
    mode = made.run.mode
    # Watching is slow, so the code that ran is only asked for here.
    ran = made.codes or _make(bench, mode, made.make_args, watch=True).codes
    bench.restore()
    with bench.in_one_process():
        *_, after = (_make(bench, mode, m.make_args, watch=True) for m in alone[: found[0] + 1])
    bench.restore()
    _report_kept(bench, findings, mode, [code for code in ran if code not in after.codes], line)


def _find_difference(bench: Bench, alone: Sequence[_Made]) -> tuple[int, int | None] | None:
    """Return which call does something else after those before it, and the line, if it is known."""
    with bench.in_one_process():
        for i, made in enumerate(alone):
            after = _make(bench, made.run.mode, made.make_args, watch=False)
            differs, line = _difference(bench, made.run, after.run)
            if differs:
                return i, line
    return None


def _difference(bench: Bench, alone: Run, after: Run) -> tuple[bool, int | None]:
    if alone.error is not None or after.error is not None:
        return type(alone.error) is not type(after.error), None
    if alone.program is not None and after.program is not None:
        found = traces.difference(alone.program, after.program, bench.student)
        return found is not None, found[1] if found else None
    if alone.result is not None and after.result is not None:
        exact = jax_access.default_backend() == "cpu"
        return not is_same(alone.result, after.result, exact), None
    return False, None


def _report_kept(
    bench: Bench, findings: Findings, mode: Mode, kept: Sequence[CodeType], line: int | None
) -> None:
    """Report a call that does something else after others, with what jit did not trace again."""
    what = messages.KEPT.format(function=kept[0].co_name) if kept else messages.OTHERWISE
    path = changed.find_state_during_call(bench, mode) if kept else ""
    names = reversed(re.findall(r"\w+", path))
    for name, code in itertools.product(names, kept):
        read_at = reader_line(bench.student, [code], name)
        if read_at is not None:
            line = read_at
            what = messages.KEPT_STATE.format(function=code.co_name, state=name)
            break
    findings.add("stale-global", what, line or findings.first_line(bench.function))
