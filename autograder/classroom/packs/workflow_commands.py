"""What a program says to GitHub Actions: annotations on lines, a job summary, a step's outputs.

The formats: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
How texts are escaped: `packages/core/src/command.ts` of https://github.com/actions/toolkit
"""

from __future__ import annotations

import os
from pathlib import Path

from autograder.model.finding import Severity
from autograder.model.printable import printable

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def annotation(level: Severity, file: str, line: int, title: str, message: str) -> str:
    """Return the command that shows a message beside a line of a file.

    It is a single line, whatever the texts hold: no text can give a command of its own.
    """
    where = {"file": file, "line": str(line), "title": title}
    properties = ",".join(f"{name}={_escape(text, _PROPERTY)}" for name, text in where.items())
    return f"::{level} {properties}::{_escape(message, _DATA)}"


def _escape(text: str, table: dict[str, str]) -> str:
    return printable(text.replace("\r", "\n")).translate(str.maketrans(table))


def add_summary(text: str) -> None:
    """Add Markdown to the page of the run; does nothing outside of GitHub Actions."""
    _append("GITHUB_STEP_SUMMARY", text)


def set_output(name: str, value: str) -> None:
    """Set an output of the step; `value` is a single line."""
    _append("GITHUB_OUTPUT", f"{name}={value}\n")


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if path:
        with Path(path).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)
