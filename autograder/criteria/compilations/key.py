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
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FrameType, FunctionType
from typing import Any

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh, NamedSharding, PartitionSpec, Sharding

from autograder.model.student_code import is_installed, unwrap
from autograder.programs import jax_access, jax_private

_JAX = ("jax", "jaxlib")
_MOST_PARTS = 5_000
_PLAIN = bool | int | float | complex | str | bytes | None
_SHOWN = enum.Enum | Mesh | AbstractMesh | Sharding | PartitionSpec | np.dtype
_EMPTY = types.CellType()
_MOST_TEXT = 60
_TRANSFORMS = ("ad.py", "batching.py")
_OPTIONS = """
    static_argnums donate_argnums device backend keep_unused inline in_shardings_leaves
    out_shardings_leaves compiler_options_kvs
"""


@dataclass(frozen=True)
class Part:
    """One part of the key."""

    kind: str  # what it is, and the name of the fix where nothing more is known
    name: str  # as a student would write it, such as `state.size`
    text: str  # the value in words
    value: Any  # what is compared; kept alive, so that its identity tells it from others
    node: Any = None  # what must be equal for the parts inside this one to be compared
    fix: str = ""  # the name of the fix if both values are of one sort

    def differs(self, other: Part | None) -> bool:
        """Whether jit tells the two apart."""
        try:
            return other is None or self.kind != other.kind or bool(self.value != other.value)
        except Exception:  # an array, or a student's own method
            return True


@dataclass(frozen=True)
class Key:
    """The key of one call.

    The parts are in the order in which they are reported. A part inside another one has the other's
    place as the first item of its own.
    """

    parts: Mapping[object, Part] = field(default_factory=dict)
    # What was passed to a library's object around a jitted function, such as `eqx.filter_jit(f)`.
    given: Mapping[object, Part] = field(default_factory=dict)
    function: Any = None  # what jit was given; None where jit was not called
    direct: bool = False  # whether the student's code called the jitted function itself
    operation: str = ""  # the function of JAX's that the student's code called instead: `scan`, say


def read_key(frames: Sequence[FrameType], clears: int) -> Key:
    """Return the key of the call that a program is lowered or compiled for.

    The frames are JAX's, innermost first, up to the student's code; `clears` says how often JAX's
    caches were cleared before.
    """
    files = {os.path.basename(frame.f_code.co_filename) for frame in frames}
    transforms = tuple(file for file in _TRANSFORMS if file in files)
    parts: dict[object, Part] = {
        "cleared": Part("CLEARED", "", "", clears),
        "transform": Part("TRANSFORM", "", "", transforms),
    }
    for name, value in jax_private.settings().items():
        parts["setting", name] = Part("OPTION", name, shorten(value), value)
    visible = [f for f in frames if not f.f_code.co_filename.endswith("traceback_util.py")]
    for at, frame in enumerate(visible, 1):
        found = frame.f_locals
        if frame.f_code is jax_private.LOWER_CODE:
            jitted = found.get("jit_func")
            function, info = getattr(jitted, "_fun", None), getattr(jitted, "_jit_info", None)
        elif frame.f_code is jax_private.MISS_CODE:
            function, info = found.get("fun"), found.get("jit_info")
            if at < len(visible) and library_of(unwrap(function)) in _JAX:
                break  # inside of an operation of JAX
        else:
            continue
        _read_call(parts, function, info, found.get("args", ()), found.get("kwargs", {}))
        given = _read_given(visible[at:], bool(getattr(info, "static_argnums", ())))
        return Key(parts, given, function, at == len(visible) and callable(function))
    if not visible:
        return Key(parts)
    if transforms:  # a step back, which is no call of the student's
        parts["transform"] = Part("TRANSFORM", "", "", (*transforms, "back"))
    # What the student's code passed to a function of JAX's, such as `scan`.
    last = visible[-1]
    names, *stars, found = inspect.getargvalues(last)
    for name in (*names, *filter(None, stars)):
        if name in found:
            _read_tree(parts, ("argument", name), name, found[name])
    home = str(last.f_globals.get("__name__"))
    prefix = "jax.lax." if home.startswith("jax._src.lax.") else ""
    return Key(parts, operation=prefix + last.f_code.co_name)


