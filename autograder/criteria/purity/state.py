"""Compares snapshots of what a function can reach, and restores it.

A snapshot maps paths (`counts['a']`, `step.<closure n>`, `model.w`) to tokens. An undo step
remembers a value as it is now and restores it later. It leaves alone what has not changed, and
calls no method of the student's classes.
"""

from __future__ import annotations

import collections
import contextlib
import operator
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.criteria.purity.values import Token, members

Undo = Callable[[], None]


@dataclass
class Snapshot:
    """Holds tokens by path, the origin of each path, and the undo steps."""

    tokens: dict[str, Token] = field(default_factory=dict)
    # The kind of object that holds the value, and the root of the path.
    origins: dict[str, tuple[str, str]] = field(default_factory=dict)
    # The dict that holds a value, and its key.
    homes: dict[str, tuple[dict, Any]] = field(default_factory=dict)
    undo: list[Undo] = field(default_factory=list)
    keep: list[object] = field(default_factory=list)

    def restore(self) -> None:
        """Restore every container and array seen, as far as Python allows."""
        for undo in self.undo:
            with contextlib.suppress(Exception):
                undo()


@dataclass(frozen=True)
class Change:
    path: str
    before: Token | None
    after: Token | None
    kind: str
    root: str

    @property
    def became(self) -> str | None:
        """The kind of the value now; None if the value is gone."""
        return self.after[0] if self.after is not None else None


def inside(path: str, outer: str) -> bool:
    """Check whether a path equals another one, or leads through it."""
    return path.startswith(outer) and (len(path) == len(outer) or path[len(outer)] in ".[<({")


def subtree(shot: Snapshot, path: str) -> dict[str, Token]:
    return {p: token for p, token in shot.tokens.items() if inside(p, path)}


def changes(before: Snapshot, after: Snapshot) -> list[Change]:
    """List what differs, outermost paths first, each cause once."""
    found = [
        Change(
            path,
            before.tokens.get(path),
            after.tokens.get(path),
            *(after.origins.get(path) or before.origins[path]),
        )
        for path in {**before.tokens, **after.tokens}
        if before.tokens.get(path) != after.tokens.get(path)
        and not (path.startswith("<class ") and path not in before.tokens)
    ]
    found.sort(key=lambda c: (len(c.path), c.path))
    kept: list[Change] = []
    for change in found:
        if change.became == "tracer" or not any(inside(change.path, k.path) for k in kept):
            kept.append(change)
    return kept


def remember(
    read: Callable[[], Any],
    write: Callable[[Any], object],
    same: Callable[[Any, Any], bool] = operator.eq,
) -> Undo:
    """Remember a value; the step writes it back if the value has changed."""
    saved = read()

    def back() -> None:
        if not same(read(), saved):
            write(saved)

    return back


def _identical(now: Sequence[object], saved: Sequence[object]) -> bool:
    return len(now) == len(saved) and all(a is b for a, b in zip(now, saved, strict=True))


def of_dict(target: dict) -> Undo:
    base: Any = (
        collections.OrderedDict if issubclass(type(target), collections.OrderedDict) else dict
    )

    def write(saved: list) -> None:
        base.clear(target)
        for key, value in zip(saved[::2], saved[1::2], strict=True):
            base.__setitem__(target, key, value)

    return remember(lambda: [x for pair in base.items(target) for x in pair], write, _identical)


def of_items(target: Any, base: Any) -> Undo:
    """Remember the items of a list, deque or set; `base` is that builtin class."""

    def write(saved: list) -> None:
        base.clear(target)
        (set.update if base is set else base.extend)(target, saved)

    return remember(lambda: list(base.__iter__(target)), write, _identical)


def of_array(target: np.ndarray) -> Undo:
    """Remember numbers, or which objects an array of objects holds."""
    return remember(
        lambda: np.ndarray.copy(target),
        lambda saved: np.ndarray.__setitem__(target, ..., saved),
        lambda now, saved: np.ndarray.tobytes(now) == np.ndarray.tobytes(saved),
    )


def of_stream(target: Any) -> Undo:
    def write(saved: tuple) -> None:
        target.seek(0)
        target.truncate()
        target.write(saved[0])
        target.seek(saved[1])

    return remember(lambda: (target.getvalue(), target.tell()), write)


def of_class(cls: type) -> Undo:
    saved = members(cls)

    def back() -> None:
        now = members(cls)
        for name in now.keys() - saved.keys():
            type.__delattr__(cls, name)
        for name, value in saved.items():
            if name not in now or now[name] is not value:
                type.__setattr__(cls, name, value)

    return back


def of_cell(cell: types.CellType) -> Undo:
    saved = cell.cell_contents
    return lambda: setattr(cell, "cell_contents", saved)  # not read first: it may be empty


def of_attribute(owner: object, name: str) -> Undo:
    return remember(
        lambda: getattr(owner, name), lambda saved: setattr(owner, name, saved), operator.is_
    )
