"""Steps back: each function remembers a value's content and returns what puts it back.

What has not changed is left alone, and no method of the student's is called.
"""

from __future__ import annotations

import collections
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.criteria.purity.state.reading import members

Step = Callable[[], None]


def of_dict(target: dict) -> Step:
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


def of_sequence(target: Any) -> Step:
    """Of a list or a deque."""
    base = list if issubclass(type(target), list) else collections.deque
    saved = list(base.__iter__(target))

    def back() -> None:
        if list(map(id, base.__iter__(target))) != list(map(id, saved)):
            base.clear(target)
            base.extend(target, saved)

    return back


def of_set(target: set) -> Step:
    saved = set(set.__iter__(target))

    def back() -> None:
        if len(saved) != set.__len__(target) or not saved.issuperset(set.__iter__(target)):
            set.clear(target)
            set.update(target, saved)

    return back


def of_array(target: np.ndarray) -> Step:
    saved = target.copy()

    def back() -> None:
        if target.tobytes() != saved.tobytes():
            target[...] = saved

    return back


def of_objects(target: np.ndarray) -> Step:
    """Of an array of objects: which they are, not what is in them."""
    saved = list(target.flat)

    def back() -> None:
        for i, value in enumerate(saved):
            if target.flat[i] is not value:
                target.flat[i] = value

    return back


def of_stream(target: Any) -> Step:
    saved, at = target.getvalue(), target.tell()

    def back() -> None:
        target.seek(0)
        target.truncate()
        target.write(saved)
        target.seek(at)

    return back


def of_class(cls: type) -> Step:
    saved = members(cls)

    def back() -> None:
        now = members(cls)
        for name in now.keys() - saved.keys():
            type.__delattr__(cls, name)
        for name, value in saved.items():
            if name not in now or now[name] is not value:
                type.__setattr__(cls, name, value)

    return back


def of_cell(cell: types.CellType) -> Step:
    saved = cell.cell_contents

    def back() -> None:
        cell.cell_contents = saved

    return back


def of_function(function: types.FunctionType) -> Step:
    names = ("__code__", "__defaults__", "__kwdefaults__")
    saved = {name: getattr(function, name) for name in names}

    def back() -> None:
        for name, value in saved.items():
            if getattr(function, name) is not value:
                setattr(function, name, value)

    return back
