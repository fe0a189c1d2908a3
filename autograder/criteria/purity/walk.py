"""Records what a function can reach, as a map from path to token, and restores it.

A walk goes from named roots through everything that can be reached: `counts['a']`,
`step.<closure n>`, `model.w`. It reads what it knows by name. An object that no reader knows is
followed by what the garbage collector says it refers to, so nothing hides in an iterator, a view
of a dict or a slice. It enters objects of JAX and NumPy only where they hold the student's.
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
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import (
    Token,
    class_name,
    digest,
    instance_dict,
    is_tracer,
    leaf_token,
    members,
    slots,
)
from autograder.programs import jax_access

_MAX_PATHS, _MAX_PATH, _COPY_BYTES = 20_000, 1_000, 1 << 24
_BEYOND = "what lies deep inside"
ARGUMENT = "argument "
_STRUCTURE = type(jax_access.flatten(None)[1])
_LRU = type(functools.lru_cache(lambda: 0))
_ITERATING = ("builtins", "itertools", "_collections")
_PLAIN = (str, int, float, bool, bytes, type(None))
# A figure refers to the notebook's front end, and so to event loops that other threads run. What
# these threads change is not the student's doing, and restoring it would break them.
_FRONT_END_NAMES = """
    IPython ipykernel ipywidgets comm jupyter_client traitlets zmq tornado asyncio _asyncio
    selectors concurrent socket matplotlib mpl_toolkits matplotlib_inline PIL pytest _pytest rich
