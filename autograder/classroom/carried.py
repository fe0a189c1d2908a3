"""The files beside the notebook, which nbgrader copies from submitted/ to the feedback.

One of them is the exchange's secret, without which `nbgrader release_feedback` fails.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

MAX_DEPTH = 50
"""Depth of nested folders; nbgrader's own recursive copy fails at some hundreds."""


@dataclass(frozen=True)
class Carried:
    """Regular files of a submission.

    Attributes:
        folder: where they are.
        files: their paths in it, sorted.
        digest: SHA-256 of their paths and contents; "" when there are none.
        left: paths that cannot be copied, sorted.
    """

    folder: Path = Path()
    files: tuple[Path, ...] = ()
    digest: str = ""
    left: tuple[str, ...] = ()


def find_carried(folder: Path, but: str) -> Carried:
    """Find all files of a folder but `but`, notebooks, and links, which may lead anywhere."""
    digests: dict[Path, str] = {}
    left: list[str] = []
    waiting = [(folder, 0)]
    while waiting:
        here, depth = waiting.pop()
        for entry in _entries(here):
            path = Path(entry.path).relative_to(folder)
            if path == Path(but) or entry.name.endswith(".ipynb"):
                continue
            if entry.is_dir(follow_symlinks=False) and depth < MAX_DEPTH:
                waiting.append((Path(entry.path), depth + 1))
            elif entry.is_file(follow_symlinks=False) and (digest := _file_digest(entry.path)):
                digests[path] = digest
            else:
                left.append(str(path))
    files = tuple(sorted(digests))
    contents = repr([(str(path), digests[path]) for path in files])
    digest = hashlib.sha256(contents.encode()).hexdigest() if files else ""
    return Carried(folder, files, digest, tuple(sorted(left)))


def copy_carried(carried: Carried, target: Path) -> None:
    """Copy the files to a folder.

    Raises:
        OSError: the disk is full, or the folder cannot be written.
    """
    for path in carried.files:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        # A file that was collected again in the meantime is recorded by the next run.
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(carried.folder / path, target / path, follow_symlinks=False)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _file_digest(path: str) -> str:
    """SHA-256 of a file; "" when it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
