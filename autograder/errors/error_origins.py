"""Finds which of the student's arguments an error of JAX is about: data, a setting or a field.

JAX's own text names the function that was traced, and the arguments that the value depends on.
What these were given is read from the frames that the error came through.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Collection
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal

import jax
from jax.core import Tracer

from autograder.model.student_code import Line, called, unwrap
from autograder.programs import jax_private
from autograder.programs.jax_private import origin_of

Kind = Literal["data", "setting", "field", "carried", "known", "cached", "static"]

_DEPENDS = re.compile(r"because it depends on the values? of the arguments? ([^\n]+?)\.?(?:\n|$)")
_BECAME = "became a tracer due to JAX operations"
_TRACED = re.compile(r"while tracing the function (\S+) at .* for (\w+)\.")
_KITS = ("autograder.programs.", "autograder.criteria.")
_NAME = re.compile(r"[^\W\d]\w*")
_ATTRIBUTE = re.compile(r"\.\w+$")
_LEAKED = re.compile(r"leaked intermediate value was created on line (.+?):(\d+)")
_UNHASHABLE = re.compile(r"to hash an object of type .*?>, (.*?)\. The error was:", re.DOTALL)


@dataclass(frozen=True)
class Origin:
    """Where the value at fault comes from.

    Attributes:
        kind: data (an array); a setting (a plain Python number, True or False that is traced); a
            field (such a number in a container); carried (such a field of what a loop carries);
            known (of no argument's value: a function of JAX made it); cached (an argument of a
            function with `functools.lru_cache`); static (an array that is given as a static
            argument).
        arguments: the names of the arguments at fault, as JAX spells them.
    """

    kind: Kind
    arguments: tuple[str, ...] = ()

    @property
    def names(self) -> str:
        """The arguments in a sentence."""
        *others, last = [f"`{name}`" for name in self.arguments] or ["an argument"]
        return f"{', '.join(others)} and {last}" if others else last

    @property
    def static(self) -> str:
        """The arguments as `static_argnames` takes them."""
        names = [f'"{name}"' for name in self.arguments]
        return names[0] if len(names) == 1 else f"({', '.join(names)})"


def find_origin(error: BaseException, files: Collection[str], code: str = "") -> Origin | None:
    """Return where the value comes from that an error of JAX is about; None if unknown.

    Args:
        error: with its traceback.
        files: of the student's code.
        code: the line that is to blame.
    """
    try:
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        text = str(error)
        if text.startswith("unhashable type"):
            return Origin("cached") if frames and _calls_cached(frames[-1], code) else None
        tracer = _find_tracer(error, frames)
        if "Non-hashable static" in text and tracer is None:
            return _find_static_array(text, frames)
        return _find_traced(text if tracer is None else origin_of(tracer), frames, files)
    except Exception:  # objects of the student's are looked at
        return None


def _find_tracer(error: BaseException, frames: list[FrameType]) -> Any:
    """Return the tracer at fault, for errors whose text does not say where it comes from."""
    is_mask = isinstance(error, jax.errors.NonConcreteBooleanIndexError)
    for frame in reversed(frames):
        found = frame.f_locals
        if is_mask:
            given = [*reversed(found.values())]  # the index is the last argument
        elif frame.f_code is jax_private.MISS_CODE and "Non-hashable static" in str(error):
            info, args, kwargs = found["jit_info"], found["args"], found["kwargs"]
            given = [args[i] for i in info.static_argnums if -len(args) <= i < len(args)]
            given += [kwargs[name] for name in info.static_argnames if name in kwargs]
        else:
            continue
        tracers: list[Any] = [x for x in given if isinstance(x, Tracer)]
        tracer = next((x for x in tracers if not is_mask or str(x.dtype) == "bool"), None)
        if tracer is not None or not is_mask:
            return tracer
    return None


def find_leak(error: BaseException) -> Line | None:
    """Return the line that made the tracer which a function kept; None if JAX does not say."""
    found = isinstance(error, jax.errors.UnexpectedTracerError) and _LEAKED.search(str(error))
    return Line(int(found[2]), found[1]) if found else None


def _find_traced(text: str, frames: list[FrameType], files: Collection[str]) -> Origin | None:
    traced, depends = _TRACED.search(text), _DEPENDS.search(text)
    function, by = traced.groups() if traced else ("", "")
    named = [frame for frame in reversed(frames) if frame.f_code.co_name == function]
    frame = next((f for f in named if f.f_code.co_filename in files), None)
    if depends is None:
        is_known = _BECAME in text and not (frame and any(map(_has_tracers, _outside(frame))))
        return Origin("known") if is_known else None
    names = tuple(re.split(r", and |, | and ", depends[1]))
    if frame is None:  # in the kit's own trace, all arguments are data
        kits = any(str(f.f_globals.get("__name__")).startswith(_KITS) for f in named)
        return Origin("data") if kits else None
    flags = _find_flags(frame, frames)
    kinds: list[Kind | None] = [
        "setting" if name in flags else _kind_of(name, frame) for name in names
    ]
    if by != "jit":  # the state of a loop
        carried = {*kinds} == {"field"} and all(map(_ATTRIBUTE.search, names))
        return Origin("carried" if carried else "data", names)
    worst = kinds[0] if len({*kinds}) == 1 else None
    if "data" in kinds:
        worst = "data"
    of_worst = tuple(n for n, kind in zip(names, kinds, strict=True) if kind == worst)
    return Origin(worst, of_worst) if worst else None


def _outside(frame: FrameType) -> list[Any]:
    """Return what a function reads that it is not given: of its closure, and global containers."""
    code = frame.f_code
    read = [frame.f_globals[name] for name in code.co_names if name in frame.f_globals]
    containers = [value for value in read if isinstance(value, list | dict | tuple | set)]
    return [*(frame.f_locals.get(name) for name in code.co_freevars), *containers]


def _has_tracers(value: Any) -> bool:
    return any(isinstance(leaf, Tracer) for leaf in jax.tree.leaves(value))


def _find_flags(frame: FrameType, frames: list[FrameType]) -> list[str]:
    """Return the arguments of a function that the call gave as Python's True or False.

    Once traced, they are like boolean data: JAX has no weak type for them.
    """
    calling = next((f for f in reversed(frames) if f.f_code is called.__code__), None)
    function = unwrap(calling.f_locals["function"]) if calling else None
    if calling is None or getattr(function, "__code__", None) is not frame.f_code:
        return []
    parameters = inspect.signature(function).parameters  # type: ignore[arg-type]
    given = zip(parameters, calling.f_locals["args"], strict=False)
    return [name for name, value in given if isinstance(value, bool)]


def _kind_of(name: str, frame: FrameType) -> Kind | None:
    """Return what an argument was given; None where it has another value by now, say."""
    root = _NAME.match(name)
    value = frame.f_locals.get(root[0]) if root else None
    leaves = jax.tree_util.tree_flatten_with_path(value)[0]
    found = [leaf for path, leaf in leaves if root and root[0] + jax.tree_util.keystr(path) == name]
    if len(found) != 1 or not isinstance(found[0], Tracer):
        return None
    aval: Any = found[0].aval
    if aval.dtype.kind == "b" and not aval.shape:
        return None  # True or False of Python's, or data
    if not getattr(aval, "weak_type", False):
        return "data"
    if aval.shape or aval.dtype.kind not in "biu":
        return None  # a Python float: it may be either
    return "setting" if root and root[0] == name else "field"


def _calls_cached(frame: FrameType, code: str) -> bool:
    """Whether the line that was run calls a function that remembers its results."""
    if frame.f_code is called.__code__:
        near = [frame.f_locals["function"]]
    else:
        known = {**frame.f_globals, **frame.f_locals}
        near = [known[name] for name in _NAME.findall(code) if name in known]
    return any(hasattr(value, "cache_info") for value in near)


def _find_static_array(text: str, frames: list[FrameType]) -> Origin | None:
    """Name the argument of the student's function that is static and cannot be hashed."""
    shown, frame = _UNHASHABLE.search(text), frames[-1] if frames else None
    frame = next((f for f in reversed(frames) if f.f_code is called.__code__), frame)
    if shown is None or frame is None or frame.f_code is not called.__code__:
        return None
    function, args = frame.f_locals["function"], frame.f_locals["args"]
    given = inspect.signature(function).bind(*args).arguments
    names = tuple(name for name, value in given.items() if str(value) == shown[1])
    return Origin("static", names) if len(names) == 1 else None