def read_inputs(program: Any) -> dict[object, Part]:
    """Return the types of the arrays that a jaxpr takes: they differ where a batch does."""
    parts: dict[object, Part] = {}
    variables = getattr(program, "invars", ())[:_MOST_PARTS]
    names = getattr(getattr(program, "debug_info", None), "arg_names", None) or ()
    for i, variable in enumerate(variables):
        name = names[i] if len(names) == len(variables) and names[i] else f"input {i + 1}"
        _read_type(parts, ("input", i), name, variable.aval)
    return parts


def _read_given(frames: Sequence[FrameType], has_statics: bool) -> dict[object, Part]:
    """Return what was passed to a library's object around jit, under the function's own names.

    jit gets it in another form there: divided into arrays and the rest, for example.
    """
    parts: dict[object, Part] = {}
    for frame in reversed(frames):
        names, star, stars, found = inspect.getargvalues(frame)
        wrapper = found.get(names[0]) if names else None
        if star is None or stars is None or not hasattr(wrapper, "__wrapped__"):
            continue
        function = unwrap(wrapper)
        parts["function"] = Part("NEW_FUNCTION", "", spell(function), function)
        try:
            bound = inspect.signature(function).bind(*found[star], **found[stars])  # type: ignore[arg-type]
        except (KeyError, TypeError, ValueError):
            break
        for name, value in bound.arguments.items():
            _read_tree(parts, ("argument", name), name, value, has_statics)
        break
    return parts


def _read_call(parts: dict, function: Any, info: Any, args: tuple, kwargs: Mapping) -> None:
    """Add the parts of a call of a jitted function."""
    sort = type(function)
    parts["function"] = Part("NEW_FUNCTION", "", spell(function), (sort, function), sort)
    for shown, item in items_of(function):
        if is_plain(item):
            parts["function", shown] = Part("CLOSURE", shown.lstrip("."), spell(item), item)
    try:
        given = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        given = {f"argument {i}": value for i, value in enumerate(args, 1)} | {**kwargs}
    static, count = getattr(info, "static_argnums", ()), len(args)
    numbers = {i % count for i in static if -count <= i < count}  # others are passed by keyword
    names = getattr(info, "static_argnames", ())
    for i, (name, value) in enumerate(given.items()):
        read = _read_static if i in numbers or name in names else _read_tree
        read(parts, ("argument", name), name, value)
    by_keyword = [f"{name}=_" for name in sorted(kwargs)]  # jit sorts them too
    form = f"called with ({', '.join(['_'] * len(args) + by_keyword)})"
    parts["form"] = Part("FORM", getattr(function, "__name__", "jit"), form, form)
    for name in _OPTIONS.split():
        value = getattr(info, name, None)
        shown = name.removesuffix("_leaves").removesuffix("_kvs")
        parts["option", name] = Part("OPTION", shown, shorten(value), str(value))


def _read_tree(parts: dict, at: object, name: str, value: Any, static: bool = False) -> None:
    """Add the nodes and leaves of an argument: its structure, its static fields, its arrays.

    `static`: a leaf that is no array is a static value, as for `eqx.filter_jit`.
    """
    if len(parts) > _MOST_PARTS:
        return
    try:
        pairs, tree = jax.tree_util.tree_flatten_with_path(value, is_leaf=lambda x: x is not value)
        node = tree.node_data()
    except Exception as error:  # a student's own flatten function: JAX reports what it raises
        parts[at] = Part("STRUCTURE", name, shorten(value), type(error), type(error))
        return
    if node is None:
        if static and not isinstance(value, jax.Array | np.ndarray | np.generic):
            _read_static(parts, at, name, value, "NOT_AN_ARRAY")
        else:
            _read_leaf(parts, at, name, value)
        return
    paths = [jax.tree_util.keystr(path) for path, _ in pairs]
    shape = type(value), tuple(paths)
    parts[at] = Part("STRUCTURE", name, spell_node(value, len(pairs)), shape, shape)
    if not isinstance(value, tuple | list | dict | None):
        _read_aux(parts, at, name, value, node[1], paths)
    for i, (path, (_, child)) in enumerate(zip(paths, pairs, strict=True)):
        shown = path if "<flat index" not in path else _attribute(value, child) or f"[{i}]"
        _read_tree(parts, (at, shown), name + shown, child, static)


