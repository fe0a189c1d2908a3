"""Finds the line to blame: the one that changes a thing, reads it, or gives it another value.

The line that changes a thing is found by running the call again line by line, in a new context of
jit: what was compiled before is traced anew, so that the body of every function runs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
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
from autograder.source.scopes import (
    FUNCTIONS,
    default_of,
    inside_of,
    local_names,
    parameters_of,
    placed,
    root_of,
    within,
)

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
        other = list(_other_code(file, ran, running))
        calls = [(node, scope) for node, scope in other if isinstance(node, ast.Call)]
        for node, scope in other:
            name = changed_root(node)
            if isinstance(node, ast.Name) and not _reads(node):
                writers = [_writer(lab, readers, node, node.id, scope)]
            elif name is None:
                continue
            else:
                objects = _objects(name, scope, calls)
                writers = [_writer(lab, readers, node, name, at) for name, at in objects]
            for writer in filter(None, writers):
                found.setdefault(writer.name, writer)
    return list(found.values())


def _reads(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _other_code(file: str, ran: set, running: bool) -> Iterator[tuple[ast.AST, ast.AST | None]]:
    """Yield the nodes of other code, and their scopes; see `find_writers`."""
    bound: set[str] = set()
    has_run = False
    for statement in _statements(file):
        first, last = statement.node.lineno, statement.node.end_lineno or 0
        runs = any((file, line) in ran for line in range(first, last + 1))
        is_loop = runs and isinstance(statement.node, ast.For)
        for node, scope, *_ in placed(statement.node):
            if isinstance(scope, FUNCTIONS):
                is_other = ((file, getattr(node, "lineno", 0)) in ran) is running
            else:
                is_first = False
                if isinstance(node, ast.Name) and not _reads(node):
                    is_first = node.id not in bound
                    bound.add(node.id)
                is_other = not running and (is_loop or (has_run and not is_first))
            if is_other:
                yield node, scope
        has_run |= runs


def _objects(
    name: str, scope: ast.AST | None, calls: list[tuple[ast.Call, ast.AST | None]], depth: int = 3
) -> Iterator[tuple[str, ast.AST | None]]:
    """Yield a name, and those that the same object has elsewhere.

    A parameter is what calls and its default give for it, and a local name what it is assigned:
    `descend(model, 0.1)`, `p = params`. A name that is bound twice may be another object.
    """
    yield name, scope
    if not isinstance(scope, FUNCTIONS) or depth == 0:
        return
    inside = list(within(*inside_of(scope)))
    stores = [x for x in inside if isinstance(x, ast.Name) and x.id == name and not _reads(x)]
    given: list[tuple[ast.AST | None, ast.AST | None]] = []
    if name in parameters_of(scope) and not stores:
        at = parameters_of(scope).index(name)
        for call, place in calls:
            if ast.unparse(call.func) == getattr(scope, "name", ""):
                named = [k.value for k in call.keywords if k.arg == name]
                given += [(value, place) for value in named or call.args[at : at + 1]]
        given.append((default_of(scope, name), None))
    elif len(stores) == 1 and name not in parameters_of(scope):
        for x in inside:
            match x:
                case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target, value):
                    values = [value]
                case ast.For(target=target, iter=ast.List(values) | ast.Tuple(values)):
                    pass
                case _:
                    continue
            given += [(value, scope) for value in values if target is stores[0]]
    for value, place in given:
        root = value and root_of(value)
        if root:
            yield from _objects(root, place, calls, depth - 1)


def _writer(
    lab: Lab, readers: Collection[CodeType], node: Any, name: str, scope: ast.AST | None
) -> Writer | None:
    """Return what a node changes, if the readers read it."""
    read = {name for code in readers for name in (*code.co_names, *code.co_freevars)}
    start = lab.start

    def first_path(path: str) -> str:
        token = start.tokens.get(path, ())
        return token[1] if token[:1] == ("same",) else path

    if scope is None or name not in local_names(scope):
        cells = [p for p in start.homes if p.endswith(f".<closure {name}>") and scope is not None]
        paths = cells or ([name] if name in start.tokens else [])
        paths = [first_path(p) for p in paths]
        if name not in read:  # under another name, perhaps
            name = next((r for r in sorted(read) if first_path(r) in paths), "")
        return Writer(name, node.lineno, tuple(paths)) if paths and name else None
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