"""
_FRONT_END = frozenset(_FRONT_END_NAMES.split())
_LIBRARIES = _FRONT_END | {"jax", "jaxlib", "numpy", "optax", "logging", "re", "typing"}
_CONTAINERS = (collections.OrderedDict, dict, list, tuple, collections.deque, set, frozenset)
_NOT_FOLLOWED = (type, types.ModuleType, types.CodeType, types.FrameType)


@dataclass
class Snapshot:
    """Holds tokens by path.

    Attributes:
        tokens: by path.
        origins: the kind of object that holds the value, and the root of the path.
        homes: the dict, list, class or cell that holds a value, its key, and the value.
        undo: steps that restore what was seen.
        keep: the objects that were seen, so that no `id` is used again.
    """

    tokens: dict[str, Token] = field(default_factory=dict)
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
    homes: dict[str, tuple[Any, Any, Any]] = field(default_factory=dict)
    undo: list[Callable[[], None]] = field(default_factory=list)
    keep: list[Any] = field(default_factory=list)

    def restore(self) -> None:
        """Restore every container and array seen, as far as Python allows."""
        for undo in self.undo:
            with contextlib.suppress(Exception):
                undo()

    def below(self, path: str) -> dict[str, Token]:
        """Return the tokens at and below a path, by the rest of their paths."""
        return {p[len(path) :]: token for p, token in self.tokens.items() if inside(p, path)}

    def first(self, path: str) -> str:
        """Return the path at which the same object was seen first."""
        token = self.tokens.get(path, ())
        return token[1] if token[:1] == ("same",) else path

    def content(self, path: str) -> dict[str, Token]:
        """Return what is below a path; an alias has what it is an alias of."""
        return self.below(self.first(path))


@dataclass(frozen=True)
class Change:
    """A difference between two maps: a path, its tokens, and their origin."""

    path: str
    before: Token | None
    after: Token | None
    kind: str
    root: str

    @property
    def of_argument(self) -> bool:
        """Whether an argument changes, and not what stays from call to call."""
        return self.root.startswith(ARGUMENT)

    @property
    def of_process(self) -> bool:
        """Whether an item of the process changes: the names of these roots have a gap."""
        return "{" in self.root

    @property
    def became(self) -> str | None:
        """The kind of the value now; None if the value is gone."""
        return self.after[0] if self.after is not None else None

    @property
    def leaks(self) -> bool:
        """Whether a tracer is left. If it was one before, the trace of the program has left it."""
        return "tracer" in (self.became, (self.before or ("",))[0])


def inside(path: str, outer: str) -> bool:
    """Check whether a path equals another one, or leads through it."""
    return path.startswith(outer) and (len(path) == len(outer) or path[len(outer)] in ".[<({")


def changes(before: Snapshot, after: Snapshot) -> list[Change]:
    """List what differs, outermost paths first, each cause once.

    An object that an equal one has replaced is no difference, whoever else refers to it.
    """
    differing = [
        path
        for path in {**before.tokens, **after.tokens}
        if before.tokens.get(path) != after.tokens.get(path)
        and not (path.startswith("<class ") and path not in before.tokens)
        and not (path.startswith("threading.") and path not in after.tokens)  # one may end
    ]
    kept: list[Change] = []
    equal: list[str] = []
    for path in sorted(differing, key=lambda path: (len(path), path)):
        old, new = before.tokens.get(path), after.tokens.get(path)
        if any(inside(path, p) for p in equal):
            continue
        is_alias = bool(old and new) and "same" in (old[0], new[0])  # type: ignore[index]
        if is_alias and before.content(path) == after.content(path):
            equal.append(path)
            continue
        origin = after.origins.get(path) or before.origins[path]
        change = Change(path, old, new, *origin)
        if change.became == "tracer" or not any(inside(path, k.path) for k in kept):
            kept.append(change)
    return kept


def _base_of(container: object) -> Any:
    """Return the builtin class of a container, whose methods no subclass has changed."""
    return next(base for base in _CONTAINERS if issubclass(type(container), base))


def of_items(target: Any) -> Callable[[], None]:
    """Return a step that restores the items of a container and their order, if they change."""
    base = _base_of(target)
    of_pairs = issubclass(base, dict)
    saved = list((base.items if of_pairs else base.__iter__)(target))

    def back() -> None:
        now = list((base.items if of_pairs else base.__iter__)(target))
        flat = [itertools.chain(*x) if of_pairs else x for x in (now, saved)]
        if len(now) != len(saved) or not all(map(operator.is_, *flat)):
            base.clear(target)
            (base.update if hasattr(base, "update") else base.extend)(target, saved)

    return back


def _of_array(target: np.ndarray) -> Callable[[], None]:
    saved = np.ndarray.copy(target)

    def back() -> None:
        if np.ndarray.tobytes(target) != np.ndarray.tobytes(saved):
            np.ndarray.__setitem__(target, ..., saved)

    return back


def _of_attributes(
    target: object, read: Callable[[], dict], owner: Any = object
) -> Callable[[], None]:
    saved = dict(read())

    def back() -> None:
        now = read()
        for name in now.keys() - saved.keys():
            owner.__delattr__(target, name)
        for name in (n for n in saved if n not in now or now[n] is not saved[n]):
            owner.__setattr__(target, name, saved[name])

    return back


def put(home: Any, key: Any, value: Any) -> None:
    """Set the value at a home."""
    if type(home) is types.CellType:
        home.cell_contents = value
    elif issubclass(type(home), list):
        list.__setitem__(home, key, value)
    elif isinstance(home, type):
        type.__setattr__(home, key, value)
    else:
        dict.__setitem__(home, key, value)


class Walk:
    """Fills the snapshot `shot`; `saving` also records how to restore it."""

    def __init__(self, student: StudentModule, saving: bool = False) -> None:
        self.student = student
        self.saving = saving
        self.shot = Snapshot()
        self._seen: dict[int, str] = {}
        self._root = ""
        self._todo: collections.deque[tuple[str, Any, str]] = collections.deque()

    def add(self, root: str, value: object, kind: str) -> None:
        """Walk everything that can be reached from a value, the nearest first."""
        self._root = root
        self._into(root, value, kind)
        while self._todo:
            path, item, item_kind = self._todo.popleft()
            real = type(item)
            reader = next((r for known, r in _READERS if issubclass(real, known)), Walk._object)
            reader(self, path, item, item_kind)

    def on_undo(self, step: Callable[[], None]) -> None:
        """Keep a step that restores what was found, if this walk saves."""
        if self.saving:
            self.shot.undo.append(step)

    def _token(self, path: str, token: Token, kind: str) -> None:
        if len(self.shot.tokens) > _MAX_PATHS or len(path) > _MAX_PATH:
            path, before = _BEYOND, self.shot.tokens.get(_BEYOND)
            token = ("many", digest(repr((before, token)).encode()))
        self.shot.tokens[path] = token
        self.shot.origins[path] = kind, self._root

    def _into(self, path: str, value: Any, kind: str) -> None:
        path = path if len(path) <= _MAX_PATH else path[: _MAX_PATH + 1]
        token = leaf_token(value)
        if token is not None:
            owner = value
            while issubclass(type(owner), np.ndarray) and owner.base is not None:
                owner = owner.base
            if issubclass(type(owner), np.ndarray):  # arrays may share memory, which can change
                token = (*token, self._seen.setdefault(id(owner), path))
                self.shot.keep.append(owner)
            if self.saving and type(value) is np.ndarray and value.flags.writeable:
                self.shot.keep.append(value)
                if value.nbytes < _COPY_BYTES:
                    self.on_undo(_of_array(value))
            self._token(path, token, kind)
        elif id(value) in self._seen:
            self._token(path, ("same", self._seen[id(value)]), kind)
        else:
            self._seen[id(value)] = path
            self.shot.keep.append(value)
            self._todo.append((path, value, kind))

    def _held(self, path: str, home: Any, key: Any, value: Any, kind: str) -> None:
        self.shot.homes[path] = home, key, value
        self._into(path, value, kind)

    def _named(self, path: str, items: Iterable[tuple[object, Any]], kind: str) -> None:
        for name, item in items:
            self._into(f"{path}.{name}", item, kind)

    # What has parts with names

    def _dict(self, path: str, value: dict, kind: str) -> None:
        self.on_undo(of_items(value))
        base = _base_of(value)
        order = "".join(repr(key) for key in base.keys(value) if type(key) in _PLAIN)
        self._token(path, ("dict", dict.__len__(value), digest(order.encode())), kind)
        for i, (key, item) in enumerate(list(base.items(value))):
            parts = key if type(key) is tuple else (key,)
            plain = all(type(part) in _PLAIN for part in parts)
            entry = f"{path}[{repr(key) if plain else f'key {i}'}]"
            self._held(entry, value, key, item, kind)
            if not plain:
                self._into(f"{path}<key {i}>", key, kind)
        self._attributes(path, value)

    def _sequence(self, path: str, value: Any, kind: str) -> None:
        base = _base_of(value)
        if base not in (tuple, frozenset):
            self.on_undo(of_items(value))
        self._token(path, (base.__name__, base.__len__(value)), kind)
        names: Any = members(type(value)).get("_fields") if base is tuple else None
        for i, item in enumerate(list(base.__iter__(value))):  # a set's order can be read, too
            is_named = type(names) is tuple and i < len(names)
            entry = path + (f".{names[i]}" if is_named else f"[{i}]")
            if base is list:
                self.shot.homes[entry] = (value, i, item)
            self._into(entry, item, kind)
        self._attributes(path, value)

    def _object_array(self, path: str, value: Any, kind: str) -> None:
        if type(value) is np.void:
            self._into(path, np.void.item(value), kind)
            return
        self.on_undo(_of_array(value))
        self._token(path, ("array", "object", value.shape), kind)
        for i, item in enumerate(np.ndarray.ravel(value).tolist()):
            self._into(f"{path}.flat[{i}]", item, kind)

    def _module(self, path: str, value: types.ModuleType, kind: str) -> None:
        self._token(path, ("module", value.__dict__.get("__name__")), kind)

    def _function(self, path: str, value: types.FunctionType, kind: str) -> None:
        own = self.student.owns_function(value)
        self._token(path, ("function", id(value.__code__)), kind)
        if own:
            names = ("__code__", "__defaults__", "__kwdefaults__")
            self.on_undo(_of_attributes(value, lambda: {n: getattr(value, n) for n in names}))
            values, code = value.__defaults__ or (), value.__code__
            first = code.co_argcount - len(values)
            named = zip(code.co_varnames[max(first, 0) : code.co_argcount], values, strict=False)
            defaults = [*named, *(value.__kwdefaults__ or {}).items()]
            self._named(path, ((f"<default {name}>", item) for name, item in defaults), "default")
        names = value.__code__.co_freevars
        for name, cell in zip(names, value.__closure__ or (), strict=True):
            if own or self._holds_students(cell):
                self._into(f"{path}.<closure {name}>", cell, "closure")
        self._public(path, value, whole=own)

    def _holds_students(self, cell: types.CellType) -> bool:
        """Check whether a library's function holds what may lead to the student's."""
        try:
            inner = cell.cell_contents
        except ValueError:
            return False
        held = inner if type(inner) in (list, tuple) else [inner]  # as what optax returns does
        return any(
            (self.student.owns_function(item) or bool(item.__closure__))
            if type(item) is types.FunctionType
            else is_tracer(item)
            or type(item) in (_STRUCTURE, types.BuiltinMethodType)
            or self.student.owns_type(type(item))
            for item in held
        )

    def _public(self, path: str, value: Any, whole: bool = False) -> None:
        """Walk the attributes of a function, or of a library's object: plain data, functions."""
        attributes = instance_dict(value)
        found = {} if attributes is None else attributes
        inner = getattr(value, "__wrapped__", None)
        if inner is not None:
            self._into(f"{path}.__wrapped__", inner, "global")
        for name, item in list(found.items()):
            plain = leaf_token(item) is not None or type(item) in (dict, list, set, tuple)
            plain = plain and callable(value) and not name.startswith("_")
            is_function = type(item) is types.FunctionType and type(value) is not type(item)
            if name != "__wrapped__" and (whole or plain or is_function or is_tracer(item)):
                self._held(f"{path}.{name}", found, name, item, "function attribute")
        if callable(value):
            self.on_undo(of_items(found))

    def _lru_cache(self, path: str, value: Any, kind: str) -> None:
        size = value.cache_info().currsize
        self._token(path, ("lru_cache", size), "cache")
        held = jax_access.referents(value)
        results = {  # a cache with a limit refers to them in the order of their last use
            id(key): result
            for key, result, link in zip(held, held[1:], held[2:], strict=False)
            if type(link) is type and link.__name__ == "_lru_list_elem"
        }
        for kept in held:
            if type(kept) is dict and "__wrapped__" not in kept and "__builtins__" not in kept:
                for i, (key, result) in enumerate(list(kept.items())):
                    self._into(f"{path}<result {i}>", results.get(id(key), result), "cache")
                    self._into(f"{path}<call {i}>", key, "cache")
        self.on_undo(lambda: value.cache_clear() if value.cache_info().currsize != size else None)
        self._into(f"{path}.__wrapped__", value.__wrapped__, "global")
        self._attributes(path, value, "function attribute")

    def _cell(self, path: str, value: types.CellType, kind: str) -> None:
        if value != types.CellType():  # empty
            saved = value.cell_contents
            self.on_undo(lambda: setattr(value, "cell_contents", saved))
            self._held(path, value, None, saved, "closure")

    def _class(self, path: str, value: type, kind: str) -> None:
        self._token(path, ("class", class_name(value)), "class")
        if self.student.owns_type(value):
            self.on_undo(_of_attributes(value, lambda: members(value), type))
            for name, item in members(value).items():
                self._held(f"{path}.{name}", value, name, item, "class")
            bases = [base for base in value.__mro__[1:-1] if self.student.owns_type(base)]
            self._named(path, ((f"<base {b.__qualname__}>", b) for b in bases), "class")

    def _structure(self, path: str, value: Any, kind: str) -> None:
        self._named(path, [("<aux>", (value.node_data() or (None, None))[1])], kind)
        self._named(path, enumerate(value.children()), kind)

    def _attributes(self, path: str, value: object, kind: str = "instance") -> None:
        """Walk what any object holds in its `__dict__` and its slots."""
        found = instance_dict(value)
        if found is not None:
            for name, item in list(found.items()):
                if name != "__wrapped__":
                    self._held(f"{path}.{name}", found, name, item, kind)
            self.on_undo(of_items(found))
        for name, slot in slots(type(value)):
            with contextlib.suppress(AttributeError):
                item = slot.__get__(value)
                self._into(f"{path}.{name}", item, kind)
                self.on_undo(lambda s=slot, i=item: s.__set__(value, i))

    def _context(self, path: str, value: Any, kind: str) -> None:
        if type(value) is contextvars.ContextVar:
            self._into(f"{path}.<context value>", value.get(None), "context")
            return
        found = threading.local.__getattribute__(value, "__dict__")
        self.on_undo(of_items(found))
        self._named(path, list(found.items()), "context")

    def _weak(self, path: str, value: Any, kind: str) -> None:
        self._into(f"{path}()", weakref.ref.__call__(value), kind)

    def _ref(self, path: str, value: Any, kind: str) -> None:
        saved = value[...]
        self._into(f"{path}[...]", saved, kind)
        self.on_undo(lambda: value.__setitem__(..., saved))

    def _random(self, path: str, value: Any, kind: str) -> None:
        if type(value) is random.SystemRandom:
            return
        is_new = issubclass(type(value), np.random.Generator)
        owner = value.bit_generator if is_new else value
        now = owner.state if is_new else getattr(owner, "getstate", owner.__getstate__)()
        put = getattr(owner, "setstate", owner.__setstate__)
        self.on_undo(lambda: setattr(owner, "state", now) if is_new else put(now))
        self._token(path, ("random state", digest(repr(now).encode())), "random")

    # What has none: what it keeps in C, and what it refers to

    def _object(self, path: str, value: Any, kind: str) -> None:
        real, home = type(value), str(type(value).__module__).partition(".")[0]
        is_own = self.student.owns_type(real)
        if home in _LIBRARIES and not is_own and real is not np.flatiter:
            self._token(path, ("library object", real.__qualname__), kind)
            if home not in _FRONT_END:
                self._public(path, value)
            return
        is_iterator = home in _ITERATING and hasattr(real, "__next__")
        kind = "iterator" if is_iterator else kind
        self._token(path, ("object", real.__qualname__, *_own_state(value)), kind)
        if is_own:
            self._into(f"<class {real.__qualname__}>", real, "class")
        self._attributes(path, value)
        if is_iterator:
            with contextlib.suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for i, part in enumerate(value.__reduce__()[1:]):
                    self._into(f"{path}<part {i}>", part, kind)
        attributes = instance_dict(value)
        for i, item in enumerate(jax_access.referents(value)):
            is_new = item is not attributes and id(item) not in self._seen
            if is_new and not isinstance(item, _NOT_FOLLOWED):
                self._into(f"{path}<{i}>", item, kind)


