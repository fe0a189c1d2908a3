"""The rules: which experiments are compared, in which part of their records, and what it means.

A difference within one experiment, from before the call to after it, is an effect. A difference
between two experiments shows that the result depends on something besides the arguments. It is
only told where no effect was found, which would explain it.
"""

from __future__ import annotations

import copy
import dis
import functools
import inspect
import itertools
import re
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from autograder.core import jax_access
from autograder.core.error_origins import find_leak
from autograder.core.finding import Finding
from autograder.core.program import abstract
from autograder.core.student_code import Line, unwrap
from autograder.criteria.purity import lines, messages, programs, walk
from autograder.criteria.purity.experiments import (
    EAGER_OPERATIONS,
    Experiment,
    Lab,
    MakeArgs,
    Mode,
    is_same,
    other_flags,
    other_numbers,
    other_shapes,
)
from autograder.criteria.purity.values import describe, instance_dict, is_array, is_jax_array
from autograder.criteria.purity.walk import Change, Snapshot, inside

# Memory addresses, such as `id()` returns, differ from run to run. Findings must not.
_DECIMAL_ADDRESS = re.compile(r"(?<![\d.])\d{9,}(?!\.?\d)")

_ASKING = frozenset(
    ("isinstance", "issubclass", "type", "hasattr", "getattr", "callable", "__class__", "aval")
)

