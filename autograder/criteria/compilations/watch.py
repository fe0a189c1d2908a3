"""Watches JAX compile, and says why: in which parts a program's key differs from the nearest one.

A monitoring listener is called in the thread that compiles, while it compiles, so the Python stack
shows the student's line, the program and the call that it is compiled for.
"""

from __future__ import annotations

import linecache
import pkgutil
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from types import FrameType, FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import jax

from autograder.criteria.compilations import messages
from autograder.criteria.compilations.key import Key, Part, read_inputs, read_key
from autograder.model.student_code import Line, called, is_installed, is_student_frame, unwrap
from autograder.programs import jax_access, jax_private
from autograder.programs.jax_private import Defined, is_jax_own, nested, source_of, stack_of

Parts = Mapping[object, Part]
_MOST_COMPARED = 50
"""Earlier programs of one function, that a new one is compared with."""
_OUTSIDE_ARGUMENTS = ("CLEARED", "TRANSFORM", "OPTION")
_MOST_EQUATIONS = 50
"""Of a program, that are asked for the functions which they were traced in."""
_NAMELESS = "<unknown>"
"""The name of a wrapper that JAX makes around one operation outside of jit, such as `shard_map`."""


@dataclass(frozen=True)
class Compilation:
    """One program that reached the compiler, or is lowered for it."""

    program: Any = None  # its jaxpr; None if unknown
    key: Key = field(default_factory=Key)  # of the call that it was compiled for
    call: int = 0  # the number of the call that compiled it
    source: Defined | None = None  # the student's function that it is of; None if a library's
    line: int | None = None  # of the student's that was running; None if called from elsewhere
    seconds: float = 0.0  # of tracing, lowering and compiling
    fix: str = ""  # the name of the fix; empty for a library's program
    cause: str = ""  # why it was compiled, with the fix
    change: str = ""  # why it was compiled again, in a few words; empty for the first time

    @property
    def name(self) -> str:
        """The name of the student's function; empty if it is a library's program."""
        return self.source.name if self.source else ""

    @property
    def code(self) -> object:
        """The code of what jit was given, None if unknown: a line may have several lambdas."""
        function = unwrap(self.key.function)
        return function.__code__ if isinstance(function, FunctionType) else None

    @cached_property
    def inputs(self) -> Parts:
        """The types of the arrays that the program takes."""
        return read_inputs(self.program)

    @property
    def function(self) -> object:
        """What tells the function from others: a bound method is made anew at each access."""
        given = self.key.function
        if given is None:
            return self.source
        return id(getattr(given, "__self__", None)), id(getattr(given, "__func__", given))


