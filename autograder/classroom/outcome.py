"""What became of one student's submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.classroom.marks import NEEDS_A_LOOK
from autograder.report import Report, Status
from autograder.store import Graded


@dataclass(frozen=True)
class Outcome:
    """One student's result.

    Attributes:
        student: as nbgrader knows them.
        graded: reports and programs; None when grading itself failed.
        look: why a person should look at this submission.
        fresh: whether it was graded now, or taken from the store.
        why: what to do where there are no reports yet.
    """

    student: str
    graded: Graded | None
    look: tuple[str, ...] = ()
    fresh: bool = True
    why: str = ""

    @property
    def reports(self) -> Sequence[Report]:
        return self.graded.reports if self.graded else ()

    @property
    def is_graded(self) -> bool:
        return bool(self.reports) and all(r.status is not Status.NOT_GRADED for r in self.reports)

    @property
    def has_mark(self) -> bool:
        """Whether anything at all could be graded; where not, 0 points would be a wrong word."""
        return any(r.status is not Status.NOT_GRADED for r in self.reports)

    def mark(self) -> str:
        """The marks of all exercises together: ``7 / 9 (+3 pending)``, or why there are none."""
        if not self.reports:
            return f"not graded: {self.why}" if self.why else "not graded"
        earned, possible = (
            sum(getattr(r, name) for r in self.reports) for name in ("earned", "possible")
        )
        pending = sum(r.pending for r in self.reports)
        if not self.has_mark:
            return f"not graded: {self.reports[0].criteria[0].reason}"
        text = f"{earned:g} / {possible:g}"
        return f"{text} (+{pending:g} pending)" if pending else text


def reasons_to_look(graded: Graded) -> tuple[str, ...]:
    """What in the reports asks for a person."""
    found = {
        f"{report.exercise}: {criterion.reason}"
        for report in graded.reports
        for criterion in report.criteria
        if criterion.reason in NEEDS_A_LOOK
        or (report.status is Status.NOT_GRADED and criterion.reason and criterion.findings)
    }
    return tuple(sorted(found))
