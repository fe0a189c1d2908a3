"""Objects of libraries whose own state matters: iterators, generators of numbers, streams, locks.

None of them can be walked like an object, because what they hold is not in their attributes.
"""

from __future__ import annotations

import contextlib
import contextvars
import io
import itertools
import operator
import random
import threading
import types
import warnings
import weakref
from typing import Any

import numpy as np

from autograder.criteria.purity import trusted
from autograder.criteria.purity.state import undo
from autograder.criteria.purity.state.instances import attributes
from autograder.criteria.purity.state.walk import Walk
from autograder.criteria.purity.values import digest

_ITERATOR_MODULES = ("builtins", "itertools")


def special(walk: Walk, path: str, value: Any, kind: str, depth: int) -> bool:
    """Note such an object's state; False when `value` is none of them."""
    real = type(value)
    if real is itertools.count:
        walk.token(path, ("iterator", repr(value)), "iterator")
    elif real.__module__ in _ITERATOR_MODULES and hasattr(real, "__next__"):
        _iterator(walk, path, value, depth)
    elif issubclass(real, (random.Random, np.random.Generator, np.random.RandomState)):
        _random(walk, path, value)
    elif real is contextvars.ContextVar:
        walk.into(f"{path}.<context value>", value.get(None), "context", depth)
    elif issubclass(real, threading.local):
        found = threading.local.__getattribute__(value, "__dict__")
        walk.on_undo(undo.of_dict(found))
        for name, item in list(found.items()):
            walk.into(f"{path}.{name}", item, "context", depth)
    elif issubclass(real, weakref.ref):
        walk.into(f"{path}()", weakref.ref.__call__(value), kind, depth)
    elif real in (io.StringIO, io.BytesIO) and not value.closed:
        text, at = value.getvalue(), value.tell()
        walk.token(path, ("stream", digest(repr((text, at)).encode())), kind)
        walk.on_undo(undo.of_stream(value))
    elif trusted.Ref is not None and issubclass(real, trusted.Ref):
        saved = value[...]
        walk.into(f"{path}[...]", saved, kind, depth)
        walk.on_undo(lambda: value.__setitem__(..., saved))
    elif issubclass(real, BaseException):
        walk.token(path, ("exception", real.__name__), kind)
        walk.into(f"{path}.args", BaseException.args.__get__(value), "instance", depth)  # type: ignore[attr-defined]
        attributes(walk, path, value, "instance", depth)
    elif real is types.MappingProxyType:
        for held in trusted.referents(value):
            walk.into(path, held, kind, depth)
    elif real.__module__ in ("_thread", "threading") and hasattr(value, "locked"):
        walk.token(path, ("lock", bool(value.locked())), kind)
    else:
        return _buffer(walk, path, value, kind)
    return True


def _random(walk: Walk, path: str, value: Any) -> None:
    real = type(value)
    if real is random.SystemRandom:
        return
    if issubclass(real, random.Random):
        state = random.Random.getstate(value)
        walk.on_undo(lambda: random.Random.setstate(value, state))
    elif issubclass(real, np.random.Generator):
        state = value.bit_generator.state
        walk.on_undo(lambda: setattr(value.bit_generator, "state", state))
    else:
        state = value.get_state()
        walk.on_undo(lambda: value.set_state(state))
    walk.token(path, ("random state", digest(repr(state).encode())), "random")


def _iterator(walk: Walk, path: str, value: Any, depth: int) -> None:
    walk.token(path, ("iterator", operator.length_hint(value, -1)), "iterator")
    with contextlib.suppress(Exception), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i, part in enumerate(value.__reduce__()[1:]):
            walk.into(f"{path}<{i}>", part, "iterator", depth)


def _buffer(walk: Walk, path: str, value: object, kind: str) -> bool:
    try:
        with memoryview(value) as view:  # type: ignore[arg-type]
            walk.token(path, ("buffer", digest(bytes(view))), kind)
    except (TypeError, ValueError, BufferError):
        return False
    return True
