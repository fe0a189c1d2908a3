"""Status, criterion result and report: the result that all front ends share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from autograder.model.figures import Figure, read_figure
from autograder.model.finding import Finding, first_line
from autograder.model.printable import clean
from autograder.model.reasons import KIT_ERROR, REASONS, meaning_of

SCHEMA = 1
_MAX_HINTS = 3
_MAX_HINT = 2000

Evidence = Literal["proved", "observed"]
"""Proved: decided by trusted code, on the exported program or on the source. Observed: seen beside
code that is not proved, which could have forged it.
"""

EVIDENCE: dict[str, Evidence] = {
    "outputs": "proved",
    "purity": "observed",
    "compilations": "observed",
    "speed": "proved",
    "memory": "proved",
}
"""The evidence for each criterion's verdict, as long as nobody has read the student's source."""

NEED_PROGRAM = {"speed", "memory"}
"""The criteria that measure an exported program: an exercise without one cannot have them."""

CRITERIA = tuple(EVIDENCE)
"""Criterion names in the order in which every front end shows them."""


class Status(StrEnum):
    """The status of a criterion or of a whole exercise."""

    PASSED = "passed"
    FAILED = "failed"
    PARTIAL = "partial"
    PENDING = "pending"
    INCONCLUSIVE = "inconclusive"
    NOT_GRADED = "not_graded"


@dataclass(frozen=True)
class CriterionResult:
    """One criterion of one exercise.

    Attributes:
        name: one of `CRITERIA`.
        status: passed, failed, pending, inconclusive or not_graded.
        earned, possible: points; pending and inconclusive points are neither earned nor lost.
        evidence: proved or observed.
        reason: why it is not graded, as a stable word ("missing-function").
        findings: errors first.
        hints: for a criterion that failed, each saying more than the one before.
        figure: drawn on the card; it changes no mark.
    """

    name: str
    status: Status
    earned: float
    possible: float
    evidence: Evidence
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    hints: tuple[str, ...] = ()
    figure: Figure | None = None

    @property
    def failed_by_kit(self) -> bool:
        """Whether the kit itself failed, so that the submission could not be judged."""
        return self.reason == KIT_ERROR

    @property
    def is_open(self) -> bool:
        """Whether these points can still be earned without another submission."""
        return self.status in (Status.PENDING, Status.INCONCLUSIVE) or self.has_no_mark

    @property
    def has_no_mark(self) -> bool:
        """Whether it could not be judged, so that these points are neither earned nor lost."""
        return meaning_of(self.reason).has_no_mark

    @property
    def waits_for_person(self) -> bool:
        """Whether nothing and nobody has decided on it, so that in a class a person must.

        This is the only place that says so: the gradebook, the reports and all exports ask here.
        """
        if self.reason in REASONS:
            return REASONS[self.reason].asks_a_person
        return self.status is Status.NOT_GRADED

    def to_json(self) -> dict[str, object]:
        """Write the result as JSON."""
        return {
            **vars(self),
            "status": str(self.status),
            "findings": [finding.to_json() for finding in self.findings],
            "figure": self.figure and self.figure.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict) -> CriterionResult:
        """Read what `to_json` gives, from a source that is not trusted."""
        return cls(
            **{key: data[key] for key in ("name", "earned", "possible", "reason")},
            evidence="proved" if data["evidence"] == "proved" else "observed",
            status=Status(data["status"]),
            findings=tuple(Finding.from_json(finding) for finding in data["findings"]),
            hints=tuple(clean(hint, _MAX_HINT) for hint in data.get("hints", ())[:_MAX_HINTS]),
            figure=read_figure(data.get("figure")),
        )


@dataclass(frozen=True)
class UnprovedLine:
    """The first line of a submission that `autograder.source` does not prove.

    Attributes:
        cell: id of its cell; "" where the source could not be read to its end.
        line: in the cell, from 1.
        code: the line's text.
        reason: why it is not proved, in a sentence.
    """

    cell: str
    line: int
    code: str
    reason: str

    @property
    def is_unread(self) -> bool:
        """Whether the source could not be read to its end."""
        return not self.cell


@dataclass(frozen=True)
class Report:
    """The result of one exercise of one submission; the same JSON for every front end.

    Attributes:
        lesson, exercise: names.
        criteria: in the order of `CRITERIA`.
        provisional: judged on the public draws.
        notes: added by a front end.
        practice: of a drill, which has no points.
        unproved: why what was seen is only observed; None also where nobody has read the source.
    """

    lesson: str
    exercise: str
    criteria: tuple[CriterionResult, ...]
    provisional: bool = True
    notes: tuple[str, ...] = ()
    unproved: UnprovedLine | None = None
    practice: bool = False

    @property
    def earned(self) -> float:
        """The points earned."""
        return sum(c.earned for c in self.criteria)

    @property
    def possible(self) -> float:
        """Points decided so far: all except the open ones."""
        return sum(c.possible for c in self.criteria) - self.pending

    @property
    def pending(self) -> float:
        """The points that are neither earned nor lost."""
        return sum(c.possible for c in self.criteria if self.is_open(c))

    def is_open(self, criterion: CriterionResult) -> bool:
        """Whether a criterion's points are neither earned nor lost.

        In a class, they are not where a person decides. A learner has nobody to wait for.
        """
        return criterion.is_open or (criterion.waits_for_person and not self.provisional)

    @property
    def failed_by_kit(self) -> bool:
        """Whether the kit itself failed on a criterion, so that it must be graded again."""
        return any(c.failed_by_kit for c in self.criteria)

    @property
    def status(self) -> Status:
        """The status of the exercise, which follows from those of its criteria."""
        statuses = {c.status for c in self.criteria}
        for decisive in (Status.PASSED, Status.NOT_GRADED):
            if statuses == {decisive}:
                return decisive
        if Status.NOT_GRADED in statuses and all(c.is_open for c in self.criteria):
            return Status.NOT_GRADED
        if statuses <= {Status.PASSED, Status.PENDING, Status.INCONCLUSIVE}:
            return Status.PENDING if Status.PENDING in statuses else Status.INCONCLUSIVE
        return Status.PARTIAL if self.earned > 0 else Status.FAILED

    @property
    def has_passed(self) -> bool:
        """Whether the check passed; speed may wait."""
        return self.status in (Status.PASSED, Status.PENDING, Status.INCONCLUSIVE)

    def mark(self) -> str:
        """The mark as written everywhere: ``7 / 9 (+3 pending)``."""
        nobody_decided = self.failed_by_kit or not self.provisional
        if nobody_decided and self.status is Status.NOT_GRADED:
            return "not graded"
        if self.practice:
            return "practice, no points"
        text = f"{self.earned:g} / {self.possible:g}"
        return f"{text} (+{self.pending:g} pending)" if self.pending else text

    def only(self, criterion: str) -> Report:
        """The report on one criterion."""
        return replace(self, criteria=(self.criterion(criterion),))

    def with_notes(self, notes: Sequence[str]) -> Report:
        """The report with notes added at the end."""
        return replace(self, notes=(*self.notes, *notes))

    def without_causes(self) -> Report:
        """The report with what was seen alone: no cause, no repair, no hint.

        The first line of a finding's message is what was seen.
        """
        shorter = [
            replace(
                one,
                findings=tuple(replace(f, message=first_line(f.message)) for f in one.findings),
                hints=(),
            )
            for one in self.criteria
        ]
        return replace(self, criteria=tuple(shorter))

    def criterion(self, name: str) -> CriterionResult:
        """Return the result of one criterion."""
        return next(c for c in self.criteria if c.name == name)

    def to_json(self) -> dict[str, object]:
        """Write the report as JSON, with its totals."""
        return {
            **vars(self),
            "schema": SCHEMA,
            "status": str(self.status),
            "earned": self.earned,
            "possible": self.possible,
            "pending": self.pending,
            "unproved": self.unproved and vars(self.unproved),
            "criteria": [c.to_json() for c in self.criteria],
        }

    @classmethod
    def from_json(cls, data: dict) -> Report:
        """Read what `to_json` gives.

        Raises:
            ValueError: another version of the kit wrote it.
        """
        if data.get("schema") != SCHEMA:
            raise ValueError(
                f"this report has schema {data.get('schema')!r}; this version reads {SCHEMA}. "
                "Grade again with the installed version."
            )
        return cls(
            lesson=data["lesson"],
            exercise=data["exercise"],
            criteria=tuple(CriterionResult.from_json(c) for c in data["criteria"]),
            provisional=data["provisional"],
            notes=tuple(data["notes"]),
            unproved=_read_unproved(data.get("unproved")),
            practice=data.get("practice") is True,
        )


def _read_unproved(data: dict | None) -> UnprovedLine | None:
    if data is None:
        return None
    texts = {name: clean(data[name], _MAX_HINT) for name in ("cell", "code", "reason")}
    return UnprovedLine(line=int(data["line"]), **texts)
