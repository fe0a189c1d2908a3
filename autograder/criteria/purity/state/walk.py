"""One walk over the reachable state: what is seen once, how deep it goes, how it goes back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.criteria.purity.state import undo
from autograder.criteria.purity.state.snapshots import Snapshot
from autograder.criteria.purity.student import Student
from autograder.criteria.purity.values import Token, leaf_token

_MAX_PATHS = 20_000
_MAX_DEPTH = 40
_COPY_BYTES = 1 << 24


class Walk:
    """Fills a snapshot; `saving` also records how to restore it.

    `parts` says what a value is made of: it is called as `parts(walk, path, value, kind, depth)`
    and calls `into` for each part.
    """

    def __init__(
        self,
        student: Student,
        parts: Callable[[Walk, str, Any, str, int], None],
        saving: bool = False,
    ) -> None:
        self.student = student
        self.saving = saving
        self.shot = Snapshot()
        self._parts = parts
        self._seen: dict[int, str] = {}
        self._root = ""

    def add(self, root: str, value: object, kind: str) -> None:
        self._root = root
        self.into(root, value, kind, 0)

    def token(self, path: str, token: Token, kind: str) -> None:
        self.shot.tokens[path] = token
        self.shot.kinds[path] = kind
        self.shot.roots[path] = self._root

    def on_undo(self, step: undo.Step) -> None:
        if self.saving:
            self.shot.undo.append(step)

    def into(self, path: str, value: Any, kind: str, depth: int) -> None:
        if depth > _MAX_DEPTH or len(self.shot.tokens) > _MAX_PATHS:
            return
        token = leaf_token(value)
        if token is not None:
            if self.saving and type(value) is np.ndarray and value.flags.writeable:
                self.shot.keep.append(value)
                if value.nbytes < _COPY_BYTES:
                    self.on_undo(undo.of_array(value))
            self.token(path, token, kind)
            return
        if id(value) in self._seen:
            self.token(path, ("same", self._seen[id(value)]), kind)
            return
        self._seen[id(value)] = path
        self.shot.keep.append(value)
        self._parts(self, path, value, kind, depth + 1)
