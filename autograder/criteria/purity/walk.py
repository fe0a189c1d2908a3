"""Takes snapshots, by a walk over everything that can be reached from a value.

The walk enters containers, arrays, closures, defaults, and the student's classes and instances.
It enters objects of libraries only where they hold objects of the student's.
"""

from __future__ import annotations

import collections
import contextlib
import contextvars
import functools
import io
import itertools
import operator
import random
import threading
import types
import warnings
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograder.core import jax_access
from autograder.criteria.purity import state
from autograder.criteria.purity.state import Snapshot, Undo
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import (
    Token,
    class_dict,
    class_name,
    digest,
    instance_dict,
    is_array,
    is_tracer,
    leaf_token,
    members,
    slots,
)

_INTERPRETER = """
    __builtins__ __loader__ __spec__ __cached__ __doc__ __warningregistry__ __file__
    In Out _ih _oh _dh _i _ii _iii _ __ ___ get_ipython exit quit
"""
_SKIP_GLOBALS = frozenset(_INTERPRETER.split())
_MAX_PATHS = 20_000
_MAX_DEPTH = 40
_COPY_BYTES = 1 << 24
_GETTERS = (operator.attrgetter, operator.itemgetter, operator.methodcaller)
_STRUCTURE = type(jax_access.flatten(None)[1])
_HOLDING = (list, tuple, dict, set, frozenset, collections.deque, functools.partial, types.CellType)
_BEYOND = "what lies deep inside"
_LRU = type(functools.lru_cache(lambda: 0))
_ITERATING = ("builtins", "itertools", "_collections")
_PLAIN_KEYS = (str, int, float, bool, bytes, type(None))
# A figure refers to the notebook's front end, and so to event loops that other threads run. What
# these threads change is not the student's doing, and restoring it would break them.
_FRONT_END = """
    IPython ipykernel ipywidgets comm jupyter_client traitlets zmq tornado asyncio _asyncio
    selectors concurrent socket matplotlib mpl_toolkits matplotlib_inline PIL pytest _pytest rich
"""
_MACHINERY = frozenset(_FRONT_END.split())
_LIBRARIES = ("jax", "jaxlib", "numpy", "optax", "logging", "re", "typing")


def _known_by_identity(value: Any) -> list[object]:
    """List what else than an equal leaf's content can be told: itself, and whose memory it shows.

    `[x] == [y]` and `x in [y]` tell whether arrays and NaNs are the same objects.
    """
    if type(value) in (float, complex):
        return [value] if value != value else []
    if is_tracer(value) or not (is_array(value) or type(value) is bytearray):
        return []
    owner: Any = value
    while issubclass(type(owner), np.ndarray) and owner.base is not None:
        owner = owner.base
    return [value, owner]


def _cached(lru_cache: Any) -> list[tuple[Any, Any]]:
    """Return the keys and the results of a cache, from the oldest to the newest.

    A cache with a limit refers to them in the order of their last use, and each use changes it.
    """
    held = jax_access.referents(lru_cache)
    results = {
        id(key): result
        for key, result, link in zip(held, held[1:], held[2:], strict=False)
        if type(link) is type and link.__name__ == "_lru_list_elem"
    }
    for kept in held:
        if type(kept) is dict and "__wrapped__" not in kept and "__builtins__" not in kept:
            return [(key, results.get(id(key), result)) for key, result in list(kept.items())]
    return []


def _is_ordered(value: dict) -> bool:
    return issubclass(type(value), collections.OrderedDict)


