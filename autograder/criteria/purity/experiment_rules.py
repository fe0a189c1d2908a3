"""The rules: which experiments are compared, in which part of their records, and what it means.

A difference within one experiment, from before the call to after it, is an effect. A difference
between two experiments shows that the result depends on something besides the arguments. It is
only reported where no effect was found, which would explain it.
"""

from __future__ import annotations

import contextlib
import copy
import dis
import functools
import inspect
import re
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from autograder.criteria.purity import lines, messages, programs, walk
from autograder.criteria.purity.experiments import (
    Experiment,
    Lab,
    MakeArgs,
    Mode,
    is_same,
    other_flags,
    other_numbers,
    other_shapes,
    other_value,
)
from autograder.criteria.purity.values import describe
from autograder.criteria.purity.walk import Change, inside
from autograder.criteria.purity.writers import find_writers
from autograder.errors.error_origins import find_leak
from autograder.model.error_table import ERRORS, Sign
from autograder.model.finding import Finding
from autograder.model.student_code import Line, unwrap
from autograder.programs import jax_access
from autograder.programs.exported import abstract

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
    "module": "module-patched",
    "configuration": "jax-config-changed",
    "environment": "environment-changed",
    "interpreter": "interpreter-changed",
    "thread": "thread",
}
"""What it means that something differs after a call, by the kind of object that holds it."""


class Disagreement(NamedTuple):
    """A row: the two experiments, the part of their records, the rule, and the message.

    `part` returns None where the two agree, else the words and the line of the difference.
    """

    first: str
    second: str
    part: Callable[[Lab, Experiment, Experiment], Found]
    rule: str
    words: str


Found = tuple[str, int | None] | None
Records = Sequence[Experiment]


def _in_program(lab: Lab, a: Experiment, b: Experiment) -> Found:
    both = a.program and b.program
    return programs.difference(a.program, b.program, lab.student) if both else None  # type: ignore[arg-type]


def _in_error(lab: Lab, a: Experiment, b: Experiment) -> Found:
    return (type(b.error).__name__, None) if a.result and b.error is not None else None


def _in_donation(lab: Lab, a: Experiment, b: Experiment) -> Found:
    errors = (Sign(message=str(record.error or "")) for record in (a, b))
    return ("", None) if any(map(ERRORS["donated"].fits, errors)) else None


def _in_result(lab: Lab, a: Experiment, b: Experiment) -> Found:
    exact = jax_access.default_backend() == "cpu"  # a GPU may add up in another order each time
    return ("", None) if a.result and b.result and not is_same(a.result, b.result, exact) else None


def _in_numbers(lab: Lab, a: Experiment, b: Experiment) -> Found:
    if not a.result or not b.result:
        return None
    arrays = replace(a.result, leaves=a.result.arrays()) if b.mode == "trace" else a.result
    return None if is_same(arrays, b.result, exact=False) else ("", None)


def _in_nan(lab: Lab, a: Experiment, b: Experiment) -> Found:
    is_new = a.result and b.result and b.result.has_nan() and not a.result.has_nan()
    return _in_numbers(lab, a, b) if is_new else None


def _in_behaviour(lab: Lab, a: Experiment, b: Experiment) -> Found:
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
"""Experiments with the arguments of the first call. The first row that differs is reported."""


def callback_finding(name: str, lines: Sequence[int | None]) -> Finding:
    """Make the finding of a call back into Python from a program.

    Args:
        name: of the primitive, such as `debug_callback` or `io_callback`.
        lines: the student's.
    """
    line = next((line for line in lines if line), None)
    rule, what = messages.name_callback(name)
    return _finding(rule, what, line)


def _finding(rule: str, what: str, line: int | None) -> Finding:
    message = messages.text(rule, _DECIMAL_ADDRESS.sub("...", what), line)
    return Finding.at(rule, message, [line], messages.severity_of(rule))