_C_STATE: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (itertools.count, repr),
    (np.flatiter, lambda it: it.index),
    (types.GeneratorType, lambda it: it.gi_frame.f_lasti if it.gi_frame else -1),
    (io.StringIO, lambda io: io.closed or digest(io.getvalue().encode())),
    (io.BytesIO, lambda io: io.closed or digest(io.getvalue())),
)


def _own_state(value: Any) -> Token:
    """Return what an object of Python's own keeps in C: a position, a text, a buffer, a lock."""
    real = type(value)
    by_kind = next((read for known, read in _C_STATE if real is known), None)
    if by_kind is not None:
        return (by_kind(value),)
    if real.__module__ in _ITERATING and hasattr(real, "__next__"):
        return (operator.length_hint(value, -1),)
    if real.__module__ in ("_thread", "threading") and hasattr(real, "locked"):
        return (bool(value.locked()),)
    try:
        with memoryview(value) as view:
            return (digest(bytes(view)),)
    except (TypeError, ValueError, BufferError):
        return ()


_READERS: tuple[tuple[Any, Callable[[Walk, str, Any, str], None]], ...] = (
    (dict, Walk._dict),
    (_CONTAINERS, Walk._sequence),
    ((np.ndarray, np.void), Walk._object_array),  # of objects: all others are leaves
    (types.FunctionType, Walk._function),
    (types.ModuleType, Walk._module),
    (type, Walk._class),
    (types.CellType, Walk._cell),
    (_LRU, Walk._lru_cache),
    (_STRUCTURE, Walk._structure),
    ((random.Random, np.random.Generator, np.random.RandomState), Walk._random),
    ((contextvars.ContextVar, threading.local), Walk._context),
    (weakref.ref, Walk._weak),
    (jax_access.Ref, Walk._ref),
)
"""What is read by name. Everything else is an object that is followed."""


def snapshot(
    student: StudentModule, function: object, saving: bool = False, only: str | None = None
) -> Snapshot:
    """Record all state reachable from the student's globals, `function` and used libraries.

    `only` limits the walk to one root (a global's name, or `<function>`), for speed.
    """
    walk = Walk(student, saving)
    for space, name, root in student.names(only):
        walk.shot.homes[root] = (space, name, space[name])
        walk.add(root, space[name], "global")
    if only is None:
        for _, space in student.spaces:
            walk.on_undo(of_items(space))
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


def snapshot_arguments(student: StudentModule, args: tuple) -> Snapshot:
    """Return the state of a call's arguments, and of what they refer to."""
    return snapshot_values(
        student, ((f"{ARGUMENT}{i}", value) for i, value in enumerate(args, 1)), "argument"
    )