EFFECTS = {
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
"""What it means that something differs after a call, by the kind of object that holds it."""


class Disagreement(NamedTuple):
    """A row: the two experiments, the part of their records, the rule, and what is said.

    `part` returns None where the two agree, else the words and the line of the difference.
    """

    first: str
    second: str
    part: Callable[[Lab, Experiment, Experiment], tuple[str, int | None] | None]
    rule: str
    words: str


def _in_program(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    if a.program is None or b.program is None:
        return None
    return programs.difference(a.program, b.program, lab.student)


def _in_error(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    both = a.result is not None and b.error is not None
    return (type(b.error).__name__, None) if both else None


def _in_donation(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    deleted = any("deleted" in str(record.error or "") for record in (a, b))
    return ("", None) if deleted else None


def _in_result(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    exact = jax_access.default_backend() == "cpu"  # a GPU may add up in another order each time
    both = a.result is not None and b.result is not None
    return ("", None) if both and not is_same(a.result, b.result, exact) else None  # type: ignore[arg-type]


def _in_numbers(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    if a.result is None or b.result is None:
        return None
    arrays = a.result if b.program is None and b.mode == "nojit" else replace(a.result)
    if b.mode == "trace":
        arrays.leaves = arrays.arrays()
    return None if is_same(arrays, b.result, exact=False) else ("", None)


def _in_nan(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    is_new = a.result is not None and b.result is not None
    is_new = is_new and b.result.has_nan() and not a.result.has_nan()  # type: ignore[union-attr]
    return ("", None) if is_new and _in_numbers(lab, a, b) else None


def _in_behaviour(lab: Lab, a: Experiment, b: Experiment) -> tuple[str, int | None] | None:
    if a.error is not None or b.error is not None:
        return ("", None) if type(a.error) is not type(b.error) else None
    return _in_program(lab, a, b) or (None if a.program else _in_result(lab, a, b))


DISAGREEMENTS = (
    Disagreement("traced", "traced again", _in_program, "retrace-differs", messages.TRACED_TWICE),
    Disagreement("plain", "again", _in_donation, "argument-donated", messages.USED_AFTER),
    Disagreement("plain", "later", _in_donation, "argument-donated", messages.USED_AFTER),
    Disagreement("plain", "again", _in_error, "results-differ", messages.THEN_RAISES),
    Disagreement("plain", "again", _in_result, "results-differ", messages.ANOTHER_RESULT),
    Disagreement("plain", "later", _in_error, "results-differ", messages.THEN_RAISES),
    Disagreement("plain", "later", _in_result, "results-differ", messages.ANOTHER_RESULT),
    Disagreement("plain", "without jit", _in_nan, "nan-without-jit", messages.NAN_WITHOUT_JIT),
    Disagreement("plain", "without jit", _in_numbers, "jit-differs", messages.WITHOUT_JIT),
    Disagreement("plain", "program", _in_numbers, "jit-differs", messages.WITH_JIT),
)
"""Experiments with the arguments of the first call. The first row that differs is told."""


def callback_finding(name: str, lines: Sequence[int | None]) -> Finding:
    """Make the finding of a call back into Python from a program.

    Args:
        name: of the primitive, such as `debug_callback` or `io_callback`.
        lines: the student's.
    """
    line = next((line for line in lines if line), None)
    code = line.text if isinstance(line, Line) else ""
    rule, what = messages.name_callback(name)
    return Finding(rule, messages.severity_of(rule), line, messages.text(rule, what, line), code)


@dataclass
class Findings:
    """Holds findings by rule, line and, where the line is unknown, what happened."""

    lab: Lab
    found: dict[tuple[str, int | None, str], Finding] = field(default_factory=dict)

    def add(self, rule: str, what: str, line: int | None, filename: str | None = None) -> None:
        """Add a finding; a rule counts once a line, and without a line only if it is new."""
        if line is None and self.has(rule):
            return
        key = (rule, line, "" if line else what)
        if key not in self.found:
            message = messages.text(rule, _DECIMAL_ADDRESS.sub("...", what), line)
            code = self.lab.student.code_at(line, filename)
            self.found[key] = Finding(rule, messages.severity_of(rule), line, message, code)

    def has(self, *rules: str) -> bool:
        return any(f.rule in rules for f in self.found.values())

    def has_errors(self) -> bool:
        return any(f.severity == "error" for f in self.found.values())

    def first_line(self) -> int | None:
        """Return the line of the function's `def` when it is the student's."""
        code = getattr(unwrap(self.lab.function), "__code__", None)
        if code is None or not self.lab.student.owns_code(code):
            return None
        return Line(code.co_firstlineno, code.co_filename)

    def sorted(self) -> list[Finding]:
        """List the findings: errors first, each group by line, rule and text."""
        return sorted(
            self.found.values(),
            key=lambda f: (f.severity != "error", f.line or 1 << 30, f.rule, f.message),
        )


def check(lab: Lab, others: Sequence[MakeArgs]) -> list[Finding]:
    """Make the experiments and return what they show."""
    findings = Findings(lab)
    plain = lab.run("plain")
    again = lab.run("plain", follows=plain)
    traced = lab.run("trace", watch=True)
    traced_again = lab.run("trace", follows=traced)
    later = lab.run("plain", follows=traced_again)
    is_traced = traced.error is None and traced_again.error is None
    leaves_tracers = any(change.became == "tracer" for change in traced.changes)
    records = [plain, again, traced, traced_again, later]
    nojit = Experiment("nojit", lab.make_args, (), traced.calls, unfinished=True)
    is_jitted = bool(lab.jitted) or type(lab.function) is jax_access.Jitted  # else as plain
    may_differ = is_jitted and not leaves_tracers and any(map(_may_tell_tracers, lab.codes))
    if not is_traced or may_differ:
        # If the function cannot be traced, the beginning of the run is enough.
        operations = EAGER_OPERATIONS if is_traced else EAGER_OPERATIONS // 10
        nojit = lab.run("nojit", watch=True, operations=operations)
        records.append(nojit)
    cold = [r for r in (plain, nojit, traced) if not (r.error or r.unfinished)]
    _report_effects(lab, findings, records, [r for r in cold if r.changes], [again, traced_again])
    unexpected = [r.error for r in records if type(r.error).__name__ == "UnexpectedTracerError"]
    if unexpected:
        made = next(filter(None, map(find_leak, filter(None, unexpected))), None)
        line = made if made is not None and made.file in lab.student.files else None
        findings.add("leaked-tracer", messages.TRACER_USED, line)
    base = traced if traced.program is not None else nojit
    if not findings.has_errors():
        _check_stale(lab, findings, base)
    if not findings.has_errors():
        of_first = {"plain": plain, "again": again, "traced": traced, "later": later}
        of_first |= {"traced again": traced_again, "without jit": nojit}
        _compare(lab, findings, of_first)
    _check_others(lab, findings, traced, others)
    if not findings.has_errors():
        _check_made_up(lab, findings, traced)
    return findings.sorted()


def _may_tell_tracers(code: types.CodeType) -> bool:
    """Whether code branches or asks for a type: else it does the same without jit.

    That run is slow, a third of a check: each operation is compiled by itself.
    """
    steps = dis.get_instructions(code)
    asks = not _ASKING.isdisjoint(code.co_names) or bool(code.co_exceptiontable)
    return asks or any("_IF_" in step.opname for step in steps)


def _compare(lab: Lab, findings: Findings, of_first: dict[str, Experiment]) -> None:
    for row in DISAGREEMENTS:
        if row.second == "program" and "program" not in of_first:
            of_first["program"] = lab.run_program(of_first["traced"])
        found = row.part(lab, of_first[row.first], of_first[row.second])
        if found is not None:
            words, line = row.words.format(difference=found[0]), found[1]
            findings.add(row.rule, words, line or findings.first_line())
            return


# Effects of single experiments


def _report_effects(
    lab: Lab,
    findings: Findings,
    records: Sequence[Experiment],
    cold: Sequence[Experiment] = (),
    again: Sequence[Experiment] = (),
) -> None:
    """Report what differs after calls, the calls that were watched, and effects of programs.

    Of the records, `cold` began in the state at the start, and each of `again` followed one of them
    without a restore: what they have in common may be a harmless memo.
    """
    for record in records:
        for (rule, line, filename), what in record.calls.found.items():
            findings.add(rule, what, line, filename)
    found = [(r, c) for r in records for c in r.changes]
    # Under jit, the arguments are copies. The strongest evidence of the state comes first.
    found = [(r, c) for r, c in found if c.part != "arguments" or r.mode != "nojit"]
    found.sort(key=lambda x: (0,) if x[1].part != "state" else (1, x[1].became != "tracer"))
    for record, change in _each_cause(found):
        rule, what = _meaning(lab, change, record, cold, again)
        is_process = change.part == "process"
        if is_process and rule != "module-patched" and findings.has(rule):
            continue
        at_def = change.became == "deleted" and change.part == "arguments"
        is_thread = change.kind == "threads"
        line = findings.first_line() if at_def else None
        if not at_def and not is_thread:
            line = lines.locate(lab, record, change)
        findings.add(rule, what, line)
    for record in records:
        if record.program is not None:
            for rule, what, line in programs.effects(record.program.closed, lab.student):
                findings.add(rule, what, line)
    screen = next((record.screen for record in records if record.screen), None)
    if screen is not None and not findings.has("prints", "logs", "warns", "debug-print"):
        findings.add("prints", messages.WRITES.format(text=repr(screen.strip()[:60])), None)


def _each_cause(found: Iterable[tuple[Experiment, Change]]) -> Iterator[tuple[Experiment, Change]]:
    """Yield the changes, without those inside or around an earlier one."""
    done: list[str] = []
    for record, change in found:
        if not any(inside(change.path, d) or inside(d, change.path) for d in done):
            done.append(change.path)
            yield record, change


def _meaning(
    lab: Lab,
    change: Change,
    record: Experiment,
    cold: Sequence[Experiment],
    again: Sequence[Experiment],
) -> tuple[str, str]:
    """Return the rule that a change breaks, and what is said."""
    if change.part == "process":
        return lab.process.describe(change)
    name = _name_of(lab, change)
    if change.became == "deleted":
        return "argument-donated", f"the buffer of {name} is donated: the caller's array is deleted"
    if change.leaks:
        return "leaked-tracer", f"a tracer is left in {name}"
    if change.part == "arguments" and _is_cached_property(record, change):
        return "static-memo", f"the property {name} is cached"
    if change.part == "state" and cold and _is_static_memo(lab, change, cold, again):
        return "static-memo", f"`{change.path}` remembers a static value"
    rule = EFFECTS["argument" if change.part == "arguments" else change.kind]
    if rule == "array-memoised":
        return rule, f"the cache of {name} keeps what a call computed"
    before, after = describe(change.before), describe(change.after)
    how = "its content" if before == after else f"from {before} to {after}"
    return rule, f"{name} changes {how}"


def _name_of(lab: Lab, change: Change) -> str:
    """Name the path of a change: `history[0]`, `fit.<default history>`, an argument by its name."""
    path = change.path.replace("<function>.", "").replace("<function>", "the function")
    path = path.replace(".__wrapped__", "")  # the function that jit was given
    path = re.sub(r"<(part )?\d+>.*", "", path)  # inside of an iterator, say
    if change.part == "arguments":
        position, names = int(change.root.split()[-1]) - 1, []
        try:
            names = list(inspect.signature(lab.function).parameters)
        except (TypeError, ValueError):
            return path
        if position >= len(names):
            return path
        path = names[position] + path.removeprefix(change.root)
    return f"`{path}`"


def _is_cached_property(record: Experiment, change: Change) -> bool:
    argument, _, name = change.path.rpartition(".")
    if change.before is not None or argument != change.root:
        return False
    classes = type(record.args[int(change.root.split()[-1]) - 1]).__mro__
    found = next((vars(c)[name] for c in classes if name in vars(c)), None)
    return type(found) is functools.cached_property


# Memos. One is harmless if a second call changes nothing, if every run that starts without it
# stores the same content, traced or not, so that it does not depend on the values of arrays, and if
# a second call reads the content instead of storing it again: a marker put in its place survives.

_GROWING = ("list", "set", "deque", "array", "object")
_SUBCLASSES = {kind: type("Marked", (kind,), {}) for kind in (int, float, str, tuple, bytes)}


def _is_static_memo(
    lab: Lab, change: Change, cold: Sequence[Experiment], again: Sequence[Experiment]
) -> bool:
    if change.kind in ("iterator", "context", "random", "closure", "default"):
        return False
    if any(inside(c.path, change.path) for record in again for c in record.changes):
        return False
    contents = [record.after.below(change.path) for record in cold]
    kinds = {token[0] for content in contents for token in content.values()}
    if "tracer" in kinds or any(content != contents[0] for content in contents):
        return False
    if "array" in kinds and all(record.mode != "trace" for record in cold):
        return False  # the arrays may come from the arguments: only a trace could tell
    if change.kind == "cache":
        return True
    return any(_survives(lab, change, record) for record in cold if record.mode != "nojit")


def _survives(lab: Lab, change: Change, record: Experiment) -> bool:
    """Check whether a second call in this mode reads what the first one stored."""
    first = lab.run(record.mode, record.make_args)
    homes = _find_stored(lab.start, first.after, change) if first.error is None else []
    if any(isinstance(home, type) or type(home) is types.CellType for home, _ in homes):
        return False
    markers = [_marker(home[key]) for home, key in homes]
    if not homes or any(marker is None for marker in markers):
        return False
    for (home, key), marker in zip(homes, markers, strict=True):
        dict.__setitem__(home, key, marker)
    lab.run(record.mode, record.make_args, follows=first)
    return all(dict.get(*home) is m for home, m in zip(homes, markers, strict=True))


def _find_stored(start: Snapshot, after: Snapshot, change: Change) -> list[tuple[dict, Any]]:
    """Find the outermost dicts and keys where values were stored; none if more has changed."""
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


def _marker(value: Any) -> Any:
    """Make an equal value that is another object; None if there is no way to make one."""
    kind = type(value)
    if kind in _SUBCLASSES:
        return _SUBCLASSES[kind](value)
    if kind in (bool, type(None)):
        return None
    if callable(value):
        return functools.partial(value)
    try:
        return copy.copy(value)
    except Exception:
        return None


# Other calls: those of the public draws, alone and one after another


def _check_others(
    lab: Lab, findings: Findings, traced: Experiment, others: Sequence[MakeArgs]
) -> None:
    """Make every call in a state in which no other has been made, then one after another.

    A function of its arguments does the same in both. One whose jitted part reads what the call
    sets elsewhere (a global, a context, an attribute) does not: jit traces that part once, and
    keeps what it read. A function that cannot be traced as a whole is compared by its results.
    """
    own, is_traced = lab.make_args, traced.program is not None
    mode: Mode = "trace" if is_traced else "retraced"
    alone = [traced] if is_traced else []
    known = {repr(abstract(own()))} if is_traced else set()
    for make_args in (*(() if is_traced else (own,)), *others, other_numbers(own, is_traced)):
        if findings.has_errors() or make_args is None:
            break
        shapes = repr(abstract(make_args()))
        if shapes in known:
            continue
        known |= {shapes} if is_traced else set()
        public = make_args in others
        record = lab.run(mode, make_args, watch=public, compare=public)
        alone.append(record)
        if public:
            records = [record]
            if is_traced and type(lab.function) is not jax_access.Jitted:
                records.append(lab.run("plain", make_args))  # what only concrete values show
            _report_effects(lab, findings, records, [r for r in records if r.changes])
    if findings.has_errors():
        return
    sequence = [*alone, *alone[:1]]
    made: list[Experiment] = []
    with lab.in_one_process():
        for record in sequence:
            made.append(record)
            after = lab.run(mode, record.make_args, here=True, compare=False)
            kept = _in_behaviour(lab, record, after)
            if kept is not None:
                break
        else:
            return
    _report_kept(lab, findings, made, kept[1])


def _report_kept(
    lab: Lab, findings: Findings, sequence: Sequence[Experiment], line: int | None
) -> None:
    """Report a call that does something else after others, with what jit did not trace again."""
    record = sequence[-1]
    ran = record.calls.codes  # watching is slow, so the code that ran is only asked for here
    ran = ran or lab.run(record.mode, record.make_args, watch=True, compare=False).calls.codes
    with lab.in_one_process():
        *_, after = (
            lab.run(each.mode, each.make_args, watch=True, compare=False, here=True)
            for each in sequence
        )
    kept = [code for code in ran if code not in after.calls.codes]
    what = messages.KEPT.format(function=kept[0].co_name) if kept else messages.OTHERWISE
    path = lines.find_state_during_call(lab, record) if kept else ""
    for name, code in itertools.product(reversed(re.findall(r"\w+", path)), kept):
        read_at = lines.reader_line(lab.student, [code], name)
        if read_at is not None:
            line, what = read_at, messages.KEPT_STATE.format(function=code.co_name, state=name)
            break
    findings.add("stale-global", what, line or findings.first_line())


# Made-up calls: other shapes and flags, and other values of what the code reads and other code sets

_MILD = ("prints", "logs", "warns", "debug-print")


def _check_stale(lab: Lab, findings: Findings, base: Experiment) -> None:
    """Report values that jit would freeze: `base` depends on them, and other code sets them."""
    if base.error is not None or base.unfinished:
        return
    for writer in lines.find_writers(lab):
        lab.restore()
        if not any([_perturb(*home) for home in writer.homes]):
            continue
        follows = replace(base, after=lab.snapshot())
        if writer.of_self:  # an argument, unless jit has kept what it read there
            kept = lab.run("plain", follows=follows)
            stale = _in_behaviour(lab, kept, lab.run("retraced", follows=follows))
        else:
            record = lab.run(base.mode, watch=True, follows=follows)
            effects = record.changes or record.calls.found.keys() - base.calls.found.keys()
            stale = effects or record.error or _in_behaviour(lab, base, record)
        if stale:
            what = messages.DEPENDS.format(name=writer.name, line=writer.line)
            name = writer.name.split(".")[-1]
            line = lines.reader_line(lab.student, lab.codes, name)
            findings.add("stale-global", what, line)


def _check_made_up(lab: Lab, findings: Findings, traced: Experiment) -> None:
    """Report effects of calls that nobody has made yet."""
    made_up = (other_shapes(lab.make_args), other_flags(lab.function, lab.make_args))
    for make_args in filter(None, made_up):
        record = lab.run("trace", make_args, watch=True, operations=EAGER_OPERATIONS, made_up=True)
        if record.error is None:  # else they may be nonsense
            _report_untaken(lab, findings, record, traced)


def _report_untaken(lab: Lab, findings: Findings, record: Experiment, traced: Experiment) -> None:
    for key, what in record.calls.found.items():
        if key not in traced.calls.found:
            rule = "untaken-effect" if key[0] in _MILD else "untaken-mutation"
            findings.add(rule, messages.BEHIND.format(what=what), *key[1:])
    cold = [record] if record.changes else []
    again = [lab.run("trace", record.make_args, follows=record)] if cold else []
    for _, change in _each_cause((record, c) for c in (*record.changes, *record.rebuilt)):
        if _meaning(lab, change, record, cold, again)[0] == "static-memo":
            continue
        what = messages.WOULD_CHANGE.format(name=_name_of(lab, change))
        findings.add("untaken-mutation", what, lines.locate(lab, record, change))


def _bump(value: Any) -> Any:
    """Make another value of the same type, or None when there is nothing to change."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return value + 1
    if kind is float:
        return value * 1.7 + 0.3
    if kind is str:
        return value + "'"
    if is_array(value) and (is_jax_array(value) or value.dtype.kind in "fi"):
        if jax_access.issubdtype(value.dtype, np.number):
            bumped = (
                value * 1.7 + 1.3 if jax_access.issubdtype(value.dtype, np.floating) else value + 1
            )
            return bumped if is_jax_array(value) else np.asarray(bumped).astype(value.dtype)
        return None
    if kind in (tuple, list):
        new = [_bump(v) for v in value]
        if any(v is not None for v in new):
            return kind(old if v is None else v for old, v in zip(value, new, strict=True))
    return None


def _perturb(home: Any, key: Any) -> bool:
    """Change a value, or the numbers inside a dict or object; return whether anything changed."""
    value = walk.get(home, key)
    new = _bump(value)
    if new is None:
        inner = value if isinstance(value, dict) else None
        if inner is None and not callable(value) and not isinstance(value, types.ModuleType):
            inner = instance_dict(value)
        return any([_perturb(inner, name) for name in list(inner or {})])
    walk.put(home, key, new)
    return True
