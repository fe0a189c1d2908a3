"""The result of grading one notebook."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from autograder.model.reasons import meaning_of
from autograder.model.report import Report


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
        """Write the result as JSON; programs become base64."""
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
        """Read what `to_json` gives."""
        return cls(
            tuple(Report.from_json(report) for report in data["reports"]),
            {k: base64.b64decode(v) for k, v in data["programs"].items()},
            data["seconds"],
            tuple(data["notes"]),
            data.get("program_digests", {}),
            data.get("confined_by", ""),
        )
