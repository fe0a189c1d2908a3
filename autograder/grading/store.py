"""Store: an append-only file with one line for each graded submission.

Each line carries the SHA-256 of its content, so a line that a crash cut off is ignored. Several
graders may append at once.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from filelock import FileLock

from autograder.model.reasons import meaning_of
from autograder.model.report import SCHEMA, Report


@dataclass(frozen=True)
class Graded:
    """The result of grading one notebook.

    Attributes:
        reports: one for each exercise, in the rubric's order.
        programs: for each exercise whose speed is pending, the program to time.
        seconds: that grading took.
        notes: what was repaired in the notebook, for the student.
        program_digests: for each exercise with a program, the SHA-256 of all that it exported.
            They hold no source locations, so equal code has equal programs. Marks do not use it.
        confined_by: what confined the submission (`autograder.sandbox.Protection`); "" where none
            of its code was run for a class.
    """

    reports: tuple[Report, ...]
    programs: Mapping[str, bytes] = field(default_factory=dict)
    seconds: float = 0.0
    notes: tuple[str, ...] = ()
    program_digests: Mapping[str, str] = field(default_factory=dict)
    confined_by: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the result may be used again: the kit itself did not fail."""
        return not any(report.failed_by_kit for report in self.reports)

    @property
    def is_in_doubt(self) -> bool:
        """Whether other work on the machine may be to blame, such as for a lack of memory.

        The submission must then be graded again, alone.
        """
        criteria = [c for report in self.reports for c in report.criteria]
        named = {c.reason for c in criteria} | {f.rule for c in criteria for f in c.findings}
        return not self.is_final or any(meaning_of(one).may_be_the_machines for one in named)

    def to_json(self) -> dict[str, Any]:
        return {
            "reports": [report.to_json() for report in self.reports],
            "programs": {k: base64.b64encode(v).decode() for k, v in self.programs.items()},
            "seconds": round(self.seconds, 3),
            "notes": list(self.notes),
            "program_digests": dict(self.program_digests),
            "confined_by": self.confined_by,
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Graded:
        return cls(
            tuple(Report.from_json(report) for report in data["reports"]),
            {k: base64.b64decode(v) for k, v in data["programs"].items()},
            data["seconds"],
            tuple(data["notes"]),
            data.get("program_digests", {}),
            data.get("confined_by", ""),
        )


def grade_with_retry(grade: Callable[[], Graded]) -> Graded:
    """Grade; once more where the result is in doubt: something else may have ended a process."""
    graded = grade()
    return grade() if graded.is_in_doubt else graded


def result_digest(*parts: object) -> str:
    """Return the key of a result: the SHA-256 of everything that it depends on."""
    text = json.dumps([str(part) for part in parts])
    return hashlib.sha256(text.encode()).hexdigest()


class Store:
    """Results by digest; `add` appends, and survives a crash.

    Only offsets are kept in memory, so that memory does not grow with the class.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offsets: dict[str, int] = {}
        self._read_to = 0
        self.refresh()

    def __contains__(self, digest: str) -> bool:
        return digest in self._offsets

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
