"""The instructor's page of an assignment: one HTML file without scripts, for any browser."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from autograder.classroom.marks import Outcome, marking_tasks, warn_of_limits
from autograder.classroom.table import Column, TableEntry, columns_of, max_score
from autograder.model.figures import SpeedBars
from autograder.model.finding import Finding
from autograder.model.reasons import OUTPUTS_FIRST
from autograder.render import remark
from autograder.render.markup import load_template
from autograder.render.words import CHECKED_LATER, heading_of, message_of, speed_words


@dataclass(frozen=True)
class Mistake:
    """One rule that submissions broke.

    Attributes:
        exercise, criterion, rule: what was broken.
        students: who broke it, each once.
        example: the finding with the most frequent message.
        example_of: the student whose finding that is.
    """

    exercise: str
    criterion: str
    rule: str
    students: tuple[str, ...]
    example: Finding
    example_of: str


def count_mistakes(outcomes: Sequence[Outcome]) -> list[Mistake]:
    """Count the errors of a class by rule, the most frequent first; warnings do not count."""
    found: dict[tuple[str, str, str], list[tuple[str, Finding]]] = defaultdict(list)
    for outcome in outcomes:
        for (exercise, name), criterion in outcome.criteria.items():
            if criterion.reason == OUTPUTS_FIRST:
                continue  # the wrong outputs may be its cause
            for finding in criterion.findings:
                if finding.severity == "error":
                    found[exercise, name, finding.rule].append((outcome.student, finding))
    mistakes = []
    for key, seen in found.items():
        usual = Counter(finding.message for _, finding in seen).most_common(1)[0][0]
        student, example = next(s for s in seen if s[1].message == usual)
        students = tuple(dict.fromkeys(student for student, _ in seen))
        mistakes.append(Mistake(*key, students, example, student))
    return sorted(mistakes, key=lambda m: -len(m.students))


def shade(entry: TableEntry) -> str:
    """Return the kind of a table cell, which decides its colour."""
    if entry.points is None:
        return entry.words if entry.words in ("pending", "inconclusive") else "none"
    share = entry.points / entry.possible if entry.possible else 1.0
    if share <= 0:
        return "zero"
    return "low" if share < 0.5 else "high" if share < 1 else "full"


def _cell(outcome: Outcome, column: Column) -> dict[str, str]:
    entry = column.entry(outcome)
    title = f"{entry.text} of {entry.possible:g}" if entry.points is not None else entry.words
    criterion = outcome.criteria.get((column.exercise, column.name))
    if criterion is not None:
        rules = sorted({f.rule for f in criterion.findings if f.severity == "error"})
        title = ": ".join([remark(criterion) or title, *rules[:1]])
        if isinstance(criterion.figure, SpeedBars):
            title = f"{title}. {speed_words(criterion.figure)}"
    text = {"pending": "…", "inconclusive": "?"}.get(entry.text, entry.short)
    return {"kind": shade(entry), "text": text, "title": title}


def _summary(outcomes: Sequence[Outcome], column: Column) -> dict[str, Any]:
    entries = [column.entry(outcome) for outcome in outcomes]
    points = [entry.points for entry in entries if entry.points is not None]
    return {
        "name": column.name,
        "possible": max(entry.possible for entry in entries),
        "mean": statistics.fmean(points) if points else None,
        "full": sum(shade(entry) == "full" for entry in entries),
    }


def class_page(
    course: str, assignment: str, outcomes: Sequence[Outcome], notes: Sequence[str] = ()
) -> str:
    """Return the page of an assignment of the named course, as HTML.

    `notes` say how the course grades.
    """
    columns = columns_of(outcomes)
    seconds = sorted(o.graded.seconds for o in outcomes if o.reports and o.graded)
    marks = [o.totals.earned for o in outcomes if o.has_mark]
    return load_template("autograder.classroom", "class_page.html").render(
        course=course,
        assignment=assignment,
        notes=notes,
        warnings=warn_of_limits(outcomes),
        written=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        rows=[(outcome, [_cell(outcome, column) for column in columns]) for outcome in outcomes],
        exercises=Counter(column.exercise or "in words" for column in columns),
        columns=[_summary(outcomes, column) for column in columns],
        later=CHECKED_LATER,
        possible=max_score(outcomes),
        mean=statistics.fmean(marks) if marks else None,
        pending=sum(bool(o.totals.pending) for o in outcomes if o.has_mark),
        ungraded=[o.student for o in outcomes if not o.reports],
        review=[o for o in outcomes if o.needs_review],
        to_mark=marking_tasks(outcomes),
        observed=[(o.student, r) for o in outcomes for r in o.reports if r.unproved],
        mistakes=count_mistakes(outcomes),
        heading_of=heading_of,
        message_of=message_of,
        seconds_of_all=sum(seconds),
        median=statistics.median(seconds) if seconds else 0.0,
        longest=seconds[-1] if seconds else 0.0,
    )
