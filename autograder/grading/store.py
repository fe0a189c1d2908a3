"""Store: an append-only file with one line for each graded submission.

Each line carries the SHA-256 of its content, so a line that a crash cut off is ignored. Several
graders may append at once. A result is found by the digest of all that it depends on, the kit's own
code among it.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from filelock import FileLock

import plnkit
from autograder.model.graded import Graded
from autograder.model.report import SCHEMA

_ENGINE = (
    *("processes", "model", "programs", "errors", "source"),
    *("criteria", "sandbox", "judge", "grading"),
)
"""The rooms whose code decides a result. The others only show results, or, as rubrics, have
a digest of their own: after a change there, nothing is graded again.
"""

_TEACHING_TEXT = {"messages.py", "defence_messages.py"}
"""Files that decide nothing: a result keeps rule and arguments, and its text is made when shown."""

_NOT_THE_MODEL = {"tests", "benchmarks", "plots"}
"""Folders of plnkit that only show and measure. Rubrics and submissions use the rest."""


def result_digest(*parts: object) -> str:
    """Return the key of a result: the SHA-256 of everything that it depends on."""
    text = json.dumps([str(part) for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """Return the SHA-256 of the kit's code, and of the versions of what it stands on."""
    digest = hashlib.sha256(sys.version.encode())
    for package in ("jax", "jaxlib", "numpy", "optax"):
        digest.update(f"{package}=={importlib.metadata.version(package)}".encode())
    kit, model = Path(__file__).parents[1], Path(plnkit.__file__).parent
    rooms = [(kit / room, _TEACHING_TEXT) for room in _ENGINE]
    for folder, left_out in [*rooms, (model, _NOT_THE_MODEL)]:
        files = (file for kind in ("*.py", "*.csv", "*.toml") for file in folder.rglob(kind))
        for file in sorted(files):
            if not left_out & {file.name, file.relative_to(folder).parts[0]}:
                digest.update(file.read_bytes())
    return digest.hexdigest()


class Store:
    """Results by digest; `add` appends, and survives a crash.

    Only offsets are kept in memory, so that memory does not grow with the class.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offsets: dict[str, int] = {}
        self._read_to = 0
        self.refresh()

    def __len__(self) -> int:
        return len(self._offsets)

    def get(self, digest: str) -> Graded | None:
        """Return a result; None when neither this process nor another has added one."""
        if digest not in self._offsets:
            self.refresh()
        offset = self._offsets.get(digest)
        if offset is None:
            return None
        with self._path.open("rb") as file:
            file.seek(offset)
            record = _check(file.readline())
        return None if record is None else Graded.from_json(record["graded"])

    def refresh(self) -> None:
        """Read what this process and others have appended."""
        try:
            file = self._path.open("rb")
        except FileNotFoundError:
            return
        with file:
            file.seek(self._read_to)
            for line in file:
                if not line.endswith(b"\n"):
                    return  # cut off, or being written
                record = _check(line)
                if record is not None:
                    self._offsets[record["digest"]] = self._read_to
                self._read_to += len(line)

    def add(self, digest: str, graded: Graded) -> None:
        """Append a result and wait until it is on disk.

        Raises:
            OSError: the disk is full, or the file cannot be written; the store is as it was.
        """
        body = json.dumps({"schema": SCHEMA, "digest": digest, "graded": graded.to_json()})
        line = json.dumps({"sha": _sha(body), "body": body}).encode() + b"\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._path.with_name(f"{self._path.name}.lock"))
        with lock, self._path.open("a+b") as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - 1))
            # A line that a crash cut off must not run into the next one.
            separator = b"" if file.read(1) in (b"", b"\n") else b"\n"
            try:
                file.write(separator + line)
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), end)
                raise
        self.refresh()


def _sha(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _check(line: bytes) -> dict[str, Any] | None:
    try:
        outer = json.loads(line)
        if outer["sha"] != _sha(outer["body"]):
            return None
        record = json.loads(outer["body"])
        return record if record["schema"] == SCHEMA else None
    except (ValueError, KeyError, TypeError):
        return None