class Walk:
    """Fills the snapshot `shot`; `saving` also records how to restore it."""

    def __init__(self, student: StudentModule, saving: bool = False) -> None:
        self.student = student
        self.saving = saving
        self.shot = Snapshot()
        self._seen: dict[int, str] = {}
        self._root = ""
        self._depth = 0

    def add(self, root: str, value: object, kind: str) -> None:
        self._root = root
        self._into(root, value, kind)

    def on_undo(self, *steps: Undo) -> None:
        if self.saving:
            self.shot.undo.extend(steps)

    def _token(self, path: str, token: Token, kind: str) -> None:
        self.shot.tokens[path] = token
        self.shot.origins[path] = kind, self._root

    def _into(self, path: str, value: Any, kind: str) -> None:
        if self._depth > _MAX_DEPTH or len(self.shot.tokens) > _MAX_PATHS:
            self._beyond(value, kind)
            return
        token = leaf_token(value)
        if token is not None:
            for item in _known_by_identity(value):
                token = (*token, self._seen.setdefault(id(item), path))
                self.shot.keep.append(item)
            if self.saving and type(value) is np.ndarray and value.flags.writeable:
                self.shot.keep.append(value)
                if value.nbytes < _COPY_BYTES:
                    self.on_undo(state.of_array(value))
            self._token(path, token, kind)
        elif id(value) in self._seen:
            self._token(path, ("same", self._seen[id(value)]), kind)
        else:
            self._seen[id(value)] = path
            self.shot.keep.append(value)
            self._depth += 1
            try:
                self._parts(path, value, kind)
            finally:
                self._depth -= 1

    def _beyond(self, value: Any, kind: str) -> None:
        """Record what is too far away, or too much, in one token for all of it."""
        todo, parts = [value], [self.shot.tokens.get(_BEYOND)]
        while todo:
            item = todo.pop()
            token = leaf_token(item)
            if token is None and id(item) not in self._seen:
                self._seen[id(item)] = _BEYOND
                self.shot.keep.append(item)
                if type(item) is types.FunctionType:
                    todo += [item.__closure__, item.__defaults__, item.__dict__]
                elif isinstance(item, _HOLDING) or self.student.owns_type(type(item)):
                    todo += [x for x in jax_access.referents(item) if not isinstance(x, type)]
            parts.append(token or (type(item).__name__,))
        self._token(_BEYOND, ("many", digest(repr(parts).encode())), kind)

    def _named(self, path: str, items: Iterable[tuple[object, Any]], kind: str) -> None:
        """Walk named parts of the value at `path`."""
        for name, item in items:
            self._into(f"{path}.{name}", item, kind)

    def _parts(self, path: str, value: Any, kind: str) -> None:
        """Walk the parts of a value, according to its real type."""
        real = type(value)
        if issubclass(real, dict):
            self._dict(path, value, kind)
        elif issubclass(real, (list, tuple, collections.deque)):
            self._sequence(path, value, kind)
        elif issubclass(real, (set, frozenset)):
            self._set(path, value, kind)
        elif issubclass(real, np.ndarray):  # of objects: all others are leaves
            self.on_undo(state.of_array(value))
            self._token(path, ("array", "object", value.shape), kind)
            for i, item in enumerate(np.ndarray.ravel(value).tolist()):
                self._into(f"{path}.flat[{i}]", item, kind)
        elif real is np.void:
            self._into(path, np.void.item(value), kind)
        elif real is types.FunctionType:
            self._function(path, value, kind)
        elif real is types.MethodType:
            self._into(f"{path}.__self__", value.__self__, "instance")
            self._into(f"{path}.__func__", value.__func__, kind)
        elif real is types.BuiltinMethodType and not isinstance(value.__self__, types.ModuleType):
            self._into(f"{path}.__self__", value.__self__, "instance")
        elif real in _GETTERS:
            self._named(path, enumerate(jax_access.referents(value)), kind)
        elif issubclass(real, functools.partial):
            names = ("func", "args", "keywords")
            self._named(path, ((name, getattr(value, name)) for name in names), kind)
        elif real is _LRU:
            self._lru_cache(path, value)
        elif issubclass(real, types.ModuleType):
            self._token(path, ("module", value.__dict__.get("__name__")), kind)
        elif issubclass(real, type):
            self._class(path, value)
        elif real is _STRUCTURE:
            self._named(path, [("<aux>", (value.node_data() or (None, None))[1])], kind)
            self._named(path, enumerate(value.children()), kind)
        elif real is types.CellType:
            if value != types.CellType():  # empty
                self.on_undo(state.of_cell(value))
                self._into(path, value.cell_contents, "closure")
        elif real is types.GeneratorType:
            self._generator(path, value)
        elif not self._stateful(path, value, kind):
            self._instance(path, value, kind)

    # Containers

    def _dict(self, path: str, value: dict, kind: str) -> None:
        self.on_undo(state.of_dict(value))
        ordered: Any = collections.OrderedDict if _is_ordered(value) else dict
        order = "".join(repr(key) for key in ordered.keys(value) if type(key) in _PLAIN_KEYS)
        self._token(path, ("dict", dict.__len__(value), digest(order.encode())), kind)
        for i, (key, item) in enumerate(list(dict.items(value))):
            plain = type(key) in _PLAIN_KEYS or (
                type(key) is tuple and all(type(k) in (str, int, float, bool) for k in key)
            )
            entry = f"{path}[{repr(key) if plain else f'key {i}'}]"
            self.shot.homes[entry] = (value, key)
            self._into(entry, item, kind)
            if not plain:
                self._into(f"{path}<key {i}>", key, kind)
        self._attributes(path, value, "instance")

    def _sequence(self, path: str, value: Any, kind: str) -> None:
        base = next(b for b in (list, tuple, collections.deque) if issubclass(type(value), b))
        if base is not tuple:
            self.on_undo(state.of_items(value, base))
        self._token(path, (base.__name__, base.__len__(value)), kind)
        names: Any = class_dict(type(value)).get("_fields", ())
        for i, item in enumerate(list(base.__iter__(value))):
            step = f".{names[i]}" if i < len(names) and type(names) is tuple else f"[{i}]"
            self._into(path + step, item, kind)
        self._attributes(path, value, "instance")

    def _set(self, path: str, value: Any, kind: str) -> None:
        base = set if issubclass(type(value), set) else frozenset
        if base is set:
            self.on_undo(state.of_items(value, base))
        items = list(base.__iter__(value))
        leaves = [repr(leaf_token(item)) for item in items]  # their order can be read, too
        self._token(path, (base.__name__, len(items), digest("".join(leaves).encode())), kind)
        for i, item in enumerate(items):
            if is_tracer(item) or leaf_token(item) is None:
                self._into(f"{path}{{{i}}}", item, kind)

    # Functions: closures, defaults, cached results

    def _function(self, path: str, value: types.FunctionType, kind: str) -> None:
        own = self.student.owns_function(value)
        if own:
            names = ("__code__", "__defaults__", "__kwdefaults__")
            self.on_undo(*(state.of_attribute(value, name) for name in names))
            self._token(path, ("function", id(value.__code__)), kind)
            values, code = value.__defaults__ or (), value.__code__
            first = code.co_argcount - len(values)
            named = zip(code.co_varnames[max(first, 0) : code.co_argcount], values, strict=False)
            defaults = [*named, *(value.__kwdefaults__ or {}).items()]
            self._named(path, ((f"<default {name}>", item) for name, item in defaults), "default")
        names = value.__code__.co_freevars
        for name, cell in zip(names, value.__closure__ or (), strict=True):
            if own or self._holds_student(cell):
                self._into(f"{path}.<closure {name}>", cell, "closure")
        for name, item in list(value.__dict__.items()):
            if own or name == "__wrapped__" or is_tracer(item):
                self.shot.homes[f"{path}.{name}"] = (value.__dict__, name)
                self._into(f"{path}.{name}", item, "function attribute")
        if own:
            self.on_undo(state.of_dict(value.__dict__))

    def _holds_student(self, cell: types.CellType) -> bool:
        try:
            inner = cell.cell_contents
        except ValueError:
            return False
        # What optax returns holds functions that hold others.
        held = inner if type(inner) in (list, tuple) else [inner]
        return any(self._is_students(item) for item in held)

    def _is_students(self, value: object) -> bool:
        if type(value) is types.FunctionType:
            return self.student.owns_function(value) or bool(value.__closure__)
        return (
            is_tracer(value)
            or type(value) in (_STRUCTURE, types.BuiltinMethodType)
            or self.student.owns_type(type(value))
        )

    def _lru_cache(self, path: str, value: Any) -> None:
        size = value.cache_info().currsize
        self._token(path, ("lru_cache", size), "cache")
        for number, (key, item) in enumerate(_cached(value)):
            self._into(f"{path}<result {number}>", item, "cache")
            self._into(f"{path}<call {number}>", key, "cache")
        self.on_undo(lambda: value.cache_clear() if value.cache_info().currsize != size else None)
        self._into(f"{path}.__wrapped__", value.__wrapped__, "global")
        self._attributes(path, value, "function attribute")

    def _generator(self, path: str, value: types.GeneratorType) -> None:
        frame = value.gi_frame
        self._token(path, ("generator", frame.f_lasti if frame else -1), "iterator")
        if frame is not None and self.student.owns_code(value.gi_code):
            found = list(frame.f_locals.items())
            self._named(path, ((f"<local {name}>", item) for name, item in found), "iterator")

    # Objects and classes: the student's are walked whole, those of libraries in part

    def _instance(self, path: str, value: object, kind: str) -> None:
        real = type(value)
        if is_array(value):
            return
        if self.student.owns_type(real):
            self._token(path, ("object", real.__qualname__), kind)
            self._into(f"<class {real.__qualname__}>", real, "class")
            self._attributes(path, value, "instance")
            if any("__dict__" in members(c) for c in real.__mro__ if self.student.owns_type(c)):
                for i, held in enumerate(jax_access.referents(value)):
                    if held is not real:
                        self._into(f"{path}.<held {i}>", held, "instance")
            return
        home = (real.__module__ or "").split(".")[0]
        library = home in _MACHINERY or home in _LIBRARIES
        self._token(path, ("library object" if library else "object", real.__qualname__), kind)
        if home in _LIBRARIES:
            self._library_object(path, value)
        elif not library:
            self._attributes(path, value, "instance")

    def _library_object(self, path: str, value: object) -> None:
        """Walk the student's parts of a jitted function, a custom_vjp, ..."""
        inner = getattr(value, "__wrapped__", None)
        if inner is not None:
            self._into(f"{path}.__wrapped__", inner, "global")
        found = instance_dict(value) or {}
        for name, item in list(found.items()):
            public = callable(value) and not name.startswith("_")
            theirs = public and (
                leaf_token(item) is not None or type(item) in (dict, list, set, tuple)
            )
            if theirs or type(item) is types.FunctionType or is_tracer(item):
                self._into(f"{path}.{name}", item, "function attribute")
        if callable(value) and inner is not None:
            self.on_undo(state.of_dict(found))

    def _attributes(self, path: str, value: object, kind: str) -> None:
        """Walk what any object holds in its `__dict__` and its slots."""
        found = instance_dict(value)
        if found is not None:
            for name, item in list(found.items()):
                if name != "__wrapped__":
                    self.shot.homes[f"{path}.{name}"] = (found, name)
                    self._into(f"{path}.{name}", item, kind)
            self.on_undo(state.of_dict(found))
        for name, slot in slots(type(value)):
            with contextlib.suppress(AttributeError):
                item = slot.__get__(value)
                self._into(f"{path}.{name}", item, kind)
                self.on_undo(lambda s=slot, i=item: s.__set__(value, i))

    def _class(self, path: str, value: type) -> None:
        self._token(path, ("class", class_name(value)), "class")
        if not self.student.owns_type(value):
            return
        self.on_undo(state.of_class(value))
        for name, item in members(value).items():
            if issubclass(type(item), (staticmethod, classmethod)):
                item = item.__func__  # type: ignore[attr-defined]
            elif type(item) is property:
                item = (item.fget, item.fset)
            elif type(item) is functools.cached_property:
                item = item.func
            elif type(item) in (types.MemberDescriptorType, types.GetSetDescriptorType):
                continue
            self._into(f"{path}.{name}", item, "class")
        for base in value.__mro__[1:-1]:
            if self.student.owns_type(base):
                self._into(f"{path}.<base {base.__qualname__}>", base, "class")

    # Objects of libraries whose state is not in their attributes

    def _stateful(self, path: str, value: Any, kind: str) -> bool:
        """Walk an iterator, a random generator, a stream, a lock ...; return False for others."""
        real = type(value)
        if real is itertools.count:
            self._token(path, ("iterator", repr(value)), "iterator")
        elif real is np.flatiter:
            self._token(path, ("iterator", value.index), "iterator")
        elif real.__module__ in _ITERATING and hasattr(real, "__next__"):
            self._token(path, ("iterator", operator.length_hint(value, -1)), "iterator")
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for i, part in enumerate(value.__reduce__()[1:]):
                    self._into(f"{path}<{i}>", part, "iterator")
        elif issubclass(real, (random.Random, np.random.Generator, np.random.RandomState)):
            self._random(path, value)
        elif real is contextvars.ContextVar:
            self._into(f"{path}.<context value>", value.get(None), "context")
        elif issubclass(real, threading.local):
            found = threading.local.__getattribute__(value, "__dict__")
            self.on_undo(state.of_dict(found))
            self._named(path, list(found.items()), "context")
        elif issubclass(real, weakref.ref):
            self._into(f"{path}()", weakref.ref.__call__(value), kind)
        elif real in (io.StringIO, io.BytesIO) and not value.closed:
            text = repr((value.getvalue(), value.tell()))
            self._token(path, ("stream", digest(text.encode())), kind)
            self.on_undo(state.of_stream(value))
        elif jax_access.Ref is not None and issubclass(real, jax_access.Ref):
            saved = value[...]
            self._into(f"{path}[...]", saved, kind)
            self.on_undo(lambda: value.__setitem__(..., saved))
        elif issubclass(real, BaseException):
            self._token(path, ("exception", real.__name__), kind)
            self._into(f"{path}.args", BaseException.args.__get__(value), "instance")  # type: ignore[attr-defined]
            self._attributes(path, value, "instance")
        elif real is types.MappingProxyType:
            for held in jax_access.referents(value):
                self._into(path, held, kind)
        elif real.__module__ in ("_thread", "threading") and hasattr(value, "locked"):
            self._token(path, ("lock", bool(value.locked())), kind)
        else:
            try:
                with memoryview(value) as view:
                    self._token(path, ("buffer", digest(bytes(view))), kind)
            except (TypeError, ValueError, BufferError):
                return False
        return True

    def _random(self, path: str, value: Any) -> None:
        real = type(value)
        if real is random.SystemRandom:
            return
        if issubclass(real, random.Random):
            now = random.Random.getstate(value)
            self.on_undo(lambda: random.Random.setstate(value, now))
        elif issubclass(real, np.random.Generator):
            now = value.bit_generator.state
            self.on_undo(lambda: setattr(value.bit_generator, "state", now))
        else:
            now = value.get_state()
            self.on_undo(lambda: value.set_state(now))
        self._token(path, ("random state", digest(repr(now).encode())), "random")


