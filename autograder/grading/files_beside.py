"""Finds the files beside a notebook that its cells need: modules and data that they name.

A file is carried where its name stands in the code, of the cells or of a module that is carried.
Nothing is parsed: a name in a comment carries a file for nothing, which does no harm.
"""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from autograder.grading import messages
from autograder.model.notebook import NOTHING, Beside
from autograder.source.grammar import LIBRARIES

MAX_FILE = 2**20
"""Bytes of one file that is carried."""
MAX_TOGETHER = 5 * 2**20
MAX_SEEN = 1000
"""Number of files and folders that are looked at: a learner's folder may hold anything."""
MAX_DEPTH = 4
MAX_SKIPPED = 100

_NOTEBOOK = ".ipynb"
_WORD = re.compile(r"\w+")


def find_beside(folder: Path | None, sources: Iterable[str]) -> Beside:
    """Find what lies beside a notebook.

    Args:
        folder: that the notebook lies in; None where it lies in none.
        sources: of its code cells.
    """
    if folder is None:
        return NOTHING
    waiting = dict(_files_in(folder))
    if not waiting:
        return NOTHING
    texts = ["\n".join(sources)]
    carried: dict[str, bytes] = {}
    skipped: dict[str, str] = {}
    for text in texts:  # grows
        words = set(_WORD.findall(text))
        for name in [name for name in waiting if _is_named(name, text, words)]:
            path = waiting.pop(name)
            room = MAX_TOGETHER - sum(map(len, carried.values()))
            content, why = _read(path, folder, room)
            if content is None:
                skipped[name] = why
                continue
            carried[name] = content
            if path.suffix == ".py":
                texts.append(content.decode(errors="replace"))
    skipped |= dict.fromkeys(waiting, messages.NOT_NAMED)
    encoded = ((name, base64.b64encode(carried[name]).decode()) for name in sorted(carried))
    return Beside(tuple(encoded), tuple(sorted(skipped.items()))[:MAX_SKIPPED])


def _files_in(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield what lies in a folder, by its path relative to it; hidden files belong to tools."""
    todo, seen = [folder], 0
    for here in todo:  # grows
        try:
            with os.scandir(here) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if seen > MAX_SEEN:
                return
            path = Path(entry.path)
            relative = path.relative_to(folder)
            if entry.name.startswith((".", "__pycache__")) or entry.name.endswith(_NOTEBOOK):
                continue
            if entry.is_dir(follow_symlinks=False):
                if len(relative.parts) < MAX_DEPTH:
                    todo.append(path)
            elif not _is_librarys(relative):
                yield relative.as_posix(), path


def _is_librarys(path: Path) -> bool:
    """Whether this is a module with the name of a library that the proof from source knows.

    Who reads the source takes the name for the library's, so it is the library's where it runs.
    """
    return path.suffix == ".py" and path.with_suffix("").parts[0] in LIBRARIES


def _is_named(name: str, text: str, words: Collection[str]) -> bool:
    """Whether code names a file: its name, or for a module, each part of its path."""
    path = Path(name)
    if path.name in text:
        return True
    parts = [part for part in path.with_suffix("").parts if part != "__init__"]
    return path.suffix == ".py" and all(part in words for part in parts)


def _read(path: Path, folder: Path, room: int) -> tuple[bytes | None, str]:
    """Return a file's content; or None, and why it is not carried."""
    try:
        if path.is_symlink() or not path.is_file():
            return None, messages.NO_FILE
        if not path.resolve().is_relative_to(folder.resolve()):
            return None, messages.NO_FILE
        with path.open("rb") as file:
            content = file.read(MAX_FILE + 1)
    except OSError:
        return None, messages.NO_FILE
    if len(content) > MAX_FILE:
        return None, messages.LARGE_FILE.format(limit=MAX_FILE // 2**20)
    if len(content) > room:
        return None, messages.LARGE_TOGETHER.format(limit=MAX_TOGETHER // 2**20)
    return content, ""
