"""Makes questions about a student's program, beside the student's code.

What is right is found by tracing and by counting, as it is for the criteria. A digest of the source
chooses among the questions, and orders their options: the same program is always asked the same.
"""

from __future__ import annotations

import ast
import hashlib
import inspect
from collections.abc import Iterator, Sequence
from typing import Any

from autograder.criteria.compilations.count import count_compilations, nudge
from autograder.criteria.shape import Subject
from autograder.model.call_text import call_text
from autograder.model.notebook import statements
from autograder.model.questions import Kind, Question, Questions
from autograder.model.student_code import (
    bound_names,
    quiet,
    source_text,
    student_files,
    used_functions,
)
from autograder.programs import jax_access
from autograder.programs.exported import is_data, signature
from autograder.programs.jaxprs import Place, TracedLines, trace_call, traced_lines

_MAX_OPTIONS = 5
_MAX_CALLS = 4  # each may compile
_MAX_LINE = 90
_SETTLED = (ast.Constant, ast.Name, ast.Tuple, ast.List, ast.Load)
_NO_STEP = (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)
_HEADERS = (ast.If, ast.For, ast.While, ast.With)
_DEFINITIONS = (ast.FunctionDef, ast.ClassDef)


def make_questions(subject: Subject) -> Questions:
    """Return a question or two about the program; none where all answers would be trivial."""
    program = _digest(subject)
    calls = _by_digest(_distinct(subject.calls), program)
    found = [_ask_lines(subject, calls[0], program)]
    about_calls = _by_digest((_ask_calls, _ask_arguments, _ask_programs), program)
    asked = (ask(subject, calls, program) for ask in about_calls)
    found.append(next((question for question in asked if question is not None), None))
    return Questions(program, tuple(question for question in found if question is not None))


def _by_digest(things: Sequence[Any], program: str) -> list[Any]:
    """Return things in an order that looks random, and is the same on every machine."""

    def key(i: int) -> str:
        return hashlib.sha256(f"{program} {i}".encode()).hexdigest()

    return [things[i] for i in sorted(range(len(things)), key=key)]


def _distinct(calls: Sequence[tuple]) -> list[tuple]:
    """Return the first call of each signature."""
    return list({signature(args): args for args in reversed(calls)}.values())[::-1]


# --- the source -------------------------------------------------------------------------------


def _digest(subject: Subject) -> str:
    """Return a digest of the source of the entry points, and of the functions that they use.

    It is a digest of the source, not of the program, since each release of JAX writes another
    program. Comments and blank lines do not count.
    """
    names = subject.exercise.entry_points
    places = {
        (function.__code__.co_filename, function.__code__.co_firstlineno)
        for function in used_functions(subject.module, names)
    }
    parts = {
        _normal(source_text(file), statement)
        for file in {file for file, _ in places}
        for statement in statements(source_text(file))
        if bound_names(statement) & set(names)
        or any(p == file and n in _span(statement) for p, n in places)
    }
    return hashlib.sha256("\n".join(sorted(parts)).encode()).hexdigest()[:8]


def _span(node: Any) -> range:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
    return range(first, node.end_lineno + 1)


def _normal(source: str, statement: ast.stmt) -> str:
    """Return the text of a statement without comments of a line's own and blank lines."""
    span = _span(statement)
    lines = [line.rstrip() for line in source.splitlines()[span.start - 1 : span.stop - 1]]
    return "\n".join(line for line in lines if line.strip() and line.lstrip()[0] != "#")


# --- which lines run at every call --------------------------------------------------------------


def _trace(subject: Subject, args: tuple) -> TracedLines:
    """Return the lines of a call's program; none where it cannot be traced."""
    jax_access.clear_caches()  # what was traced before remembers other callers
    try:
        with quiet():
            jaxpr = trace_call(subject.function, args)
        return traced_lines(jaxpr, student_files(subject.module))
    except Exception:
        return TracedLines(set(), set())


