"""The class as a table: a row a student, a column a criterion; 0, pending and not graded differ."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from autograder.atomic import write_whole
from autograder.classroom.outcome import Outcome
from autograder.classroom.showable import showable
from autograder.printable import one_line, printable
from autograder.report import CriterionResult, Status
from autograder.terminal import plain


def cell(criterion: CriterionResult) -> str:
    """A criterion's points as a number, or the word for why there are none yet."""
    if criterion.status is Status.NOT_GRADED:
        return "not graded"
    if criterion.is_open:
        return str(criterion.status)
    return f"{criterion.earned:g}"


def columns(outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
    """Exercise and criterion of each column, in the rubric's order."""
    for outcome in outcomes:
        if outcome.reports:
            return [(r.exercise, c.name) for r in outcome.reports for c in r.criteria]
    return []


def _cells(outcome: Outcome, wanted: Sequence[tuple[str, str]]) -> list[str]:
    if not outcome.reports:
        return ["not graded"] * len(wanted)
    found = {(r.exercise, c.name): cell(c) for r in outcome.reports for c in r.criteria}
    return [found.get(column, "not graded") for column in wanted]


def csv_text(assignment: str, outcomes: Sequence[Outcome]) -> str:
    """Comma-separated values with a header; points as numbers, the rest as words."""
    outcomes = showable(outcomes)
    wanted = columns(outcomes)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [f"{exercise}.{criterion}" for exercise, criterion in wanted]
    writer.writerow(
        ["assignment", "student_id", *names, "earned", "possible", "pending", "status", "look"]
    )
    for outcome in outcomes:
        reports = outcome.reports
        sums = [
            f"{sum(getattr(r, n) for r in reports):g}" if outcome.has_mark else ""
            for n in ("earned", "possible", "pending")
        ]
        status = "graded" if outcome.is_graded else outcome.mark()
        writer.writerow(
            [
                assignment,
                outcome.student,
                *_cells(outcome, wanted),
                *sums,
                status,
                printable("; ".join(outcome.look)),
            ]
        )
    return text.getvalue()


def write_csv(path: Path, assignment: str, outcomes: Sequence[Outcome]) -> None:
    """Write the table, whole or not at all."""
    # A folder name may hold bytes that are no text.
    write_whole(path, csv_text(assignment, outcomes).encode(errors="replace"))


def rich_table(assignment: str, outcomes: Sequence[Outcome]) -> Table:
    """The table for a terminal."""
    outcomes = showable(outcomes)
    table = Table(title=plain(f"Assignment {assignment}"), title_justify="left")
    wanted = columns(outcomes)
    table.add_column("student")
    several = len({exercise for exercise, _ in wanted}) > 1
    for exercise, criterion in wanted:
        name = f"{exercise}\n{criterion}" if several else criterion
        table.add_column(plain(name), justify="right")
    table.add_column("mark", justify="right")
    for outcome in outcomes:
        row = (one_line(outcome.student), *_cells(outcome, wanted), outcome.mark())
        table.add_row(*map(plain, row))
    return table