@dataclass
class Findings:
    """Holds what was found by rule, line and file."""

    lab: Lab
    found: dict[tuple[str, int | None, str], str] = field(default_factory=dict)

    def add(self, rule: str, what: str, line: int | None) -> None:
        """Add a finding; a rule counts once a line, and without a line only if it is new."""
        if line is not None or not self.has(rule):
            self.found.setdefault((rule, line, getattr(line, "file", "")), what)

    def has(self, *rules: str) -> bool:
        """Return whether a finding has one of these rules."""
        return any(rule in rules for rule, *_ in self.found)

    def has_errors(self) -> bool:
        """Return whether a finding costs the criterion its points."""
        return any(messages.severity_of(rule) == "error" for rule, *_ in self.found)

    def first_line(self) -> int | None:
        """Return the line of the function's `def` when it is the student's."""
        code = getattr(unwrap(self.lab.function), "__code__", None)
        if code is None or not self.lab.student.owns_code(code):
            return None
        return Line(code.co_firstlineno, code.co_filename)

    def sorted(self) -> list[Finding]:
        """List the findings: errors first, each group by line, rule and text."""
        found = [
            _finding(rule, what, Line(line, file) if line and file else line)
            for (rule, line, file), what in self.found.items()
        ]
        found.sort(key=lambda f: (f.severity != "error", f.line or 1 << 30, f.rule, f.message))
        return found


def check(lab: Lab, others: Sequence[MakeArgs]) -> list[Finding]:
    """Make the experiments and return what they show."""
    findings = Findings(lab)
    plain = lab.run("plain")
    again = lab.run("plain", follows=plain)
    traced = lab.run("trace", watch=True)
    traced_again = lab.run("trace", follows=traced)
    later = lab.run("plain", follows=traced_again)
    nojit = Experiment("nojit", lab.make_args, (), traced.calls, unfinished=True)
    is_traced = traced.program is not None and traced_again.program is not None
    if not is_traced or any(map(_may_tell_tracers, lab.codes)):
        nojit = lab.run("nojit", watch=True)
    made = {"plain": plain, "again": again, "traced": traced, "traced again": traced_again}
    made |= {"later": later, "without jit": nojit}
    records = [*made.values()]
    cold = [r for r in (plain, nojit, traced) if not (r.error or r.unfinished)]
    _report_effects(lab, findings, records, [r for r in cold if r.changes], [again, traced_again])
    unexpected = [r.error for r in records if type(r.error).__name__ == "UnexpectedTracerError"]
    if unexpected:
        left = next(filter(None, map(find_leak, filter(None, unexpected))), None)
        line = left if left is not None and left.file in lab.student.files else None
        findings.add("leaked-tracer", messages.TRACER_USED, line)
    base = traced if traced.program is not None else nojit
    if not findings.has_errors():
        _check_stale(lab, findings, base)
    if not findings.has_errors():
        _compare(lab, findings, made)
    _check_others(lab, findings, traced, others)
    if not findings.has_errors():
        _check_made_up(lab, findings)
    return findings.sorted()


def _may_tell_tracers(code: types.CodeType) -> bool:
    """Whether code branches or asks for a type: else it does the same without jit.

    That run takes as long as all others together: each operation is compiled by itself.
    """
    steps = dis.get_instructions(code)
    asks = not _ASKING.isdisjoint(code.co_names) or bool(code.co_exceptiontable)
    return asks or any("_IF_" in step.opname for step in steps)


def _compare(lab: Lab, findings: Findings, made: dict[str, Experiment]) -> None:
    made["program"] = lab.run_program(made["traced"])
    for row in DISAGREEMENTS:
        found = row.part(lab, made[row.first], made[row.second])
        if found is not None:
            words, line = row.words.format(difference=found[0]), found[1]
            findings.add(row.rule, words, line or findings.first_line())
            return


# Effects of single experiments


