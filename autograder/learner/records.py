"""What is remembered about a learner: one JSON file a notebook, in the dotfolder beside it.

The dotfolder ignores itself (as pytest's cache does), so a learner's own git never sees it. A
folder that cannot be written is no error: then nothing is remembered.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.core.files import write_whole
from autograder.core.report import SCHEMA, Report, Status

DOTFOLDER = ".autograder"


@dataclass(frozen=True)
class Record:
    """What is known about one notebook.

    Attributes:
        content: digest of the content that was checked last; "" when it never was.
        grader: digest of the rubric and the grader that checked it.
        reports: one an exercise.
        solved: the day on which all that can be checked held for the first time; "" before.
        hints: by ``exercise:about``, how many hints were given.
        programs: by exercise, the program whose speed can be measured.
    """

    content: str = ""
    grader: str = ""
    reports: tuple[Report, ...] = ()
    solved: str = ""
    hints: Mapping[str, int] = field(default_factory=dict)
    programs: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether all that can be checked on this machine held at the last check."""
        if any(report.failed_by_kit for report in self.reports):
            return False
        done = [c for report in self.reports for c in report.criteria if not c.is_open]
        return bool(done) and all(c.status is Status.PASSED for c in done)

    def dated(self) -> Record:
        """The record, with today as the day of success where this is the first."""
        if not self.holds or self.solved:
            return self
        return replace(self, solved=datetime.date.today().isoformat())

    def counted(self, exercise: str, about: str) -> Record:
        """The record after one more hint."""
        key = f"{exercise}:{about}"
        return replace(self, hints={**self.hints, key: self.hints.get(key, 0) + 1})


def dotfolder(notebook: Path) -> Path:
    """Where everything about a notebook is kept; made when it is missing.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = notebook.parent / DOTFOLDER
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


def _file(notebook: Path) -> Path:
    return notebook.parent / DOTFOLDER / f"{notebook.stem}.json"


def read_record(notebook: Path) -> Record:
    """What is remembered about a notebook; an empty record when it is nothing, or unreadable."""
    try:
        data = json.loads(_file(notebook).read_bytes())
        if data["schema"] != SCHEMA:
            return Record()
        return Record(
            str(data["content"]),
            str(data["grader"]),
            tuple(Report.from_json(report) for report in data["reports"]),
            str(data["solved"]),
            {str(key): int(count) for key, count in data["hints"].items()},
            {str(k): base64.b64decode(v) for k, v in data.get("programs", {}).items()},
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return Record()


def write_record(notebook: Path, record: Record) -> bool:
    """Remember a record, as a whole or not at all; says whether the folder could be written."""
    data = {
        "schema": SCHEMA,
        "content": record.content,
        "grader": record.grader,
        "solved": record.solved,
        "hints": dict(record.hints),
        "reports": [report.to_json() for report in record.reports],
        "programs": {k: base64.b64encode(v).decode() for k, v in record.programs.items()},
    }
    try:
        dotfolder(notebook)
        write_whole(_file(notebook), json.dumps(data, indent=1) + "\n")
    except OSError:
        return False
    return True


def is_writable(notebook: Path) -> bool:
    """Whether anything can be remembered about a notebook."""
    try:
        return os.access(dotfolder(notebook), os.W_OK)
    except OSError:
        return False


@contextlib.contextmanager
def one_at_a_time(notebook: Path) -> Iterator[None]:
    """Hold others off a notebook: pytest's parallel workers would each run it."""
    try:
        stream = (dotfolder(notebook) / f"{notebook.stem}.lock").open("a")
    except OSError:
        yield
        return
    with stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
