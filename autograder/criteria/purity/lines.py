"""Finds the line to blame: the one that changes a thing, reads it, or gives it another value.

The line that changes a thing is found by running the call again line by line, in a new context of
jit: what was compiled before is traced anew, so that the body of every function runs.
"""

from __future__ import annotations

import ast
import dis
import functools
import types
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from autograder.core.student_code import Line, source_text
from autograder.criteria.purity import walk
from autograder.criteria.purity.experiments import Experiment, Lab, Mode
from autograder.criteria.purity.probes import Calls
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import instance_dict
from autograder.criteria.purity.walk import Change
from autograder.source.cells_read import CHANGING
from autograder.source.scopes import FUNCTIONS, inside_of, local_names, outside_of

_MAX_READS, _MAX_SNAPSHOTS = 4000, 300
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
            found = _locate(lab, mode, record.make_args, _reader(lab, change, path), change)
            if found is not None:
                return found
    return reader_line(lab.student, lab.codes, change.root) if change.part == "state" else None


def _reader(lab: Lab, change: Change, path: str) -> Callable[[Experiment], object]:
    """Return what reads the thing at a path as it is now."""
    if change.part == "process":
        return lambda record: lab.process.value_of(change)
    if change.part == "arguments":
        return lambda record: walk.snapshot_arguments(lab.student, record.args).below(path)
    return lambda record: lab.snapshot(only=change.root).below(path)


def _holds_tracer(value: object) -> bool:
    return isinstance(value, dict) and any(token[0] == "tracer" for token in value.values())


def _locate(
    lab: Lab,
    mode: Mode,
    make_args: Callable[[], tuple],
    read: Callable[[Experiment], object],
    change: Change,
) -> int | None:
    lab.restore()
    record = Experiment(mode, make_args, make_args(), Calls(lab.student))
    last = read(record)
    given = record.args
    blamed: int | None = None
    current: int | None = None
    reads = 0

    def check() -> None:
        nonlocal blamed, last, given, reads
        reads += 1
        if record.args is not given:  # jit rebuilds them
            given, last = record.args, read(record)
        if blamed is None and reads < _MAX_READS and current is not None:
            before, last = last, read(record)
            if last != before and (not change.leaks or _holds_tracer(last)):
                blamed = current

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal current
        if event != "exception" and blamed is None:
            check()
        if event == "line" or current is None:
            current = Line.of(frame)
        return trace

    lab.follow(record, trace)
    check()
    lab.restore()
    return blamed


def find_state_during_call(lab: Lab, record: Experiment) -> str:
    """Return the path of what a call sets for a while, the first of several; empty for nothing."""
    lab.restore()
    again = Experiment(record.mode, record.make_args, record.make_args(), Calls(lab.student))
    found: list[Change] = []
    reads = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal reads
        reads += 1
        if event != "exception" and not found and reads < _MAX_SNAPSHOTS:
            found.extend(walk.changes(lab.start, lab.snapshot())[:1])
        return trace

    lab.follow(again, trace)
    lab.restore()
    return found[0].path if found else ""


# Lines that the source shows


@functools.lru_cache(maxsize=64)
def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None


@dataclass(frozen=True)
class _Function:
    """A `def` or `lambda` of a file, or the file itself (then there is no node).

    `outer` is the names that functions around it bind.
    """

    file: str
    node: Any = None
    in_class: str | None = None
    outer: frozenset[str] = frozenset()

    @property
    def seen(self) -> frozenset[str]:
        """The names that a function inside it finds there, and not at the top."""
        return self.outer | local_names(self.node) if self.node else frozenset()

    def where(self, name: str) -> str:
        """Return where it finds a name: here, outside or as a global."""
        if name in local_names(self.node):
            return "here"
        return "outside" if name in self.outer else "global"

    def matches(self, code: CodeType) -> bool:
        decorators = getattr(self.node, "decorator_list", [])
        lines = [self.node.lineno, *(d.lineno for d in decorators)] if self.node else []
        name = getattr(self.node, "name", "<lambda>")
        return (code.co_filename, code.co_name) == (self.file, name) and (
            code.co_firstlineno in (lines[0], min(lines))
        )