def _report_effects(
    lab: Lab, findings: Findings, records: Records, cold: Records, again: Records = ()
) -> None:
    """Report what differs after calls, the calls that were watched, and effects of programs.

    Of the records, `cold` began in the state at the start, and each of `again` followed one of them
    without a restore: what they have in common may be a harmless memo.
    """
    for record in records:
        for (rule, line, file), what in record.calls.found.items():
            findings.add(rule, what, Line(line, file))
    # What a library leaves half done when it refuses to be traced is not the function's doing.
    returned = [record for record in records if record.error is None]
    found = [(r, c) for r in returned or records for c in r.changes]
    # Under jit, the arguments are copies. The strongest evidence of the state comes first.
    found = [(r, c) for r, c in found if not c.of_argument or r.mode != "nojit"]
    found.sort(key=lambda x: (0,) if x[1].of_argument else (1, x[1].became != "tracer"))
    for record, change in _each_cause(found):
        rule, what = _meaning(lab, change, record, cold, again)
        if change.of_process and rule != "module-patched" and findings.has(rule):
            continue
        line = None if rule == "thread" else lines.locate(lab, record, change)
        findings.add(rule, what, line or (findings.first_line() if change.of_argument else None))
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
    lab: Lab, change: Change, record: Experiment, cold: Records, again: Records
) -> tuple[str, str]:
    """Return the rule that a change breaks, and the message."""
    name = _name_of(lab, change)
    if change.became == "deleted":
        return "argument-donated", messages.DELETED.format(name=name)
    if change.leaks:
        return "leaked-tracer", messages.TRACER_LEFT.format(name=name)
    if change.of_argument and _is_cached_property(record, change):
        return "static-memo", messages.PROPERTY_CACHED.format(name=name)
    if cold and change.kind in _REMEMBERING and _is_static_memo(lab, change, cold, again):
        return "static-memo", messages.REMEMBERS.format(path=change.path)
    rule = EFFECTS["argument" if change.of_argument else change.kind]
    if rule in messages.CHANGES:
        return rule, messages.CHANGES[rule].format(name=name)
    before, after = describe(change.before), describe(change.after)
    text = messages.CONTENT_CHANGES if before == after else messages.VALUE_CHANGES
    return rule, text.format(name=name, before=before, after=after)


def _name_of(lab: Lab, change: Change) -> str:
    """Name the path of a change: `history[0]`, `fit.<default history>`, an argument by its name."""
    path = change.path.replace("<function>.", "").replace("<function>", "the function")
    path = path.replace(".__wrapped__", "")  # the function that jit was given
    path = path.replace("<value>", "")  # of a module's name
    path = re.sub(r"<(part )?\d+>.*", "", path)  # inside of an iterator, say
    if change.of_argument:
        with contextlib.suppress(TypeError, ValueError, IndexError):
            names = list(inspect.signature(lab.function).parameters)
            name = names[int(change.root.split()[-1]) - 1]
            return f"`{name}{path.removeprefix(change.root)}`"
        return path
    return f"`{path}`"


def _is_cached_property(record: Experiment, change: Change) -> bool:
    argument, _, name = change.path.rpartition(".")
    if change.before is not None or argument != change.root:
        return False
    owner = type(record.args[int(change.root.split()[-1]) - 1])
    return type(inspect.getattr_static(owner, name, None)) is functools.cached_property


# Memos. One is harmless if a second call changes nothing, if every run that starts without it
# stores the same content, traced or not, so that it does not depend on the values of arrays, and if
# a second call reads the content instead of storing it again: a marker put in its place survives.

_REMEMBERING = ("global", "instance", "class", "function attribute", "cache")
_IN_PLACE = ("list", "set", "deque", "array", "object")


def _is_static_memo(lab: Lab, change: Change, cold: Records, again: Records) -> bool:
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
    stored: dict[str, tuple[Any, Any, Any]] = {}
    before, after = lab.start.tokens, first.after.tokens
    for path in sorted({**before, **after}, key=len):
        old, new = before.get(path), after.get(path)
        if old == new or not inside(path, change.path) or any(inside(path, p) for p in stored):
            continue
        kind = old[0] if old and new and old[0] == new[0] else None
        if kind == "dict":
            continue  # its new entries follow
        home, key, value = first.after.homes.get(path, (None, None, None))
        marker = _marker(value)
        if new is None or kind in _IN_PLACE or not isinstance(home, dict) or marker is value:
            return False
        stored[path] = home, key, marker
    for home, key, marker in stored.values():
        dict.__setitem__(home, key, marker)
    lab.run(record.mode, record.make_args, follows=first)
    return bool(stored) and all(dict.get(h, k) is marker for h, k, marker in stored.values())


