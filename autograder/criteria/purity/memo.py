"""Tells a harmless memo of static values from a write: both change state at the first call.

A memo is harmless when (1) a second call changes nothing, (2) every mode that starts cold
stores the same content, the trace included, so no array value went into it, and (3) a second
call reads what was stored instead of writing it again: a marker put in its place survives.
"""

from __future__ import annotations

import copy
import functools
import types
from typing import Any

import numpy as np

from autograder.criteria.purity.runs import Bench, Mode, Run
from autograder.criteria.purity.state import Change, Snapshot, inside
from autograder.criteria.purity.values import is_jax_array

_SUBCLASSES = {kind: type("Marked", (kind,), {}) for kind in (int, float, str, tuple, bytes)}
_GROWING = ("list", "set", "deque", "array", "buffer", "stream")


def _subtree(shot: Snapshot, path: str) -> dict[str, tuple]:
    return {p: t for p, t in shot.tokens.items() if inside(p, path)}


def _marker(value: Any) -> Any:
    """An equal value that is another object, or None when there can't be one."""
    kind = type(value)
    if kind in _SUBCLASSES:
        return _SUBCLASSES[kind](value)
    if kind is types.FunctionType:
        return types.FunctionType(
            value.__code__, value.__globals__, value.__name__, value.__defaults__, value.__closure__
        )
    if is_jax_array(value):
        return value.copy()
    if isinstance(value, (np.ndarray, list, dict)):
        return value.copy()
    if kind is functools.partial or callable(value):
        return functools.partial(value)
    if kind in (bool, type(None)):
        return None
    try:
        return copy.copy(value)
    except Exception:
        return None


def _get(home: tuple[object, Any]) -> Any:
    owner, key = home
    return dict.__getitem__(owner, key) if isinstance(owner, dict) else getattr(owner, key)


def _put(home: tuple[object, Any], value: Any) -> None:
    owner, key = home
    if isinstance(owner, dict):
        dict.__setitem__(owner, key, value)
    else:
        object.__setattr__(owner, key, value)


def _stored(start: Snapshot, after: Snapshot, change: Change) -> list[tuple[object, Any]] | None:
    """The places that were filled, outermost ones; None if something else changed as well."""
    places: dict[str, tuple[object, Any]] = {}
    differing = {
        p
        for p in {**start.tokens, **after.tokens}
        if inside(p, change.path) and start.tokens.get(p) != after.tokens.get(p)
    }
    for path in sorted(differing, key=len):
        before, now = start.tokens.get(path), after.tokens.get(path)
        if any(inside(path, p) for p in places):
            continue
        if before and now and before[0] == now[0] == "dict":
            continue  # its new entries follow
        grew = before and now and before[0] == now[0] and before[0] in _GROWING
        if now is None or grew or path not in after.homes:
            return None
        places[path] = after.homes[path]
    return list(places.values())


def is_static_memo(bench: Bench, change: Change, cold: list[Run], again: list[Run]) -> bool:
    """Whether `change`, seen in runs that started cold, is a harmless memo.

    Args:
        bench: runs further calls.
        change: what changed in at least one of `cold`.
        cold: finished runs of different modes, each from the state at the start.
        again: runs that followed one of them without going back.
    """
    if change.kind in ("iterator", "context", "random", "closure", "default", "argument"):
        return False
    if any(inside(c.path, change.path) for run in again for c in run.changed):
        return False
    contents = [_subtree(run.after, change.path) for run in cold]
    if any(token[0] == "tracer" for content in contents for token in content.values()):
        return False
    if any(content != contents[0] for content in contents):
        return False
    traced = any(run.mode == "trace" for run in cold)
    if not traced and any(t[0] == "array" for content in contents for t in content.values()):
        return False  # the arrays may come from the arguments: only a trace could tell
    if change.kind == "cache":
        return True
    return any(_survives(bench, change, mode) for mode in ("plain", "trace"))


def _survives(bench: Bench, change: Change, mode: Mode) -> bool:
    """Whether a second call in this mode reads what the first one stored."""
    bench.restore()
    first = bench.run(mode)
    places = _stored(bench.start, first.after, change)
    if first.error is not None or not places:
        bench.restore()
        return False
    kept = True
    markers = []
    for home in places:
        marker = _marker(_get(home))
        if marker is None:
            kept = False
            break
        _put(home, marker)
        markers.append(marker)
    if kept:
        bench.run(mode)
        kept = all(_get(h) is m for h, m in zip(places, markers, strict=True))
    bench.restore()
    return kept