def snapshot(
    student: StudentModule, function: object, saving: bool = False, only: str | None = None
) -> Snapshot:
    """Record all state reachable from the student's globals and from `function`.

    `only` limits the walk to one root (a global's name, or `<function>`), for speed.
    """
    walk = Walk(student, saving)
    for prefix, space in student.spaces:
        if only is None:
            walk.on_undo(state.of_dict(space))
        for name, value in list(space.items()):
            root = f"{prefix}{name}"
            if name not in _SKIP_GLOBALS and only in (None, root):
                walk.shot.homes[root] = (space, name)
                walk.add(root, value, "global")
    if only in (None, "<function>"):
        walk.add("<function>", function, "global")
    return walk.shot


def snapshot_values(
    student: StudentModule, values: Iterable[tuple[str, object]], kind: str
) -> Snapshot:
    """Record all state reachable from named values; a path begins with the name."""
    walk = Walk(student)
    for name, value in values:
        walk.add(name, value, kind)
    return walk.shot


def argument_path(position: int) -> str:
    """Return the path of an argument, counted from 1."""
    return f"argument {position}"


def snapshot_arguments(student: StudentModule, args: tuple) -> Snapshot:
    named = ((argument_path(i), value) for i, value in enumerate(args, 1))
    return snapshot_values(student, named, "argument")