def _nodes(student: StudentModule) -> Iterator[tuple[ast.AST, _Function, ast.For | None]]:
    """Yield every node of the source with the function and the loop at the top it stands in."""
    for file in sorted(student.files):
        parsed = _parse(source_text(file))
        if parsed is None:
            continue
        todo: list[tuple[ast.AST, _Function, str | None, ast.For | None]]
        todo = [(node, _Function(file), None, None) for node in parsed.body]
        for node, function, cls, loop in todo:  # grows
            yield node, function, loop
            loop = loop or (node if isinstance(node, ast.For) and not function.node else None)
            if isinstance(node, FUNCTIONS):
                inner = _Function(file, node, cls, function.seen)
                todo += [(part, function, cls, loop) for part in outside_of(node)]
                todo += [(part, inner, None, loop) for part in inside_of(node)]
            else:
                cls = node.name if isinstance(node, ast.ClassDef) else cls
                todo += [(child, function, cls, loop) for child in ast.iter_child_nodes(node)]


def reader_line(student: StudentModule, codes: Collection[CodeType], name: str) -> int | None:
    """Find the first line, in functions that ran, that reads a variable or attribute `name`."""
    lines = [
        Line(node.lineno, function.file)
        for node, function, *_ in _nodes(student)
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == name)
        if function.node is not None and any(map(function.matches, codes))
    ]
    return min(lines, default=None)


@dataclass(frozen=True)
class Writer:
    """A line of code that did not run in the call, and what it gives another value.

    `homes` are dicts (or cells) with the keys of the value; `of_self` says that they are of the
    object that the function is a method of.
    """

    name: str
    line: int
    homes: tuple[tuple[Any, Any], ...]
    of_self: bool = False


def _chain(node: ast.AST) -> tuple[str, ...] | None:
    """Spell `a.b[0].c` as ("a", ".b", "[]", ".c"); None when it does not start at a name."""
    parts: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        parts.append(f".{node.attr}" if isinstance(node, ast.Attribute) else "[]")
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else None


def _stored(node: ast.AST) -> tuple[str, ...] | None:
    """Return what a node assigns to or, by a method, changes."""
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        return _chain(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        chain = _chain(node.func.value)
        return chain if chain and node.func.attr in CHANGING and ".at" not in chain else None
    return None


def find_writers(lab: Lab) -> list[Writer]:
    """Find what the code that ran reads, and other code gives another value later.

    Other code is a function that did not run, or a line at the top below the first reader (or a
    loop around it) that gives a name another value.
    """
    student, codes = lab.student, lab.codes
    read = {
        step.argval
        for code in codes
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    attributes = {name for code in codes for name in code.co_names}
    cells: dict[str, types.CellType] = {}
    for value in lab.start.keep:
        if type(value) is types.FunctionType and value.__code__ in codes:
            cells.update(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    bound: set[tuple[str, str]] = set()
    found: dict[tuple[str, str], Writer] = {}
    for node, function, loop in sorted(_nodes(student), key=lambda n: getattr(n[0], "lineno", 0)):
        chain = _stored(node)
        if chain is None:
            continue
        name, line, homes = chain[0], node.lineno, ()  # type: ignore[attr-defined]
        attribute = chain[1][1:] if len(chain) > 1 else ""
        if function.node is None:
            own = [code.co_firstlineno for code in codes if code.co_filename == function.file]
            around = loop is not None and any(
                loop.lineno <= at <= (loop.end_lineno or 0) for at in own
            )
            again = (function.file, name) in bound or len(chain) > 1
            bound.add((function.file, name))
            if not (around or (again and own and line > min(own))) or name not in read:
                continue
            where = "global"
        elif any(map(function.matches, codes)):
            continue
        else:
            where = function.where(name)
        if where == "global" and name in read and name in student.namespace:
            homes = ((student.namespace, name),)
        elif where == "outside" and name in cells:
            homes = ((cells[name], None),)
        elif where == "here" and attribute in attributes and _is_self(function, name):
            name = f"{function.in_class}.{attribute}"
            homes = _instances(lab, str(function.in_class), attribute)
        if homes:
            own = instance_dict(getattr(lab.function, "__self__", None))
            of_self = own is not None and any(home is own for home, _ in homes)
            found.setdefault((where, name), Writer(name, line, homes, of_self))
    return list(found.values())


def _is_self(function: _Function, name: str) -> bool:
    args = function.node.args.args
    is_method = function.in_class is not None and function.node.name not in _CONSTRUCTORS
    return is_method and bool(args) and args[0].arg == name


def _instances(lab: Lab, cls: str, attribute: str) -> tuple[tuple[Any, Any], ...]:
    """Find the objects of a class that have an attribute."""
    objects = [v for v in lab.start.keep if type(v).__name__ == cls]
    found = [instance_dict(value) or {} for value in objects]
    return tuple((attributes, attribute) for attributes in found if attribute in attributes)