def _marker(value: Any) -> Any:
    """Make an equal value that is another object; the value itself if there is no way to."""
    if type(value) in (int, float, str, tuple, bytes):
        return type("Marked", (type(value),), {})(value)
    with contextlib.suppress(Exception):
        return functools.partial(value) if callable(value) else copy.copy(value)
    return value


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
        record = lab.run(mode, make_args, watch=True)
        alone.append(record)
        if make_args in others:
            records = [record]
            if is_traced and type(lab.function) is not jax_access.Jitted:
                records.append(lab.run("plain", make_args))  # what only concrete values show
            _report_effects(lab, findings, records, [r for r in records if r.changes])
    if findings.has_errors():
        return
    after = None
    with lab.in_one_process():
        for record in (*alone, *alone[:1]):
            after = lab.run(mode, record.make_args, watch=True, follows=after)
            differs = _in_behaviour(lab, record, after)
            if differs is not None:
                _report_kept(lab, findings, record, after, differs[1])
                break


def _report_kept(
    lab: Lab, findings: Findings, record: Experiment, after: Experiment, line: int | None
) -> None:
    """Report a call that does something else after others, with what jit did not trace again."""
    kept = [code for code in record.calls.codes if code not in after.calls.codes]
    what = messages.KEPT.format(function=kept[0].co_name) if kept else messages.OTHERWISE
    for code in kept:
        for writer in find_writers(lab, [code], running=True):
            line = lines.reader_line(lab.student, [code], writer.name) or line
            what = messages.KEPT_STATE.format(function=code.co_name, state=writer.name)
    findings.add("stale-global", what, line or findings.first_line())


# Made-up calls: other shapes and flags, and other values of what the code reads and other code sets

_MILD = ("prints", "logs", "warns", "debug-print")


def _check_stale(lab: Lab, findings: Findings, base: Experiment) -> None:
    """Report values that jit would freeze: `base` depends on them, and other code sets them."""
    if base.error is not None or base.unfinished:
        return
    for writer in find_writers(lab, lab.codes):
        lab.restore()
        if not any([_perturb(lab, path) for path in writer.paths]):
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


def _perturb(lab: Lab, path: str) -> bool:
    """Give what is stored at a path and below it other values; return whether any changed."""
    changed = False
    for at, (home, key, value) in lab.start.homes.items():
        is_function = callable(value) and not isinstance(value, type)
        if at == path and (is_function or isinstance(value, types.ModuleType)):
            return False
        new = other_value(value) if inside(at, path) else value
        if new is not value:
            walk.put(home, key, new)
            changed = True
    return changed


def _check_made_up(lab: Lab, findings: Findings) -> None:
    """Report effects of calls that nobody has made yet."""
    made_up = (other_shapes(lab.make_args), other_flags(lab.function, lab.make_args))
    for make_args in filter(None, made_up):
        record = lab.run("trace", make_args, watch=True, made_up=True)
        if record.error is not None:
            continue  # the arguments may be nonsense
        cold = [record] if record.changes else []
        again = [lab.run("trace", record.make_args, follows=record)] if cold else []
        made = Findings(lab)
        _report_effects(lab, made, [record], cold, again)
        for key, what in made.found.items():
            if key not in findings.found and key[0] != "static-memo":
                mild = key[0] in _MILD or messages.severity_of(key[0]) == "warning"
                line = Line(*key[1:]) if key[1] else None  # type: ignore[arg-type]
                rule = "untaken-effect" if mild else "untaken-mutation"
                findings.add(rule, messages.BEHIND.format(what=what), line)
