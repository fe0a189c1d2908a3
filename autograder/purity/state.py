"""Deep snapshots of everything a student's function can reach, and the way back.

A snapshot maps paths (`counts['a']`, `step.<closure n>`, `model.w`) to tokens. Containers,
arrays, closures, defaults, classes and instances of the student's are walked; library objects
only as far as they hold something of the student's.
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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.purity import trusted
from autograder.purity.student import Student
from autograder.purity.values import Token, digest, is_array, is_tracer, leaf_token

_MAX_PATHS = 20_000
# A figure leads to the notebook's front end and from there to event loops, which other threads run:
# what these change meanwhile is nobody's impurity, and putting it back would break them.
_FRONT_END = """
    IPython ipykernel ipywidgets comm jupyter_client traitlets zmq tornado asyncio _asyncio
    selectors concurrent socket matplotlib mpl_toolkits matplotlib_inline PIL pytest _pytest rich
"""
_MACHINERY = frozenset(_FRONT_END.split())
_MAX_DEPTH = 40
_COPY_BYTES = 1 << 24
_INTERPRETER = """
    __builtins__ __loader__ __spec__ __cached__ __doc__ __warningregistry__ __file__
    In Out _ih _oh _dh _i _ii _iii _ __ ___ get_ipython exit quit
"""
_CLASS_MACHINERY = """
    __weakref__ __doc__ __module__ __annotations__ __abstractmethods__ _abc_impl
    __dataclass_params__ __dataclass_fields__ __match_args__ __parameters__ __orig_bases__
    __annotate__ __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__
    __qualname__ __slots__
