"""Collects findings: each cause once, in order of lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from autograder.core.finding import Finding, Severity
from autograder.core.student_code import Line, unwrap
from autograder.criteria.purity.messages import DEBUG_PRINT, HOST_CALLBACK, PURE_CALLBACK, text
from autograder.criteria.purity.student import StudentModule

WARNINGS = frozenset({"untaken-effect", "pure-callback", "static-memo", "nan-without-jit"})
"""Rules that only inform. They cost no points, so this list is not among the texts."""

# Memory addresses, such as `id()` returns, differ from run to run. Findings must not.
_DECIMAL_ADDRESS = re.compile(r"(?<![\d.])\d{9,}(?!\.?\d)")


def callback_finding(name: str, lines: Sequence[int | None]) -> Finding:
    """Make the finding of a call back into Python from a program.

    Args:
        name: of the primitive, such as `debug_callback` or `io_callback`.
        lines: the student's.
    """
    line = next((line for line in lines if line), None)
    code = line.text if isinstance(line, Line) else ""
    rule, what = name_callback(name)
    return Finding(rule, severity_of(rule), line, text(rule, what, line), code)


def name_callback(name: str) -> tuple[str, str]:
    """Return the rule and the words for a primitive that calls back into Python."""
    if name in ("debug_callback", "debug_print"):
        return "debug-print", DEBUG_PRINT
    if name == "pure_callback":
        return "pure-callback", PURE_CALLBACK
    return "host-callback", HOST_CALLBACK.format(name=name)


def severity_of(rule: str) -> Severity:
    return "warning" if rule in WARNINGS else "error"


@dataclass
class Findings:
    """Holds findings by rule, line and, where the line is unknown, what happened."""

    student: StudentModule
    found: dict[tuple[str, int | None, str], Finding] = field(default_factory=dict)

    def add(self, rule: str, what: str, line: int | None, filename: str | None = None) -> None:
        """Add a finding; a rule counts once a line, and without a line only if it is new."""
        if line is None and self.has(rule):
            return
        key = (rule, line, "" if line else what)
        if key not in self.found:
            message = text(rule, _DECIMAL_ADDRESS.sub("...", what), line)
            code = self.student.code_at(line, filename)
            self.found[key] = Finding(rule, severity_of(rule), line, message, code)

    def has(self, *rules: str) -> bool:
        return any(f.rule in rules for f in self.found.values())

    def has_errors(self) -> bool:
        return any(f.severity == "error" for f in self.found.values())

    def first_line(self, function: Callable) -> int | None:
        """Return the line of the function's `def` when it is the student's."""
        code = getattr(unwrap(function), "__code__", None)
        if code is None or not self.student.owns_code(code):
            return None
        return Line(code.co_firstlineno, code.co_filename)

    def sorted(self) -> list[Finding]:
        """List the findings: errors first, each group by line, rule and text."""
        return sorted(
            self.found.values(),
            key=lambda f: (f.severity != "error", f.line or 1 << 30, f.rule, f.message),
        )