class Watch:
    """Collects compilations, and calls of what was compiled `ahead`; `call` is a call's number."""

    def __init__(self, files: Collection[str], module: ModuleType | None = None) -> None:
        self.files = files
        self.module = module
        self.call = 0
        self.compilations: list[Compilation] = []
        self.ahead: list[object] = []
        self._clears: list[object] = []
        self._lowered: dict[object, Compilation] = {}
        self._traced: dict[object, float] = {}

    @contextmanager
    def watching(self) -> Iterator[Watch]:
        """Watch what this process compiles."""
        jax_access.register_listener(self._listen)
        try:
            with (
                _noting(jax, "clear_caches", self._clears.append),
                _noting(jax_access.Compiled, "__call__", self.ahead.append),
            ):
                yield self
        finally:
            jax_access.unregister_listener(self._listen)

    def _listen(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        name = kwargs.get("fun_name")
        if event == jax_access.TRACE_EVENT:
            self._traced[f"jit({name})"] = duration_secs
        if event not in (jax_access.LOWER_EVENT, jax_access.COMPILE_EVENT):
            return
        frames, line = split_stack(sys._getframe(1), self.module, self.files)
        known = self._lowered.get(name, Compilation())
        # By `.compile()`, what was lowered before is compiled.
        if all(frame.f_code is not jax_private.LOWERED_COMPILE_CODE for frame in frames):
            key = Key()
            with suppress(Exception):  # objects of the student's are looked at: the call must go on
                key = read_key(frames, len(self._clears))
            known = replace(known, program=_program_in(frames), key=key)
        if event == jax_access.LOWER_EVENT:
            seconds = self._traced.pop(name, 0.0) + duration_secs
            self._lowered[name] = replace(known, seconds=seconds)
            return
        self._lowered[name] = replace(known, seconds=0.0)
        known = replace(known, call=self.call, line=line, seconds=known.seconds + duration_secs)
        if known.program is not None:
            known = replace(known, source=owner_of(known.program, self.files, known.key))
        self.compilations.append(known)


def _noting(owner: Any, name: str, note: Callable[[Any], object]) -> AbstractContextManager[object]:
    """Call `note` with the first argument, or None, at each call of a function."""
    before = getattr(owner, name)

    def noted(*args: Any, **kwargs: Any) -> Any:
        note(args[0] if args else None)
        return before(*args, **kwargs)

    return patch.object(owner, name, noted)


def split_stack(
    frame: FrameType | None, module: ModuleType | None, files: Collection[str]
) -> tuple[list[FrameType], int | None]:
    """Return the frames below the student's code, innermost first, and the student's line.

    What called the kit, such as the line of `check(...)`, is not among them.
    """
    frames = []
    while frame is not None:
        # The methods of any dataclass are in "<string>".
        known = () if frame.f_code.co_filename == "<string>" else files
        if is_student_frame(frame, module, known):
            break
        frames.append(frame)
        frame = frame.f_back
    is_students = frame is not None and frame.f_code is not called.__code__
    return frames, Line.of(frame) if frame is not None and is_students else None


def _program_in(frames: Sequence[FrameType]) -> Any:
    """Return the jaxpr being lowered or compiled: the first one held by these frames of JAX's."""
    values = (value for frame in frames for value in list(frame.f_locals.values()))
    return next((v.jaxpr for v in values if isinstance(v, jax_access.ClosedJaxpr)), None)


def owner_of(jaxpr: Any, files: Collection[str], key: Key) -> Defined | None:
    """Return the student's function that a program is of; None if it is one of a library's.

    Both the program and the key of the call that it is compiled for tell.
    """
    source = source_of(jaxpr)
    if not source.file and key.direct:  # an object that can be called
        kind = type(key.function)
        return _place(kind.__call__)._replace(name=kind.__name__)
    if not source.file or source.file in files or (key.direct and not _is_librarys(key.function)):
        return source
    if not is_jax_own(jaxpr) and (found := _called_by(source, jaxpr, files)):
        return found
    inner = [source_of(each) for each in nested(jaxpr)]
    if len(jaxpr.eqns) > 1 or inner:  # no single operation, such as a step back of an eager grad
        # jax.lax.map, jnp.piecewise and the like call the student's function in one of their own.
        inner += [_place(unwrap(p.value)) for p in key.parts.values() if p.kind == "HANDED"]
    return next((each for each in inner if each.file in files), None)


def _called_by(source: Defined, jaxpr: Any, files: Collection[str]) -> Defined | None:
    """Return the student's function that a library's function called as jit traced it.

    `equinox.filter_jit(f)`, for example, gives jit a function of its own, which calls `f`.
    """
    for equation in jaxpr.eqns[:_MOST_EQUATIONS]:
        called_first = None
        for frame in stack_of(equation):  # from the inside
            if (frame.file_name, frame.function_start_line) == (source.file, source.line):
                if called_first is not None:
                    return called_first
                break
            if frame.file_name in files:
                name = frame.function_name.rpartition(".")[2]
                called_first = Defined(name, frame.file_name, frame.function_start_line)
    return None


def _place(function: object) -> Defined:
    code = getattr(function, "__code__", None)
    return Defined(code.co_name, code.co_filename, code.co_firstlineno) if code else Defined("")


def _is_librarys(function: object) -> bool:
    """Whether a library has jitted this function: its name stands for something made of it.

    `jax.numpy` has jitted functions and ufuncs of its own.
    """
    function = getattr(function, "__func__", function)
    if isinstance(function, partial):  # it has no name itself
        home = sys.modules.get(getattr(function.func, "__module__", None) or "")
        values = list(vars(home).values()) if home else []
        return any(getattr(value, "__wrapped__", None) is function for value in values)
    name = getattr(function, "__qualname__", "")
    try:
        return bool(name) and pkgutil.resolve_name(f"{function.__module__}:{name}") is not function
    except (AttributeError, ImportError, ValueError):
        return False


def explain(
    compilations: Sequence[Compilation],
    earlier: Sequence[Compilation] = (),
    first: str = messages.CAUSES["FIRST"],
) -> list[Compilation]:
    """Return the compilations with their causes, and with the lines to blame.

    Args:
        compilations: in their order.
        earlier: what was compiled before them, and is compared with them.
        first: the sentence about the first program of a function.
    """
    known: dict[Defined, list[Compilation]] = {}
    for one in earlier:
        if one.source is not None:
            known.setdefault(one.source, []).append(one)
    explained = []
    for one in compilations:
        if (source := one.source) is not None:
            before = known.setdefault(source, [])
            before.append(one)
            if one.name != _NAMELESS:
                same = [k for k in before[:-1] if len({k.code, one.code} - {None}) < 2]
                one = _explain_one(one, source, same[-_MOST_COMPARED:], first)
            one = replace(one, line=one.line or def_line(source))
        explained.append(one)
    return explained


def def_line(source: Defined) -> int | None:
    """Return the line of the `def`; to Python, a function begins at its first decorator."""
    if source.line is None:
        return None
    lines = [text.lstrip() for text in linecache.getlines(source.file)[source.line - 1 :]]
    defs = (i for i, text in enumerate(lines) if text.startswith(("def ", "async def ")))
    decorators = next(defs, 0) if lines and lines[0].startswith("@") else 0
    return Line(source.line + decorators, source.file)


def _explain_one(
    one: Compilation, source: Defined, earlier: list[Compilation], first: str
) -> Compilation:
    line = None if is_installed(source.file) else def_line(source)
    where = f"`{source.name}`" + (f" (line {line})" if line else "")
    if not earlier:
        return replace(one, fix="FIRST", cause=first.format(where=where))
    before = min(reversed(earlier), key=lambda known: _distance(known, one))
    changes = _changes_between(before, one)
    if not changes:
        cause = messages.CAUSES["UNKNOWN"].format(where=where)
        return replace(one, fix="UNKNOWN", cause=cause, change=messages.NOT_KNOWN)
    (old, new), *others = changes
    is_alike = new.fix and (new.fix, new.node) == (old.fix, old.node)
    fix = "STRUCTURE" if old.kind != new.kind else new.fix if is_alike else new.kind
    fix = "PLAIN_CALL" if _is_plain_call((old, new)) else fix
    now_text = messages.ANOTHER if old.text == new.text else new.text
    more = messages.MORE_CHANGES.format(count=len(others)) if others else ""
    change = messages.CHANGE.format(name=new.name, old=old.text, new=now_text, more=more)
    words = {"where": where, "change": change, "new": new.text, "operation": one.key.operation}
    short = messages.CHANGES.get(fix, messages.CHANGE_SEEN).format(**words)
    return replace(one, fix=fix, cause=messages.CAUSES[fix].format(**words), change=short)


def _distance(old: Compilation, new: Compilation) -> int:
    """Return in how many parts the keys of two programs differ, and what the programs take."""
    parts = _differing(old.key.parts, new.key.parts)
    return len(parts) + len(_differing(old.inputs, new.inputs))


def _changes_between(old: Compilation, new: Compilation) -> list[tuple[Part, Part]]:
    """Return the parts that differ, under the names that the student's code knows, if it has any.

    What the programs take is asked last: `jax.vmap` hides a batch from the key.
    """
    differing = _differing(old.key.parts, new.key.parts)
    changes = _changes(old.key.parts, new.key.parts, differing)
    if any(at == "function" or isinstance(at, tuple) for at in differing):
        given = _changes_of(old.key.given, new.key.given)
        outside = [pair for pair in changes if pair[1].kind in _OUTSIDE_ARGUMENTS]
        changes = [*outside, *given] if given else changes
    # A call without grad or vmap, after one with it, is explained by what else differs.
    changes.sort(key=_is_plain_call)
    return changes or _changes_of(old.inputs, new.inputs)


def _is_plain_call(change: tuple[Part, Part]) -> bool:
    return change[1].kind == "TRANSFORM" and not change[1].value


def _changes_of(old: Parts, new: Parts) -> list[tuple[Part, Part]]:
    return _changes(old, new, _differing(old, new))


def _differing(old: Parts, new: Parts) -> list[object]:
    """Return the places of the parts in which two keys differ."""
    return [at for at in {**new, **old} if at not in new or new[at].differs(old.get(at))]


def _changes(old: Parts, new: Parts, differing: Sequence[object]) -> list[tuple[Part, Part]]:
    """Return the parts that differ, before and now; of parts inside others only those that tell.

    Where a node is another one, what is in it cannot be compared. Where it is of the same kind,
    what is in it tells more.
    """
    changed: dict[object, tuple[Part, Part]] = {}
    for at in differing:
        absent = replace(old.get(at) or new[at], kind="", text=messages.ABSENT)
        changed[at] = old.get(at, absent), new.get(at, absent)
    others = {at for at, (a, b) in changed.items() if (a.kind, a.node) != (b.kind, b.node)}
    hidden = {at for at in changed if any(outer in others for outer in _around(at))}
    reported = {outer for at in changed.keys() - hidden for outer in _around(at)} - others
    return [change for at, change in changed.items() if at not in hidden | reported]


def _around(at: object) -> Iterator[object]:
    """Yield the places around a place."""
    while isinstance(at, tuple):
        at = at[0]
        yield at
