"""The lines of `pytest --compiles-report`: what each test compiled, how long, and why again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

from autograder.criteria.compilations import messages
from autograder.criteria.compilations.limit import shorten
from autograder.criteria.compilations.watch import Compilation, def_line
from autograder.model.student_code import Line

_MOST_TESTS = 5
_MOST_PROGRAMS = 2


class Compiled(TypedDict):
    """One program, as plain data that can be sent from one process to another.

    The name is empty, and so are the texts, if it is of no function of the project's.
    """

    name: str
    place: str  # of the function, as in "src/fit.py:12"
    line: str  # that led to it
    seconds: float
    why: str  # why it was compiled again; empty for the first time
    reason: str  # the sentence with the fix


def describe(one: Compilation) -> Compiled:
    """Return what the report says of a compilation, which must be explained."""
    if one.source is None:
        return Compiled(name="", place="", line="", seconds=one.seconds, why="", reason="")
    line = f"{shorten(one.line.file)}:{one.line}" if isinstance(one.line, Line) else ""
    place = f"{shorten(one.source.file)}:{def_line(one.source)}"
    words = {"why": str(one.change), "reason": str(one.cause)}
    return Compiled(name=one.name, place=place, line=line, seconds=one.seconds, **words)


def report_lines(compiled: Mapping[str, Sequence[Compiled]], *, in_full: bool) -> Iterator[str]:
    """Yield the lines of the report.

    Args:
        compiled: by test; what was compiled while the tests were imported is of the test "".
        in_full: list all tests and programs, with fixes; otherwise only those that took longest.
    """
    own = {test: [one for one in found if one["name"]] for test, found in compiled.items()}
    others = [one for found in compiled.values() for one in found if not one["name"]]
    tests = sorted((test for test in own if own[test]), key=lambda test: -_seconds(own[test]))
    shown = tests if in_full else tests[:_MOST_TESTS]
    for test in shown:
        head = f"{test or messages.WHILE_IMPORTING}: {messages.plural(len(own[test]), 'program')}"
        yield f"{_seconds(own[test]):6.2f} s  {head}"
        yield from _program_lines(own[test], in_full)
    if rest := tests[len(shown) :]:
        programs = [one for test in rest for one in own[test]]
        count = messages.plural(len(programs), "program")
        text = messages.MORE_TESTS.format(tests=messages.plural(len(rest), "test"), programs=count)
        yield f"{_seconds(programs):6.2f} s  {text}"
    everything = [one for test in tests for one in own[test]]
    yield messages.COMPILED_IN_ALL.format(
        programs=messages.plural(len(everything), "program"),
        tests=messages.plural(len([test for test in tests if test]), "test"),
        seconds=f"{_seconds(everything):.2f}",
    )
    if others:
        count = messages.plural(len(others), "other")
        yield messages.COMPILED_OTHERS.format(others=count, seconds=f"{_seconds(others):.2f}")
    if not in_full and (rest or any(len(own[test]) > _MOST_PROGRAMS for test in shown)):
        yield messages.ALL_WITH_V


def _program_lines(programs: Sequence[Compiled], in_full: bool) -> Iterator[str]:
    slowest = sorted(programs, key=lambda one: -one["seconds"])[:_MOST_PROGRAMS]
    shown = programs if in_full else [one for one in programs if one in slowest][:_MOST_PROGRAMS]
    for one in shown:
        at = f", at {one['line']}" if one["line"] else ""
        yield f"{one['seconds']:15.2f} s  `{one['name']}` ({one['place']}){at}"
        if why := one["reason" if in_full and one["why"] else "why"]:
            yield " " * 19 + f"again: {why}"
    if rest := len(programs) - len(shown):
        yield " " * 19 + messages.AND_MORE.format(count=rest)


def _seconds(programs: Sequence[Compiled]) -> float:
    return sum(one["seconds"] for one in programs)