def _read_aux(
    parts: dict, at: object, name: str, value: Any, aux: Any, children: Collection[str]
) -> None:
    """Add the static fields of a registered class, named after the attributes that hold them."""
    items = aux if type(aux) is tuple and not _attribute(value, aux) else (aux,)
    names = [_attribute(value, item) for item in items]
    if all(names):
        for shown, item in zip(names, items, strict=True):
            _read_static(parts, (at, "aux" + shown), name + shown, item, "STATIC_FIELD")
        return
    # Some attributes are in there by the side of others.
    inside = [id(item) for item in _items_inside(aux)]
    attributes = getattr(value, "__dict__", {}).items()
    held = [(f".{n}", x) for n, x in attributes if is_plain(x) and id(x) in inside]
    outer = at, "aux"
    depth = 0 if held else 3
    _read_static(parts, outer, f"{name} (aux data)", aux, "STATIC_FIELD", depth=depth)
    for shown, item in held:
        if shown not in children:
            _read_static(parts, (outer, shown), name + shown, item, "STATIC_FIELD")


def _items_inside(aux: Any) -> Iterator[Any]:
    """Yield what is in a tuple, and in the tuples in it."""
    yield aux
    for item in aux if type(aux) is tuple else ():
        yield from _items_inside(item)


def _attribute(value: Any, held: Any) -> str:
    """Return `.name` of the only attribute that is `held`; empty if there is none, or several."""
    names = [name for name, x in getattr(value, "__dict__", {}).items() if x is held]
    return f".{names[0]}" if len(names) == 1 else ""


def _read_leaf(parts: dict, at: object, name: str, leaf: Any) -> None:
    if isinstance(unwrap(leaf), FunctionType):
        parts[at] = Part("HANDED", name, spell(leaf), leaf)
        return
    try:
        at = _read_type(parts, at, name, jax.typeof(leaf))
    except Exception:  # jit does not take it, or it is a setting of a loop
        _read_static(parts, at, name, leaf)
        return
    is_array = isinstance(leaf, jax.Array) and not isinstance(leaf, jax_access.Tracer)
    sharding = leaf.sharding if is_array and leaf.committed else None  # it goes where jit runs
    parts[at] = Part("PLACEMENT", name, spell_placement(sharding), sharding)


def _read_type(parts: dict, at: object, name: str, aval: Any) -> object:
    """Add dtype, shape and weak type, one inside the other. Return the place inside them."""
    dtype, shape = str(aval.dtype), tuple(aval.shape)
    weak = bool(getattr(aval, "weak_type", False))
    text = spell_array(dtype, shape, weak)
    for kind, value in (("DTYPE", dtype), ("SHAPE", shape), ("WEAK", weak)):
        parts[at] = Part(kind, name, text, value, value)
        at = at, kind
    return at


