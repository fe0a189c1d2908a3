"""Records the key by which jit looks a program up, part by part, as JAX compiles for a call.

Each part has a printable name and the value that jit compares. Two keys differ in the parts that
jit tells apart, so a cause of a compilation is a difference that was seen.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import math
import os
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import FrameType, FunctionType
from typing import Any, Literal

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding

from autograder.core import jax_access
from autograder.core.student_code import unwrap

Kind = Literal[
    "cleared", "transform", "setting", "function", "handed", "structure", "array", "static",
    "field", "form", "placement", "option",
]  # fmt: skip
_STATIC = ("function", "handed", "static", "field")
_PLAIN = bool | int | float | complex | str | bytes | None
_DEPTH = 3
_EMPTY = types.CellType()
_SHOWN = (Mesh, AbstractMesh, Sharding, PartitionSpec, np.dtype)
_MOST_TEXT = 60
_MOST_PARTS = 500
_JAX = os.path.dirname(jax.__file__)
_OPTIONS = """
    static_argnums static_argnames donate_argnums donate_argnames device backend keep_unused inline
    in_shardings_leaves out_shardings_leaves compiler_options_kvs
"""


@dataclass(frozen=True)
class Part:
    """One part of the key.

    Attributes:
        name: as a student would write it, such as `state.size`.
        text: the value in words.
        value: what is compared. It is kept alive, so that its identity tells it from others.
        inner: what is in it: fields, items, variables that a function closes over.
    """

    kind: Kind
    name: str
    text: str
    value: Any
    inner: tuple[Part, ...] = ()

    def differs(self, other: Part | None) -> bool:
        """Whether jit tells the two apart."""
        if other is None or self.kind != other.kind:
            return True
        old, new = other.value, self.value
        if self.kind not in _STATIC:
            return old != new
        if old is new:
            return False
        # Aux data are compared by `==` alone, static arguments by their types, too.
        try:
            return not ((self.kind == "field" or type(old) is type(new)) and bool(old == new))
        except Exception:  # an array, or a student's own method
            return True


@dataclass(frozen=True)
class Key:
    """The key of one call.

    Attributes:
        parts: in the order in which they are told.
        function: what jit was given; None where jit was not called.
        direct: whether the student's code called the jitted function itself.
        operation: the function of JAX's that the student's code called instead, such as `scan`.
    """

    parts: Mapping[object, Part] = field(default_factory=dict)
    function: Any = None
    direct: bool = False
    operation: str = ""

    @property
    def settings(self) -> tuple[tuple[str, str], ...]:
        """The plain values that its functions close over: others make another function."""
        functions = [part for part in self.parts.values() if part.kind in ("function", "handed")]
        inner = [each for function in functions for each in function.inner]
        return tuple((p.name, p.text) for p in inner if isinstance(p.value, _PLAIN))

    @property
    def handed(self) -> list[object]:
        """The functions that a function of JAX's was given, outside of jit."""
        return [unwrap(part.value) for part in self.parts.values() if part.kind == "handed"]


def identity(function: object) -> tuple[int, int]:
    """Return what tells a function from others: a bound method is made at each access."""
    owner = getattr(function, "__self__", None)
    return id(owner), id(getattr(function, "__func__", function))


def read_key(frames: Sequence[FrameType], clears: int, transforms: tuple[str, ...]) -> Key:
    """Return the key of the call that a program is lowered or compiled for.

    Args:
        frames: JAX's, innermost first, up to the student's code.
        clears: how often JAX's caches were cleared before.
        transforms: of JAX, that are at work on the call, outside of jit.
    """
    first: dict[object, Part] = {
        "cleared": Part("cleared", "", "", clears),
        "transform": Part("transform", "", "", transforms),
    }
    for name, value in jax_access.settings().items():
        first["setting", name] = Part("setting", name, _shorten(value), value)
    visible = [f for f in frames if not f.f_code.co_filename.endswith("traceback_util.py")]
    for at, frame in enumerate(visible):
        found = frame.f_locals
        if frame.f_code is jax_access.LOWER_CODE:
            jitted = found.get("jit_func")
            function, info = getattr(jitted, "_fun", None), getattr(jitted, "_jit_info", None)
        elif frame.f_code is jax_access.MISS_CODE:
            function, info = found.get("fun"), found.get("jit_info")
            code = getattr(unwrap(function), "__code__", None)
            is_outer = at + 1 == len(visible)
            if not is_outer and code and is_installed(code.co_filename):
                break  # inside of an operation of JAX's
        else:
            continue
        args, kwargs = found.get("args", ()), found.get("kwargs", {})
        parts = first | _read_call(function, info, args, kwargs)
        return Key(parts, function, at + 1 == len(visible))
    if not visible:
        return Key(first)
    if transforms:  # a step back, which is no call of the student's
        first["transform"] = Part("transform", "", "", (*transforms, "back"))
    last = visible[-1]
    home = str(last.f_globals.get("__name__"))
    prefix = "jax.lax." if home.startswith("jax._src.lax.") else ""
    return Key(first | _read_operation(last), operation=prefix + last.f_code.co_name)