"""
_SKIP_GLOBALS = frozenset(_INTERPRETER.split())
_SKIP_MEMBERS = frozenset(_CLASS_MACHINERY.split())
_LRU = type(functools.lru_cache(lambda: 0))
_ITERATOR_MODULES = ("builtins", "itertools")


@dataclass
class Snapshot:
    """Tokens by path; `kinds` says what sort of home each path has; `undo` goes back."""

    tokens: dict[str, Token] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)
    # Where a value sits: a dict and its key, or an object and an attribute of it.
    homes: dict[str, tuple[object, object]] = field(default_factory=dict)
    undo: list[Callable[[], None]] = field(default_factory=list)
    keep: list[object] = field(default_factory=list)

    def restore(self) -> None:
        """Put back the contents of every container and array seen, as far as Python allows."""
        for step in self.undo:
            with contextlib.suppress(Exception):
                step()


def instance_dict(value: object) -> dict | None:
    """The real `__dict__` of an object, past any `__getattribute__` or property."""
    for cls in type(value).__mro__:
        slot = type.__dict__["__dict__"].__get__(cls).get("__dict__")  # type: ignore[attr-defined]
        if type(slot) is types.GetSetDescriptorType:
            found = slot.__get__(value)
            return found if issubclass(type(found), dict) else None
    with contextlib.suppress(Exception):
        found = object.__getattribute__(value, "__dict__")
        return found if type(found) is dict else None
    return None


def members(cls: type) -> dict[str, object]:
    found = type.__dict__["__dict__"].__get__(cls)  # type: ignore[attr-defined]
    return {
        k: v
        for k, v in found.items()
        if k not in _SKIP_MEMBERS and type(v) is not types.GetSetDescriptorType
    }


def _undo_dict(target: dict) -> Callable[[], None]:
    ordered = issubclass(type(target), collections.OrderedDict)
    base: Any = collections.OrderedDict if ordered else dict
    saved = list(base.items(target))

    def back() -> None:
        now = list(base.items(target))
        if len(now) == len(saved) and all(
            a[0] is b[0] and a[1] is b[1] for a, b in zip(now, saved, strict=True)
        ):
            return
        base.clear(target)
        for key, value in saved:
            base.__setitem__(target, key, value)

    return back


def _undo_sequence(target) -> Callable[[], None]:
    base = list if issubclass(type(target), list) else collections.deque
    saved = list(base.__iter__(target))

    def back() -> None:
        if list(map(id, base.__iter__(target))) != list(map(id, saved)):
            base.clear(target)
            base.extend(target, saved)

    return back


def _undo_set(target: set) -> Callable[[], None]:
    saved = set(set.__iter__(target))

    def back() -> None:
        if len(saved) != set.__len__(target) or not saved.issuperset(set.__iter__(target)):
            set.clear(target)
            set.update(target, saved)

    return back


def _undo_array(target: np.ndarray) -> Callable[[], None]:
    saved = target.copy()

    def back() -> None:
        if target.tobytes() != saved.tobytes():
            target[...] = saved

    return back


def _undo_objects(target: np.ndarray) -> Callable[[], None]:
    saved = list(target.flat)

    def back() -> None:
        for i, value in enumerate(saved):
            if target.flat[i] is not value:
                target.flat[i] = value

    return back


def _undo_stream(target: Any) -> Callable[[], None]:
    saved, at = target.getvalue(), target.tell()

    def back() -> None:
        target.seek(0)
        target.truncate()
        target.write(saved)
        target.seek(at)

    return back


def _undo_class(cls: type) -> Callable[[], None]:
    saved = members(cls)

    def back() -> None:
        now = members(cls)
        for name in now.keys() - saved.keys():
            type.__delattr__(cls, name)
        for name, value in saved.items():
            if name not in now or now[name] is not value:
                type.__setattr__(cls, name, value)

    return back


def _undo_cell(cell: types.CellType) -> Callable[[], None]:
    saved = cell.cell_contents

    def back() -> None:
        cell.cell_contents = saved

    return back


def _undo_function(function: types.FunctionType) -> Callable[[], None]:
    names = ("__code__", "__defaults__", "__kwdefaults__")
    saved = {name: getattr(function, name) for name in names}

    def back() -> None:
        for name, value in saved.items():
            if getattr(function, name) is not value:
                setattr(function, name, value)

    return back


class Walker:
    """One walk over the reachable state; `saving` also records how to restore it."""

    def __init__(self, student: Student, saving: bool = False) -> None:
        self.student = student
        self.saving = saving
        self.shot = Snapshot()
        self.seen: dict[int, str] = {}
        self.root = ""

    def add(self, root: str, value: object, kind: str) -> None:
        self.root = root
        self.walk(root, value, kind, 0)

    def token(self, path: str, token: Token, kind: str) -> None:
        self.shot.tokens[path] = token
        self.shot.kinds[path] = kind
        self.shot.roots[path] = self.root

    def on_undo(self, step: Callable[[], None]) -> None:
        if self.saving:
            self.shot.undo.append(step)

    def walk(self, path: str, value: object, kind: str, depth: int) -> None:
        if depth > _MAX_DEPTH or len(self.shot.tokens) > _MAX_PATHS:
            return
        token = leaf_token(value)
        if token is not None:
            if self.saving and type(value) is np.ndarray and value.flags.writeable:
                self._once(value)
                if value.nbytes < _COPY_BYTES:
                    self.on_undo(_undo_array(value))
            self.token(path, token, kind)
            return
        if id(value) in self.seen:
            self.token(path, ("same", self.seen[id(value)]), kind)
            return
        self.seen[id(value)] = path
        self.shot.keep.append(value)
        self.parts(path, value, kind, depth + 1)

    def _once(self, value: object) -> None:
        self.shot.keep.append(value)

    def parts(self, path: str, value, kind: str, depth: int) -> None:
        real = type(value)
        if issubclass(real, dict):
            self.mapping(path, value, kind, depth)
        elif issubclass(real, (list, tuple, collections.deque)):
            self.sequence(path, value, kind, depth)
        elif issubclass(real, (set, frozenset)):
            self.elements(path, value, kind, depth)
        elif issubclass(real, np.ndarray):
            self.on_undo(_undo_objects(value))
            self.token(path, ("array", "object", value.shape), kind)
            for i, item in enumerate(value.flat):
                self.walk(f"{path}.flat[{i}]", item, kind, depth)
        elif real is types.FunctionType:
            self.function(path, value, kind, depth)
        elif real is types.MethodType:
            self.walk(f"{path}.__self__", value.__self__, "instance", depth)
            self.walk(f"{path}.__func__", value.__func__, kind, depth)
        elif issubclass(real, functools.partial):
            self.walk(f"{path}.func", value.func, kind, depth)
            self.walk(f"{path}.args", value.args, kind, depth)
            self.walk(f"{path}.keywords", value.keywords, kind, depth)
        elif real is _LRU:
            self.lru_cache(path, value, depth)
        elif issubclass(real, types.ModuleType):
            self.token(path, ("module", value.__dict__.get("__name__")), kind)
        elif issubclass(real, type):
            self.a_class(path, value, depth)
        elif real is types.CellType:
            self.cell(path, value, depth)
        elif real is types.GeneratorType:
            self.generator(path, value, depth)
        elif not self.special(path, value, kind, depth):
            self.instance(path, value, kind, depth)

    def mapping(self, path: str, value: dict, kind: str, depth: int) -> None:
        self.on_undo(_undo_dict(value))
        self.token(path, ("dict", dict.__len__(value)), kind)
        for i, (key, item) in enumerate(list(dict.items(value))):
            plain = type(key) in (str, int, float, bool, bytes, type(None)) or (
                type(key) is tuple and all(type(k) in (str, int, float, bool) for k in key)
            )
            place = f"{path}[{repr(key) if plain else f'key {i}'}]"
            self.shot.homes[place] = (value, key)
            self.walk(place, item, kind, depth)
            if not plain:
                self.walk(f"{path}<key {i}>", key, kind, depth)
        self.attributes(path, value, "instance", depth)

    def sequence(self, path: str, value, kind: str, depth: int) -> None:
        base = next(b for b in (list, tuple, collections.deque) if issubclass(type(value), b))
        if base is not tuple:
            self.on_undo(_undo_sequence(value))
        self.token(path, (base.__name__, base.__len__(value)), kind)
        names = type.__dict__["__dict__"].__get__(type(value)).get("_fields", ())  # type: ignore[attr-defined]
        for i, item in enumerate(list(base.__iter__(value))):
            step = f".{names[i]}" if i < len(names) and type(names) is tuple else f"[{i}]"
            self.walk(path + step, item, kind, depth)
        self.attributes(path, value, "instance", depth)

    def elements(self, path: str, value, kind: str, depth: int) -> None:
        base = set if issubclass(type(value), set) else frozenset
        if base is set:
            self.on_undo(_undo_set(value))
        items = list(base.__iter__(value))
        leaves = sorted(repr(leaf_token(item)) for item in items)
        self.token(path, (base.__name__, len(items), digest("".join(leaves).encode())), kind)
        for i, item in enumerate(items):
            if is_tracer(item) or leaf_token(item) is None:
                self.walk(f"{path}{{{i}}}", item, kind, depth)

    def function(self, path: str, value: types.FunctionType, kind: str, depth: int) -> None:
        own = self.student.owns_function(value)
        if own:
            self.on_undo(_undo_function(value))
            self.token(path, ("function", id(value.__code__)), kind)
            for i, item in enumerate(value.__defaults__ or ()):
                self.walk(f"{path}.<default {i}>", item, "default", depth)
            for name, item in (value.__kwdefaults__ or {}).items():
                self.walk(f"{path}.<default {name}>", item, "default", depth)
        names = value.__code__.co_freevars
        for name, cell in zip(names, value.__closure__ or (), strict=True):
            if own or self.holds_student(cell):
                self.walk(f"{path}.<closure {name}>", cell, "closure", depth)
        for name, item in list(value.__dict__.items()):
            if own or name == "__wrapped__" or is_tracer(item):
                self.shot.homes[f"{path}.{name}"] = (value.__dict__, name)
                self.walk(f"{path}.{name}", item, "function attribute", depth)
        if own:
            self.on_undo(_undo_dict(value.__dict__))

    def holds_student(self, cell: types.CellType) -> bool:
        try:
            inner = cell.cell_contents
        except ValueError:
            return False
        if type(inner) is types.FunctionType:
            return self.student.owns_function(inner)
        return is_tracer(inner) or self.student.owns_type(type(inner))

    def cell(self, path: str, value: types.CellType, depth: int) -> None:
        try:
            inner = value.cell_contents
        except ValueError:
            return
        self.on_undo(_undo_cell(value))
        self.walk(path, inner, "closure", depth)

    def lru_cache(self, path: str, value, depth: int) -> None:
        size = value.cache_info().currsize
        self.token(path, ("lru_cache", size), "cache")
        number = 0
        for held in trusted.referents(value):
            if type(held) is dict:
                if "__wrapped__" in held or "__builtins__" in held:
                    continue
                for key, item in list(held.items()):
                    if not type(item).__name__.startswith("_lru_list"):
                        self.walk(f"{path}<result {number}>", item, "cache", depth)
                        self.walk(f"{path}<call {number}>", key, "cache", depth)
                        number += 1
            elif held is not value.__wrapped__ and type(held) is not type:
                self.walk(f"{path}<result {number}>", held, "cache", depth)
                number += 1
        self.on_undo(lambda: value.cache_clear() if value.cache_info().currsize != size else None)
        self.walk(f"{path}.__wrapped__", value.__wrapped__, "global", depth)
        self.attributes(path, value, "function attribute", depth)

    def a_class(self, path: str, value: type, depth: int) -> None:
        self.token(path, ("class", type.__dict__["__qualname__"].__get__(value)), "class")  # type: ignore[attr-defined]
        if not self.student.owns_type(value):
            return
        self.on_undo(_undo_class(value))
        for name, item in members(value).items():
            if issubclass(type(item), (staticmethod, classmethod)):
                item = item.__func__  # type: ignore[attr-defined]
            elif type(item) is property:
                item = (item.fget, item.fset)
            elif type(item) is functools.cached_property:
                item = item.func
            elif type(item) in (types.MemberDescriptorType, types.GetSetDescriptorType):
                continue
            self.walk(f"{path}.{name}", item, "class", depth)
        for base in value.__mro__[1:-1]:
            if self.student.owns_type(base):
                self.walk(f"{path}.<base {base.__qualname__}>", base, "class", depth)

    def generator(self, path: str, value: types.GeneratorType, depth: int) -> None:
        frame = value.gi_frame
        self.token(path, ("generator", frame.f_lasti if frame else -1), "iterator")
        if frame is not None and self.student.owns_code(value.gi_code):
            for name, item in list(frame.f_locals.items()):
                self.walk(f"{path}.<local {name}>", item, "iterator", depth)

    def special(self, path: str, value, kind: str, depth: int) -> bool:
        """Objects of libraries whose state matters; False when `value` is none of them."""
        real = type(value)
        if real is itertools.count:
            self.token(path, ("iterator", repr(value)), "iterator")
        elif real.__module__ in _ITERATOR_MODULES and hasattr(real, "__next__"):
            self.iterator(path, value, depth)
        elif issubclass(real, random.Random):
            if real is random.SystemRandom:
                return True
            state = random.Random.getstate(value)
            self.token(path, ("random state", digest(repr(state).encode())), "random")
            self.on_undo(lambda: random.Random.setstate(value, state))
        elif issubclass(real, np.random.Generator):
            state = value.bit_generator.state
            self.token(path, ("random state", digest(repr(state).encode())), "random")
            self.on_undo(lambda: setattr(value.bit_generator, "state", state))
        elif issubclass(real, np.random.RandomState):
            state = value.get_state()
            self.token(path, ("random state", digest(repr(state).encode())), "random")
            self.on_undo(lambda: value.set_state(state))
        elif real is contextvars.ContextVar:
            self.walk(f"{path}.<context value>", value.get(None), "context", depth)
        elif issubclass(real, threading.local):
            found = threading.local.__getattribute__(value, "__dict__")
            self.on_undo(_undo_dict(found))
            for name, item in list(found.items()):
                self.walk(f"{path}.{name}", item, "context", depth)
        elif issubclass(real, weakref.ref):
            self.walk(f"{path}()", weakref.ref.__call__(value), kind, depth)
        elif real in (io.StringIO, io.BytesIO) and not value.closed:
            text, at = value.getvalue(), value.tell()
            self.token(path, ("stream", digest(repr((text, at)).encode())), kind)
            self.on_undo(_undo_stream(value))
        elif trusted.Ref is not None and issubclass(real, trusted.Ref):
            saved = value[...]
            self.walk(f"{path}[...]", saved, kind, depth)
            self.on_undo(lambda: value.__setitem__(..., saved))
        elif issubclass(real, BaseException):
            self.token(path, ("exception", real.__name__), kind)
            self.walk(f"{path}.args", BaseException.args.__get__(value), "instance", depth)  # type: ignore[attr-defined]
            self.attributes(path, value, "instance", depth)
        elif real is types.MappingProxyType:
            for held in trusted.referents(value):
                self.walk(path, held, kind, depth)
        elif real.__module__ in ("_thread", "threading") and hasattr(value, "locked"):
            self.token(path, ("lock", bool(value.locked())), kind)
        else:
            return self.buffer(path, value, kind)
        return True

    def iterator(self, path: str, value, depth: int) -> None:
        self.token(path, ("iterator", operator.length_hint(value, -1)), "iterator")
        with contextlib.suppress(Exception), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for i, part in enumerate(value.__reduce__()[1:]):
                self.walk(f"{path}<{i}>", part, "iterator", depth)

    def buffer(self, path: str, value: object, kind: str) -> bool:
        try:
            with memoryview(value) as view:  # type: ignore[arg-type]
                self.token(path, ("buffer", digest(bytes(view))), kind)
        except (TypeError, ValueError, BufferError):
            return False
        return True

    def instance(self, path: str, value: object, kind: str, depth: int) -> None:
        real = type(value)
        if is_array(value):
            return
        if self.student.owns_type(real):
            self.token(path, ("object", real.__qualname__), kind)
            self.walk(f"<class {real.__qualname__}>", real, "class", depth)
            self.attributes(path, value, "instance", depth)
            if any("__dict__" in members(c) for c in real.__mro__ if self.student.owns_type(c)):
                for i, held in enumerate(trusted.referents(value)):
                    if held is not real:
                        self.walk(f"{path}.<held {i}>", held, "instance", depth)
            return
        home = (real.__module__ or "").split(".")[0]
        if home in _MACHINERY:
            self.token(path, ("library object", real.__qualname__), kind)
        elif home in ("jax", "jaxlib", "numpy", "optax", "logging", "re", "typing"):
            self.token(path, ("library object", real.__qualname__), kind)
            self.library(path, value, depth)
        else:
            self.token(path, ("object", real.__qualname__), kind)
            self.attributes(path, value, "instance", depth)

    def library(self, path: str, value: object, depth: int) -> None:
        """A jitted function, custom_vjp, ...: what it holds of the student's."""
        inner = getattr(value, "__wrapped__", None)
        if inner is not None:
            self.walk(f"{path}.__wrapped__", inner, "global", depth)
        found = instance_dict(value) or {}
        callable_too = callable(value)
        for name, item in list(found.items()):
            public = callable_too and not name.startswith("_")
            mine = public and (leaf_token(item) is not None or type(item) in (dict, list, set))
            if mine or type(item) is types.FunctionType or is_tracer(item):
                self.walk(f"{path}.{name}", item, "function attribute", depth)
        if callable_too and inner is not None:
            self.on_undo(_undo_dict(found))

    def attributes(self, path: str, value: object, kind: str, depth: int) -> None:
        found = instance_dict(value)
        if found:
            for name, item in list(found.items()):
                if name != "__wrapped__":
                    self.shot.homes[f"{path}.{name}"] = (value, name)
                    self.walk(f"{path}.{name}", item, kind, depth)
        if found is not None:
            self.on_undo(_undo_dict(found))
        for name, slot in _slots(type(value)):
            with contextlib.suppress(AttributeError):
                item = slot.__get__(value)
                self.walk(f"{path}.{name}", item, kind, depth)
                self.on_undo(lambda s=slot, i=item: s.__set__(value, i))


