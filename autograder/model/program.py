"""The exported program as a value, and why there may be none."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.model.finding import Finding, StudentFacingError
from autograder.model.messages import PROGRAM_RULES

MAX_BYTES = 2_000_000
"""Of a serialized program."""


class ProgramError(StudentFacingError):
    """A program that cannot be made, or must not run; `rule` names the reason."""

    def __init__(self, rule: str, detail: str = "") -> None:
        super().__init__(detail)
        self.rule = rule

    def finding(self) -> Finding:
        """Return the finding that reports this to the student."""
        return Finding.error(self.rule, PROGRAM_RULES[self.rule].format(detail=str(self)))


@dataclass(frozen=True)
class Program:
    """One exported call of the student's function.

    Attributes:
        blob: the serialized program (StableHLO), about 10 KB for a whole PLN fit.
        names: the path of each result leaf, such as ``"[0]"`` or ``".Sigma"``.
    """

    blob: bytes
    names: tuple[str, ...]
