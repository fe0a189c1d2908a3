"""A finding: what a check reports to a student, in one form for every criterion."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from autograder.model.printable import clean
from autograder.model.student_code import Line
from autograder.model.templates import recipe_of, remake

Severity = Literal["error", "warning"]

_MAX_LINE = 10**6
_MAX_MESSAGE = 4000


def first_line(message: str) -> str:
    """Return the first line of a message, which says what was seen; cause and repair follow."""
    return message.partition("\n")[0]


class StudentFacingError(Exception):
    """An error about the student's code, wherever in the kit it is raised."""


class AdapterError(StudentFacingError):
    """An error that a rubric's adapter reports to the student; its text is shown as it is.

    Args:
        text: the message.
        at: the student's function or class that is to blame, if any.
    """

    def __init__(self, text: str, at: object = None) -> None:
        super().__init__(text)
        self.at = at


@dataclass(frozen=True)
class Finding:
    """One thing that a check found in a student's code.

    Attributes:
        rule: stable identifier such as ``"argument-mutated"``, for tests and statistics.
        severity: ``"error"`` costs the criterion its points, ``"warning"`` only informs.
        line: 1-based line in the student's file or cell, None when no line is to blame.
        message: what happened, why it matters to JIT and the smallest fix, as plain text.
        code: text of the blamed line, so that readers need not count lines; may be empty.
    """

    rule: str
    severity: Severity
    line: int | None
    message: str
    code: str = ""

    @classmethod
    def error(cls, rule: str, message: str, line: int | None = None) -> Finding:
        """Make a finding that costs the criterion its points."""
        return cls(rule, "error", line, message)

    @classmethod
    def at(
        cls,
        rule: str,
        message: str,
        lines: Sequence[int | None],
        severity: Severity = "error",
    ) -> Finding:
        """Make a finding on the first line that is known."""
        line = next((line for line in lines if line), None)
        return cls(rule, severity, line, message, line.text if isinstance(line, Line) else "")

    def to_json(self) -> dict[str, object]:
        """Write the finding as JSON, with how its message was made."""
        recipe = recipe_of(self.message)
        return {**vars(self), **({"made_of": recipe} if recipe else {})}

    @classmethod
    def from_json(cls, data: dict) -> Finding:
        """Rebuild a finding from untrusted JSON; every field is converted and limited.

        The message is made again in today's words, if possible.
        """
        line = data.get("line")
        message = ""
        with suppress(KeyError, ValueError):
            message = remake(data["made_of"], lambda part: clean(part, _MAX_MESSAGE))
        if not 0 < len(message) <= _MAX_MESSAGE:
            message = clean(data.get("message", ""), _MAX_MESSAGE)
        return cls(
            rule=clean(data.get("rule", "unknown"), 80),
            severity="warning" if data.get("severity") == "warning" else "error",
            line=line if type(line) is int and 0 < line <= _MAX_LINE else None,
            message=message,
            code=clean(data.get("code", ""), 300),
        )
