"""Finds the line to blame: the one that changes a thing, reads it, or gives it another value.

The line that changes a thing is found by running the call again line by line, in a new context of
jit: what was compiled before is traced anew, so that the body of every function runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from autograder.criteria.purity import walk
from autograder.criteria.purity.experiments import Experiment, Lab, Mode
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import Token, instance_dict, members
from autograder.criteria.purity.walk import Change
from autograder.model.student_code import Line, source_text
from autograder.source.cells_read import Statement, changed_root, read_source
from autograder.source.scopes import FUNCTIONS, local_names, parameters_of, placed

_MAX_READS = 4000
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__setstate__")


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


def _statements(file: str) -> tuple[Statement, ...]:
    return read_source([(file, source_text(file))]).statements


def _lines_of(codes: Collection[CodeType]) -> set[tuple[str, int | None]]:
    return {(code.co_filename, line) for code in codes for _, _, line in code.co_lines()}


def reader_line(student: StudentModule, codes: Collection[CodeType], name: str) -> int | None:
    """Find the first line, in functions that ran, that reads a variable or attribute `name`."""
    ran = _lines_of(codes)
    found = (
        Line(at.node.lineno, file)  # type: ignore[attr-defined]
        for file in sorted(student.files)
        for statement in _statements(file)
        for at in placed(statement.node)
        if at.scope is not None
        and isinstance(getattr(at.node, "ctx", None), ast.Load)
        and name in (getattr(at.node, "id", None), getattr(at.node, "attr", None))
    )
    return min((line for line in found if (line.file, line) in ran), default=None)


@dataclass(frozen=True)
class Writer:
    """A line of code that gives what is stored at some paths another value.

    `of_self` says that they are of the object that the function is a method of.
    """

    name: str
    line: int
    paths: tuple[str, ...]
    of_self: bool = False


def find_writers(lab: Lab, readers: Collection[CodeType], running: bool = False) -> list[Writer]:
    """Find what some code reads, and other code gives another value.

    Other code is what did not run in the call: a function, or a line at the top below the first
    reader (or a loop around it) that gives a name another value. With `running`, it is what ran.
    """
    ran, found = _lines_of(lab.codes), dict[str, Writer]()
    for file in sorted(lab.student.files):
        bound: set[str] = set()
        has_run = False
        for statement in _statements(file):
            first, last = statement.node.lineno, statement.node.end_lineno or 0
            runs = any((file, line) in ran for line in range(first, last + 1))
            is_loop = runs and isinstance(statement.node, ast.For)
            for node, scope, *_ in placed(statement.node):
                name, again = changed_root(node), True
                if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                    name, again = node.id, node.id in bound
                if name is None:
                    continue
                if isinstance(scope, FUNCTIONS):
                    writes = ((file, node.lineno) in ran) is running  # type: ignore[attr-defined]
                else:
                    writes = not running and (is_loop or (again and has_run))
                    bound.add(name)
                writer = _writer(lab, readers, node, name, scope) if writes else None
                if writer is not None:
                    found.setdefault(writer.name, writer)
            has_run |= runs
    return list(found.values())


def _writer(
    lab: Lab, readers: Collection[CodeType], node: Any, name: str, scope: ast.AST | None
) -> Writer | None:
    """Return what a node changes, if the readers read it."""
    read = {name for code in readers for name in (*code.co_names, *code.co_freevars)}
    start = lab.start
    if scope is None or name not in local_names(scope):
        cells = [p for p in start.homes if p.endswith(f".<closure {name}>") and scope is not None]
        paths = cells or ([name] if name in start.tokens else [])
        paths = [start.tokens[p][1] if start.tokens[p][0] == "same" else p for p in paths]
        return Writer(name, node.lineno, tuple(paths)) if paths and name in read else None
    method, attribute = getattr(scope, "name", ""), ""
    chain = getattr(node, "func", node)
    while isinstance(chain, (ast.Attribute, ast.Subscript)):
        attribute, chain = getattr(chain, "attr", ""), chain.value
    if attribute not in read or parameters_of(scope)[:1] != (name,) or method in _CONSTRUCTORS:
        return None
    objects = [v for v in start.keep if attribute in (instance_dict(v) or {})]
    objects = [v for v in objects if any(method in members(c) for c in type(v).__mro__)]
    homes = {id(instance_dict(v)) for v in objects}
    paths = [
        p for p, (home, key, _) in start.homes.items() if key == attribute and id(home) in homes
    ]
    of_self = any(v is getattr(lab.function, "__self__", None) for v in objects)
    name = f"{type(objects[0]).__name__}.{attribute}" if objects else ""
    return Writer(name, node.lineno, tuple(paths), of_self) if paths else None