def _read_call(function: Any, info: Any, args: tuple, kwargs: Mapping[str, Any]) -> dict:
    parts: dict[object, Part] = {"function": describe("function", "", function)}
    numbers = {i if i >= 0 else i + len(args) for i in getattr(info, "static_argnums", ())}
    names = set(getattr(info, "static_argnames", ()))
    given = [(name, i in numbers, x) for i, (name, x) in enumerate(_named(function, args))]
    given += [(name, name in names, value) for name, value in kwargs.items()]
    for name, is_static, value in given:
        if is_static:
            parts["argument", name] = describe("static", name, value)
        else:
            _read_tree(("argument", name), name, value, parts)
    parts["form"] = Part("form", "", "", (len(args), tuple(kwargs)))
    for name in _OPTIONS.split():
        value = getattr(info, name, None)
        shown = name.removesuffix("_leaves").removesuffix("_kvs")
        parts["option", name] = Part("option", shown, _shorten(value), str(value))
    return parts


def _named(function: Any, args: tuple) -> Iterator[tuple[str, Any]]:
    """Yield the positional arguments with the names of their parameters."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    for i, value in enumerate(args):
        parameter = parameters[min(i, len(parameters) - 1)] if parameters else None
        if parameter is None:
            yield f"argument {i + 1}", value
        elif parameter.kind is parameter.VAR_POSITIONAL:
            yield f"{parameter.name}[{i - parameters.index(parameter)}]", value
        else:
            yield parameter.name, value


def _read_operation(frame: FrameType) -> dict[object, Part]:
    """Read what the student's code passed to a function of JAX's, such as `scan`."""
    code, found = frame.f_code, frame.f_locals
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + stars]
    parts: dict[object, Part] = {}
    for name in names:
        if name in found:
            _read_tree(("argument", name), name, found[name], parts)
    return parts


def _read_tree(key: object, name: str, value: Any, parts: dict[object, Part]) -> None:
    """Add the nodes and leaves of an argument: its structure, its static fields, its arrays."""
    if len(parts) > _MOST_PARTS:
        return
    try:
        pairs, tree = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda x: x is not value)
        node = tree.node_data()
    except Exception as error:  # a student's own flatten function: JAX reports what it raises
        parts[key] = Part("structure", name, _shorten(value), type(error))
        return
    if node is None:
        parts[key] = _describe_leaf(name, value)
        is_array = isinstance(value, jax.Array) and not isinstance(value, jax_access.Tracer)
        if is_array and value.committed:  # others go where jit runs
            text = _spell_placement(value.sharding)
            parts[key, "placement"] = Part("placement", name, text, value.sharding)
        return
    keys = tuple(jax.tree_util.keystr(path) for path, _ in pairs)
    kind = type(value).__name__
    text = f"{'an' if kind[0] in 'AEIOU' else 'a'} {kind} of {len(pairs)}"
    if isinstance(value, dict):
        text = _shorten(f"{text}: {', '.join(map(str, value))}", str)
    parts[key] = Part("structure", name, "None" if value is None else text, (type(value), keys))
    if not isinstance(value, tuple | list | dict | None):
        parts.update(_read_aux(key, name, value, node[1]))
    for i, (path, child) in enumerate(pairs):
        shown = jax.tree_util.keystr(path)
        if "<flat index" in shown:
            shown = _attribute(value, child) or f"[{i}]"
        _read_tree((key, shown), name + shown, child, parts)


def _read_aux(key: object, name: str, value: Any, aux: Any) -> dict[object, Part]:
    """Read the static fields of a registered class, named after the attributes that hold them."""
    items = aux if type(aux) is tuple and not _attribute(value, aux) else (aux,)
    declared = [
        f".{f.name}"
        for f in (dataclasses.fields(value) if dataclasses.is_dataclass(value) else ())
        if f.metadata.get("static")
    ]
    if len(declared) != len(items):
        declared = [_attribute(value, item) for item in items]
    if not all(declared) or len({*declared}) < len(items):
        return {(key, "aux"): describe("field", f"{name} (aux data)", aux)} if aux else {}
    return {
        (key, "aux", i): describe("field", name + attribute, item)
        for i, (attribute, item) in enumerate(zip(declared, items, strict=True))
    }


def _attribute(value: Any, held: Any) -> str:
    """Return `.name` of the only attribute that is `held`; empty if there is none, or several."""
    names = [name for name, x in getattr(value, "__dict__", {}).items() if x is held]
    return f".{names[0]}" if len(names) == 1 else ""


def _describe_leaf(name: str, leaf: Any) -> Part:
    if isinstance(unwrap(leaf), FunctionType):
        return describe("handed", name, leaf)
    try:
        aval: Any = jax.typeof(leaf)
        shape, dtype = tuple(aval.shape), str(aval.dtype)
    except Exception:  # jit does not take it, or it is a setting of a loop
        return describe("static", name, leaf)
    weak = bool(getattr(aval, "weak_type", False))
    return Part("array", name, _spell_array(dtype, shape, weak), (dtype, shape, weak))


def _spell_array(dtype: object, shape: tuple, weak: bool = False) -> str:
    said = " from a Python scalar (weak type)" if weak else ""
    return f"{dtype}[{','.join(map(str, shape))}]{said}"


def _spell_placement(sharding: Any) -> str:
    if isinstance(sharding, NamedSharding):
        axes = ", ".join(f"{axis}: {size}" for axis, size in sharding.mesh.shape.items())
        return f"sharded over the mesh ({axes}) by {sharding.spec}"
    devices = ", ".join(sorted(map(str, sharding.device_set)))
    return f"committed to {devices}"


def describe(kind: Kind, name: str, value: Any, depth: int = _DEPTH) -> Part:
    """Describe a static value, and what is in it, as jit's cache tells it from others."""
    inner = tuple(
        describe("static", name + at if at[0] in ".[" else at, item, depth - 1)
        for at, item in _items(value, depth)
    )
    return Part(kind, name, _spell(value), value, inner)


