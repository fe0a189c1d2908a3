"""The record of a learner's notebook: one JSON file, in the dotfolder beside the notebook.

The dotfolder holds a .gitignore for itself, as pytest's cache does. Where the folder cannot be
written, nothing is kept, and everything else works.
"""

from __future__ import annotations

import base64
import contextlib
import datetime
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from filelock import FileLock

from autograder.model.reasons import UNREADABLE
from autograder.model.report import SCHEMA, CriterionResult, Report, Status
from autograder.processes.files import write_whole

DOTFOLDER = ".autograder"
log = logging.getLogger("autograder")


@dataclass(frozen=True)
class Record:
    """What is known about one notebook.

    Attributes:
        content: digest of the content that was checked last; "" when it never was.
        grader: digest of the rubric and the grader that checked it.
        reports: one an exercise.
        solved: the day on which all checks passed for the first time; "" before.
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
    def is_readable(self) -> bool:
        """Whether the file was a notebook at the last check."""
        reasons = {c.reason for report in self.reports for c in report.criteria}
        return UNREADABLE not in reasons

    @property
    def all_passed(self) -> bool:
        """Whether all criteria that can be judged on this machine passed at the last check."""
        if any(report.failed_by_kit for report in self.reports):
            return False
        done = [c for report in self.reports for c in report.criteria if not c.is_open]
        return bool(done) and all(c.status is Status.PASSED for c in done)

    def dated(self) -> Record:
        """Return the record with its day of success: today, if all passes for the first time."""
        if not self.all_passed or self.solved:
            return self
        return replace(self, solved=datetime.date.today().isoformat())

    def with_hint(self, exercise: str, about: str) -> Record:
        """Return the record with one more hint counted."""
        key = f"{exercise}:{about}"
        return replace(self, hints={**self.hints, key: self.hints.get(key, 0) + 1})


def _dotfile(notebook: Path, suffix: str) -> Path:
    return notebook.parent / DOTFOLDER / f"{notebook.stem}{suffix}"


def make_dotfolder(notebook: Path) -> Path:
    """Return the folder for the records of a notebook; make it if it is missing.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = notebook.parent / DOTFOLDER
    if not folder.is_dir():
        folder.mkdir(exist_ok=True)
        (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    return folder


def first_failing(reports: Iterable[Report]) -> tuple[Report, CriterionResult] | None:
    """Return the criterion to fix first; None when all passed, or wait for something else."""
    for report in reports:
        for criterion in report.criteria:
            is_waiting = criterion.is_open and not criterion.failed_by_kit
            if criterion.status is not Status.PASSED and not is_waiting:
                return report, criterion
    return None


def read_record(notebook: Path) -> Record:
    """Read the record of a notebook; return an empty one where it cannot be read."""
    try:
        data = json.loads(_dotfile(notebook, ".json").read_bytes())
        if data["schema"] != SCHEMA:
            return Record()
        reports = tuple(map(Report.from_json, data["reports"]))
        hints = {key: int(count) for key, count in data["hints"].items()}
        programs = {k: base64.b64decode(text) for k, text in data.get("programs", {}).items()}
        return Record(data["content"], data["grader"], reports, data["solved"], hints, programs)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, StopIteration):
        return Record()


def write_record(notebook: Path, record: Record) -> bool:
    """Write a record whole, and return whether the folder could be written."""
    data = {
        **vars(record),
        "schema": SCHEMA,
        "reports": [report.to_json() for report in record.reports],
        "programs": {k: base64.b64encode(v).decode() for k, v in record.programs.items()},
    }
    try:
        make_dotfolder(notebook)
        write_whole(_dotfile(notebook, ".json"), json.dumps(data, indent=1) + "\n")
    except OSError as error:
        log.info("no record of %s is kept: %s", notebook.name, error)
        return False
    log.debug("the record of %s was written", notebook.name)
    return True


def is_writable(notebook: Path) -> bool:
    """Whether records of a notebook can be written."""
    try:
        return os.access(make_dotfolder(notebook), os.W_OK)
    except OSError:
        return False


@contextlib.contextmanager
def one_at_a_time(notebook: Path) -> Iterator[None]:
    """Lock a notebook, which pytest's parallel workers would each run otherwise."""
    with contextlib.ExitStack() as stack:
        try:
            make_dotfolder(notebook)
            stack.enter_context(FileLock(_dotfile(notebook, ".lock")))
        except OSError:
            log.debug("no lock on %s: its folder cannot be written", notebook.name)
        yield