def _read_static(
    parts: dict, at: object, name: str, value: Any, kind: str = "STATIC", fix: str = "", depth=3
) -> None:
    """Add a static value, and what is in it where that decides whether another one is equal."""
    # Aux data are compared by `==` alone, static arguments by their types, too.
    compared = value if kind == "STATIC_FIELD" else (type(value), value)
    parts[at] = Part(kind, name, spell(value), compared, type(value), fix_of(value, fix or kind))
    is_tuple = isinstance(value, tuple)
    if depth and (is_tuple or fix_of(value, "") == "UNEQUAL"):
        inner = fix if kind == "STATIC_FIELD" or is_tuple else "UNEQUAL"
        for shown, item in items_of(value):
            _read_static(parts, (at, shown), name + shown, item, kind, inner, depth - 1)


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text or the like, or a container of such values."""
    if type(value) in (tuple, list, frozenset):
        return all(map(is_plain, value))
    return isinstance(value, _PLAIN)


def fix_of(value: Any, of_plain: str) -> str:
    """Return the name of the fix where another static value of this sort compiles anew."""
    if isinstance(value, float) and math.isnan(value):
        return "NAN"
    if is_plain(value) or isinstance(value, _SHOWN | jax.Array | np.ndarray):
        return of_plain
    kinds = FunctionType | BuiltinFunctionType | functools.partial
    if isinstance(value, kinds) or hasattr(value, "__wrapped__"):
        return "FUNCTION"
    return "OBJECT" if type(value).__eq__ is object.__eq__ else "UNEQUAL"


def items_of(value: Any) -> list[tuple[str, Any]]:
    """Return what is in a value, each with what follows the value's name."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", None)
        return [(f".{names[i]}" if names else f"[{i}]", item) for i, item in enumerate(value)]
    if isinstance(function := unwrap(value), FunctionType):
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
        return [(f".{name}", cell.cell_contents) for name, cell in cells if cell != _EMPTY]
    if dataclasses.is_dataclass(value):
        return [(f".{f.name}", getattr(value, f.name, None)) for f in dataclasses.fields(value)]
    return [(f".{name}", item) for name, item in getattr(value, "__dict__", {}).items()]


def spell(value: Any) -> str:
    """Write a static value as a student would name it."""
    if is_plain(value):
        return f"the static value {shorten(value)}"
    if isinstance(value, jax.Array | np.ndarray):
        return f"the array {spell_array(value.dtype, value.shape)}"
    if isinstance(function := unwrap(value), FunctionType | BuiltinFunctionType):
        library = library_of(function)
        name = f"the function `{function.__name__}`" + (f" of {library}" if library else "")
        kinds = {functools.partial: "a functools.partial", jax_access.Jitted: "a jax.jit"}
        return name if value is function else f"{kinds.get(type(value), 'a wrapper')} of {name}"
    if isinstance(value, _SHOWN):
        return shorten(value, str)
    return f"an object of class {type(value).__name__}"


def library_of(function: object) -> str:
    """Return the name of the library that a function is from; empty if it is the student's."""
    code, home = getattr(function, "__code__", None), getattr(function, "__module__", None) or ""
    return home.partition(".")[0] if code and is_installed(code.co_filename) else ""


def spell_node(value: Any, length: int) -> str:
    """Say what a node of a pytree is, and what it has."""
    name = type(value).__name__
    keys = f": {', '.join(map(str, value))}" if isinstance(value, dict) else ""
    text = f"{'an' if name[0] in 'AEIOU' else 'a'} {name} of {length}{keys}"
    return "None" if value is None else shorten(text, str)


def spell_array(dtype: object, shape: tuple, weak: bool = False) -> str:
    """Write a dtype and a shape as JAX does, and whether the type is weak."""
    weakly = " from a Python scalar (weak type)" if weak else ""
    return f"{dtype}[{','.join(map(str, shape))}]{weakly}"


def spell_placement(sharding: Any) -> str:
    """Say on which devices an array is, and how it is divided among them; None where jit runs."""
    if sharding is None:
        return "not committed to a device"
    if isinstance(sharding, NamedSharding):
        axes = ", ".join(f"{axis}: {size}" for axis, size in sharding.mesh.shape.items())
        return f"sharded over the mesh ({axes}) by {sharding.spec}"
    return f"committed to {', '.join(sorted(map(str, sharding.device_set)))}"


def shorten(value: Any, to_text: Any = repr) -> str:
    """Write a value in at most `_MOST_TEXT` characters, and never fail."""
    try:
        text = to_text(value)
    except Exception:
        text = f"an object of class {type(value).__name__}"
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 4]} ..."