def _slots(cls: type) -> Iterator[tuple[str, types.MemberDescriptorType]]:
    for base in cls.__mro__:
        if type(base.__dict__.get("__slots__")) in (tuple, list, str):
            for name, slot in base.__dict__.items():
                if type(slot) is types.MemberDescriptorType:
                    yield name, slot


def snapshot(
    student: Student, function: object, saving: bool = False, only: str | None = None
) -> Snapshot:
    """All state reachable from the student's globals and from `function`.

    `only` limits the walk to one root (a global's name, or `<function>`), for speed.
    """
    walker = Walker(student, saving)
    if only is None and saving:
        walker.on_undo(_undo_dict(student.namespace))
    for name, value in list(student.namespace.items()):
        if name not in _SKIP_GLOBALS and only in (None, name):
            walker.shot.homes[name] = (student.namespace, name)
            walker.add(name, value, "global")
    if only in (None, "<function>"):
        walker.add("<function>", function, "global")
    return walker.shot


def snapshot_arguments(student: Student, args: tuple) -> Snapshot:
    walker = Walker(student)
    for i, value in enumerate(args):
        walker.add(f"argument {i + 1}", value, "argument")
    return walker.shot


@dataclass(frozen=True)
class Change:
    path: str
    before: Token | None
    after: Token | None
    kind: str
    root: str


def changes(before: Snapshot, after: Snapshot) -> list[Change]:
    """What differs, outermost paths first, each cause once."""
    found = [
        Change(
            path,
            before.tokens.get(path),
            after.tokens.get(path),
            after.kinds.get(path) or before.kinds[path],
            after.roots.get(path) or before.roots[path],
        )
        for path in {**before.tokens, **after.tokens}
        if before.tokens.get(path) != after.tokens.get(path)
        and not (path.startswith("<class ") and path not in before.tokens)
    ]
    found.sort(key=lambda c: (len(c.path), c.path))
    kept: list[Change] = []
    for change in found:
        tracer = change.after is not None and change.after[0] == "tracer"
        inside = any(
            change.path.startswith(k.path) and change.path[len(k.path)] in ".[<({" for k in kept
        )
        if tracer or not inside:
            kept.append(change)
    return kept
