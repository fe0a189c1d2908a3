"""What the probes note while a student's function runs: rule, words, line."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import CodeType, FrameType

from autograder.criteria.purity.student import Student

_DEBUGGING = "debugging.py"
_OUTPUT = ("prints", "logs")


@dataclass(frozen=True)
class Hit:
    rule: str
    what: str
    line: int
    filename: str


@dataclass
class Hits:
    """The hits of one check, each (rule, line) once, and the student's code that ran."""

    student: Student
    found: dict[tuple[str, int, str], Hit] = field(default_factory=dict)
    codes: dict[CodeType, None] = field(default_factory=dict)

    def note(self, rule: str, what: str, frame: FrameType) -> None:
        if rule in _OUTPUT and _inside_debug_callback(frame):
            rule, what = "debug-print", "jax.debug.callback writes on the screen"
        line, name = frame.f_lineno or 0, frame.f_code.co_filename
        self.found.setdefault((rule, line, name), Hit(rule, what, line, name))


def _inside_debug_callback(frame: FrameType | None) -> bool:
    while frame is not None:
        name = frame.f_code.co_filename
        if name.endswith(_DEBUGGING) and "jax" in name:
            return True
        frame = frame.f_back
    return False