def _items(value: Any, depth: int) -> list[tuple[str, Any]]:
    """Return what is in a static value, each with its name or what follows the value's."""
    if depth == 0 or isinstance(value, type | enum.Enum | jax_access.Tracer) or is_jaxs(value):
        return []
    if isinstance(value, functools.partial):
        given = [(f".args[{i}]", item) for i, item in enumerate(value.args)]
        return [(".func", value.func), *given, *((f".{k}", v) for k, v in value.keywords.items())]
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return [(f".{names[i]}" if names else f"[{i}]", item) for i, item in enumerate(value)]
    if isinstance(function := unwrap(value), FunctionType):
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
        return [(n, c.cell_contents) for n, c in cells if c != _EMPTY]
    if dataclasses.is_dataclass(value):
        return [(f".{f.name}", getattr(value, f.name, None)) for f in dataclasses.fields(value)]
    return [(f".{name}", item) for name, item in getattr(value, "__dict__", {}).items()]


def is_jaxs(value: Any) -> bool:
    """Whether a value is of a class of JAX's or NumPy's: a mesh, a sharding, a dtype."""
    home = type(value).__module__.partition(".")[0]
    return home in ("jax", "jaxlib", "numpy") and not hasattr(value, "__wrapped__")


def _spell(value: Any) -> str:
    """Write a static value as a student would name it."""
    if isinstance(value, float) and math.isnan(value):
        return "the static value nan"
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name}"
    if is_plain(value):
        return f"the static value {_shorten(value)}"
    if isinstance(value, jax.Array | np.ndarray):
        return f"the array {_spell_array(value.dtype, value.shape)}"
    if isinstance(value, functools.partial):
        return f"a functools.partial of {_spell(value.func)}"
    if isinstance(value, types.MethodType):
        return f"the method `{value.__name__}` of {_spell(value.__self__)}"
    if isinstance(value, type):
        return f"the class `{value.__name__}`"
    function = unwrap(value)
    if isinstance(function, FunctionType | types.BuiltinFunctionType):
        return _spell_function(value, function)
    if isinstance(value, _SHOWN):
        return _shorten(value)
    return f"an object of class {type(value).__name__}"


def _spell_function(value: Any, function: Any) -> str:
    library = library_of(function)
    name = f"`{function.__name__}`" + (f" of {library}" if library else "")
    if isinstance(value, jax_access.Jitted):
        return f"the jitted function {name}"
    transform = _transform_in(value)
    return f"`{transform}` of the function {name}" if transform else f"the function {name}"


def library_of(function: object) -> str:
    """Return the name of the library that a function is from; empty if it is the student's."""
    code, home = getattr(function, "__code__", None), getattr(function, "__module__", None) or ""
    return home.partition(".")[0] if code and is_installed(code.co_filename) else ""


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package."""
    return "-packages" in file


def _transform_in(function: Any) -> str:
    """Return the name of the transformation of JAX's that made a function; empty if none did."""
    for _ in range(2):  # the boundary that JAX puts around its own functions, and what is inside
        code = getattr(function, "__code__", None)
        if code is None or not code.co_filename.startswith(_JAX):
            return ""
        made, is_nested, _ = code.co_qualname.partition(".<locals>")
        if made != "api_boundary":
            return f"jax.{made}" if is_nested else ""
        cells = dict(zip(code.co_freevars, function.__closure__, strict=True))
        function = cells["fun"].cell_contents
    return ""


def is_plain(value: Any, depth: int = _DEPTH) -> bool:
    """Whether a value is a number, a text or the like, or a small container of such values."""
    if type(value) in (tuple, list, frozenset):
        return depth > 0 and len(value) < 50 and all(is_plain(x, depth - 1) for x in value)
    return isinstance(value, _PLAIN)


def _shorten(value: Any, spell: Callable[[Any], str] = repr) -> str:
    try:
        text = spell(value)
    except Exception:
        text = f"an object of class {type(value).__name__}"
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 4]} ..."
