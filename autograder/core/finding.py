"""What a check has to say to a student, in one shape for every criterion."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from autograder.core.printable import printable
from autograder.core.templates import recipe_of, remake

Severity = Literal["error", "warning"]


_MAX_LINE = 10**6
MAX_MESSAGE = 4000
# Patterns that take time in proportion to the text, whatever it is: a submission may be hostile.
_PATH = re.compile(r"/[^\s'\"]*")
_SCRATCH = re.compile(r"/autograder-\w+/")
_ADDRESS = re.compile(r"(?<=0x)[0-9a-f]{6,}")


def clean(text: object, length: int) -> str:
    """Untrusted text made fit for terminals and files, and the same in every run.

    Without lone surrogates and control characters, and without scratch folders and addresses,
    which differ from one run to the next.
    """
    shown = printable(str(text)[: 2 * length])
    return _ADDRESS.sub("", _PATH.sub(_within_scratch, shown))[:length]


def _within_scratch(path: re.Match[str]) -> str:
    """A path without what comes before a file in a scratch folder."""
    ends = [found.end() for found in _SCRATCH.finditer(path[0], 1)]
    return path[0][ends[-1] :] if ends else path[0]


class StudentFacingError(Exception):
    """Raised on purpose: wherever in the kit it is raised, it is about the student's code."""


class AdapterError(StudentFacingError):
    """What a rubric's adapter has to say to a student: shown as it is, in place of an error.

    Args:
        text: what is said.
        at: the student's function or class that is to blame, if one is.
    """

    def __init__(self, text: str, at: object = None) -> None:
        super().__init__(text)
        self.at = at


@dataclass(frozen=True)
class Finding:
    """One observation about a student's code.

    Attributes:
        rule: stable identifier such as ``"argument-mutated"``; tests and statistics key on it.
        severity: ``"error"`` costs the criterion its points, ``"warning"`` only informs.
        line: 1-based line in the student's file or cell, None when no line is to blame.
        message: what happened, why JIT cares and the smallest repair, as plain text.
        code: text of the blamed line, so that a reader need not count lines; may be empty.
    """

    rule: str
    severity: Severity
    line: int | None
    message: str
    code: str = ""

    @classmethod
    def error(cls, rule: str, message: str, line: int | None = None) -> Finding:
        return cls(rule, "error", line, message)

    def to_json(self) -> dict[str, object]:
        recipe = recipe_of(self.message)
        return {
            "rule": self.rule,
            "severity": self.severity,
            "line": self.line,
            "message": self.message,
            "code": self.code,
            **({"made_of": recipe} if recipe else {}),
        }

    @classmethod
    def from_json(cls, data: dict) -> Finding:
        """Rebuild a finding from untrusted JSON; every field is coerced and capped.

        Its message is made again in today's words where that can be done.
        """
        line = data.get("line")
        return cls(
            rule=clean(data.get("rule", "unknown"), 80),
            severity="warning" if data.get("severity") == "warning" else "error",
            line=line if type(line) is int and 0 < line <= _MAX_LINE else None,
            message=_message(data),
            code=clean(data.get("code", ""), 300),
        )


def _message(data: dict) -> str:
    if "made_of" in data:
        try:
            message = remake(data["made_of"], lambda part: clean(part, MAX_MESSAGE))
        except ValueError:
            message = None
        if message is not None and len(message) <= MAX_MESSAGE:
            return message
    return clean(data.get("message", ""), MAX_MESSAGE)
