"""Finds the line to blame: the one that changes a thing, or reads it.

The line that changes a thing is found by running the call again line by line, in a new context of
jit: what was compiled before is traced anew, so that the body of every function runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from types import CodeType, FrameType
from typing import Any

from autograder.criteria.purity import walk
from autograder.criteria.purity.experiments import Experiment, Lab, Mode
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import Token
from autograder.criteria.purity.walk import Change
from autograder.model.student_code import Line, source_text
from autograder.source.cells_read import Statement, read_source
from autograder.source.scopes import placed

_MAX_READS = 4000


def locate(lab: Lab, record: Experiment, change: Change) -> int | None:
    """Find the line that makes a change; None if no run shows it.

    If it leaves a tracer, this is the line that puts a tracer there. Without a line, the one that
    reads the thing is blamed: an iterator, say, cannot be reset.
    """
    modes: tuple[Mode, ...] = (record.mode, "trace")
    if record.mode == "plain":
        modes = ("retraced", "trace")
    if record.mode == "trace" or change.leaks:
        modes = ("trace",)
    for path in dict.fromkeys((change.path, change.root)):
        for mode in modes:
            found = _locate(lab, lab.prepare(mode, record.make_args), change, path)
            if found is not None:
                return found
    return None if change.of_argument else reader_line(lab.student, lab.codes, change.root)


def _locate(lab: Lab, record: Experiment, change: Change, path: str) -> int | None:
    def read() -> dict[str, Token]:
        if change.of_argument:
            return walk.snapshot_arguments(lab.student, record.args).below(path)
        return lab.snapshot(only=change.root).below(path)

    lab.restore()
    given, last = record.args, read()
    blamed: int | None = None
    current: int | None = None
    reads = 0

    def check() -> None:
        nonlocal blamed, last, given, reads
        reads += 1
        if record.args is not given:  # jit rebuilds them
            given, last = record.args, read()
        if blamed is None and reads < _MAX_READS and current is not None:
            before, last = last, read()
            holds_tracer = any(token[0] == "tracer" for token in last.values())
            if last != before and (not change.leaks or holds_tracer):
                blamed = current

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal current
        if event != "exception" and blamed is None:
            check()
        if event == "return":  # what follows is the caller's line, or what jit does by itself
            outer = frame.f_back
            while outer is not None and not lab.student.owns_frame(outer):
                outer = outer.f_back
            current = outer and Line.of(outer)
        elif event == "line" or current is None:
            current = Line.of(frame)
        return trace

    lab.follow(record, trace)
    check()
    lab.restore()
    return blamed


# Lines that the source shows


def statements_of(file: str) -> tuple[Statement, ...]:
    """Return the statements of a cell, which is a file of its own."""
    return read_source([(file, source_text(file))]).statements


def lines_of(codes: Collection[CodeType]) -> set[tuple[str, int | None]]:
    """Return the lines of some code, each with its file."""
    return {(code.co_filename, line) for code in codes for _, _, line in code.co_lines()}


def reader_line(student: StudentModule, codes: Collection[CodeType], name: str) -> int | None:
    """Find the first line, in functions that ran, that reads a variable or attribute `name`."""
    ran = lines_of(codes)
    found = (
        Line(at.node.lineno, file)  # type: ignore[attr-defined]
        for file in sorted(student.files)
        for statement in statements_of(file)
        for at in placed(statement.node)
        if at.scope is not None
        and isinstance(getattr(at.node, "ctx", None), ast.Load)
        and name in (getattr(at.node, "id", None), getattr(at.node, "attr", None))
    )
    return min((line for line in found if (line.file, line) in ran), default=None)
