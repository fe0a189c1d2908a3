"""The files beside the notebook that nbgrader carries from submitted/ along to the feedback.

Without the exchange's secret among them, `nbgrader release_feedback` ends with an error.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

MAX_DEPTH = 50
"""Folders in folders; nbgrader's own copying recurses and would end at some hundreds."""


@dataclass(frozen=True)
class Carried:
    """Regular files of a submission.

    Attributes:
        folder: where they are.
        files: their paths in it, sorted.
        digest: SHA-256 of their paths and contents; "" when there are none.
        left: what is there and cannot be carried along, sorted.
    """

    folder: Path = Path()
    files: tuple[Path, ...] = ()
    digest: str = ""
    left: tuple[str, ...] = ()


def find_carried(folder: Path, but: str) -> Carried:
    """The files that nbgrader would copy, or leave out by the course's own `ignore`.

    That is all but notebooks. Links are left behind: they may lead anywhere.

    Args:
        folder: what a student has handed in; not a link.
        but: a name in it that is somebody else's to copy, whatever it is.
    """
    files: list[Path] = []
    left: list[str] = []
    digests: list[tuple[str, str]] = []
    waiting = [(folder, 0)]
    while waiting:
        here, depth = waiting.pop()
        for entry in _entries(here):
            path = Path(entry.path).relative_to(folder)
            if path == Path(but) or entry.name.endswith(".ipynb"):
                continue
            if entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                waiting.append((Path(entry.path), depth + 1))
                continue
            digest = _digest(Path(entry.path)) if entry.is_file(follow_symlinks=False) else ""
            if digest:
                files.append(path)
                digests.append((str(path), digest))
            else:
                left.append(str(path))
    together = hashlib.sha256(repr(sorted(digests)).encode()).hexdigest() if files else ""
    return Carried(folder, tuple(sorted(files)), together, tuple(sorted(left)))


def carry(carried: Carried, target: Path) -> None:
    """Copy the files to a folder.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    for path in carried.files:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        # What was collected anew in the meantime differs, and is recorded by the next run.
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(carried.folder / path, target / path, follow_symlinks=False)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _digest(path: Path) -> str:
    """SHA-256 of a file; "" when it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
