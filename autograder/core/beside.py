"""Files beside a notebook: those that go with its cells to where they run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Beside:
    """The files beside a notebook.

    Attributes:
        carried: path, relative to the notebook's folder, and content in base64, of each file that
            its cells get a copy of; sorted.
        left: path of each other file, and why it is not carried.
    """

    carried: tuple[tuple[str, str], ...] = ()
    left: tuple[tuple[str, str], ...] = ()

    @property
    def digest(self) -> str:
        """SHA-256 of what is carried; "" for nothing."""
        return hashlib.sha256(repr(self.carried).encode()).hexdigest() if self.carried else ""


NOTHING = Beside()


def write_beside(carried: Iterable[Sequence[str]], folder: Path) -> None:
    """Write copies of the files into a folder.

    Cells may change them, as they may in a kernel: the student's own files stay as they are.
    """
    for name, content in carried:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(base64.b64decode(content))