def _ask_lines(subject: Subject, call: tuple, program: str) -> Question | None:
    lines = _trace(subject, call)
    found: dict[str, set[bool]] = {}
    for file in sorted({file for file, _ in lines.any}):
        source = source_text(file)
        for statement in _steps(source, file, lines.any):
            here = {(file, line) for line in _header(statement)}
            runs = bool(here & lines.needed)
            if runs or not here & lines.any:
                text = source.splitlines()[statement.lineno - 1].strip()
                found.setdefault(text, set()).add(runs)
    clear = {t: runs.pop() for t, runs in found.items() if len(runs) == 1 and len(t) <= _MAX_LINE}
    kinds = [[t for t, runs in clear.items() if runs is kind] for kind in (True, False)]
    if not all(kinds) or len(clear) < 3:
        return None
    some = [t for kind in kinds for t in _by_digest(kind, program)[: _MAX_OPTIONS // 2]]
    rest = [t for t in _by_digest(list(clear), program) if t not in some]
    chosen = {*some, *rest[: _MAX_OPTIONS - len(some)]}
    options = tuple(t for t in clear if t in chosen)
    return Question(Kind.LINES, _text(subject, call), options, tuple(clear[t] for t in options))


def _steps(source: str, file: str, places: set[Place]) -> Iterator[Any]:
    """Yield the one-line steps of the functions that left operations, and headers of blocks."""
    nodes = (node for statement in statements(source) for node in ast.walk(statement))
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    functions.sort(key=lambda function: function.lineno)
    for function in functions:
        body = range(function.body[0].lineno, _span(function).stop)
        if any(place == file and line in body for place, line in places):
            yield from _steps_in(function.body)


def _steps_in(body: Sequence[ast.stmt]) -> Iterator[Any]:
    for statement in body:
        if isinstance(statement, _HEADERS):
            yield statement
            yield from _steps_in(statement.body)
            yield from _steps_in(getattr(statement, "orelse", ()))
        elif not isinstance(statement, (*_DEFINITIONS, *_NO_STEP, ast.Try)) and not _is_idle(
            statement
        ):
            yield statement


def _header(statement: Any) -> range:
    """Return the lines of a step; none of a block's body, and none where there are several."""
    last = statement.end_lineno
    if isinstance(statement, _HEADERS):
        last = statement.body[0].lineno - 1
    return range(statement.lineno, max(statement.lineno, last) + 1)


def _is_idle(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring, or returns what is there already."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Return, ast.Expr)):
        return False
    return value is None or all(isinstance(node, _SETTLED) for node in ast.walk(value))


# --- what compiles --------------------------------------------------------------------------


def _ask_calls(subject: Subject, calls: Sequence[tuple], program: str) -> Question | None:
    """Ask which of some calls compile a program, after a first one."""
    first, *others = calls
    options = [(_text(subject, args), args) for args in others[: _MAX_CALLS - 1]]
    again = nudge(first)
    options.append((_text(subject, again), again))
    return _ask_options(Kind.CALLS, subject, first, options, program)


def _ask_arguments(subject: Subject, calls: Sequence[tuple], program: str) -> Question | None:
    """Ask for which arguments another value compiles a program."""
    first, options = calls[0], []
    for i, (name, value) in enumerate(zip(_names(subject, first), first, strict=True)):
        changed = _other_value(value, [args[i] for args in calls if len(args) == len(first)])
        if changed is not None:
            options.append((name, (*first[:i], changed, *first[i + 1 :])))
    return _ask_options(Kind.ARGUMENTS, subject, first, options[:_MAX_CALLS], program)


def _names(subject: Subject, args: tuple) -> list[str]:
    try:
        return list(inspect.signature(subject.function).bind(*args).arguments)[: len(args)]
    except (TypeError, ValueError):
        return [f"argument {i}" for i in range(1, len(args) + 1)]


def _other_value(value: Any, others: Sequence[Any]) -> Any:
    """Return another value of the same type and shape; None if there is none."""
    if isinstance(value, (bool, int, float, str)):
        same = (o for o in others if type(o) is type(value) and o != value)
        return next(same, None)
    if not is_data(value):
        return None
    changed = nudge(value)
    return changed if (changed != value).any() else None


def _ask_options(
    kind: Kind,
    subject: Subject,
    first: tuple,
    options: Sequence[tuple[str, tuple]],
    program: str,
) -> Question | None:
    """Ask which options compile a program, called one after another; None if all do or none."""
    options = _by_digest(options, program)
    counts = _count(subject, [first, *(args for _, args in options)])
    right = tuple(count > 0 for count in counts[1:])
    if not counts or not counts[0] or all(right) or not any(right):
        return None
    texts = tuple(text for text, _ in options)
    return Question(kind, _text(subject, first), texts, right)


def _ask_programs(subject: Subject, calls: Sequence[tuple], program: str) -> Question | None:
    """Ask how many programs some calls compile; None where it is one for each, or just one."""
    chosen = _by_digest([*calls, *map(nudge, calls)], program)[:_MAX_CALLS]
    count = sum(_count(subject, chosen))
    if not 1 < count < len(chosen):
        return None
    options = tuple(_text(subject, args) for args in chosen)
    return Question(Kind.PROGRAMS, "", options, count=count)


def _count(subject: Subject, calls: Sequence[tuple]) -> list[int]:
    """Return how many programs each call compiles; nothing where a call fails."""
    with quiet():
        records = count_compilations(subject.function, calls, subject.module)
    failed = any(record.raised for record in records)
    return [] if failed else [len(record.programs) for record in records]


def _text(subject: Subject, args: tuple) -> str:
    return call_text(subject.exercise.entry_points[0], args, brief=True)
