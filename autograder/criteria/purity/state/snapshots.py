"""What a walk has seen, and what differs between two of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field

from autograder.criteria.purity.values import Token


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


@dataclass(frozen=True)
class Change:
    path: str
    before: Token | None
    after: Token | None
    kind: str
    root: str

    @property
    def became(self) -> str | None:
        """What kind of value is there now; None where there is none any more."""
        return self.after[0] if self.after is not None else None


def inside(path: str, outer: str) -> bool:
    """Whether a path is another one, or leads through it."""
    return path.startswith(outer) and (len(path) == len(outer) or path[len(outer)] in ".[<({")


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
        if change.became == "tracer" or not any(inside(change.path, k.path) for k in kept):
            kept.append(change)
    return kept
