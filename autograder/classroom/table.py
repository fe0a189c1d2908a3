"""The class as a table: a row a student, a column a criterion; 0, pending and not graded differ."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from autograder.classroom.outcome import Outcome, says_what
from autograder.classroom.showable import showable
from autograder.classroom.totals import CellMark
from autograder.core.files import write_whole
from autograder.core.printable import one_line, printable
from autograder.core.report import CriterionResult, Status
from autograder.render.terminal import plain

NEEDS_MANUAL_GRADE = "needs manual grade"
"""In nbgrader's words: a person is to give a mark, or to confirm one."""


def cell(criterion: CriterionResult) -> str:
    """A criterion's points as a number, or the word for why there are none yet."""
    if criterion.status is Status.NOT_GRADED:
        return "not graded"
    if criterion.is_open:
        return str(criterion.status)
    return f"{criterion.earned:g}"


def max_score(outcomes: Sequence[Outcome]) -> float:
    """What the assignment is worth, decided or not; 0 where nothing is graded yet."""
    return max((o.totals.max_score for o in outcomes if o.reports), default=0.0)


def columns(outcomes: Sequence[Outcome]) -> list[tuple[str, str]]:
    """Exercise and criterion of each column, in the rubric's order."""
    for outcome in outcomes:
        if outcome.reports:
            return [(r.exercise, c.name) for r in outcome.reports for c in r.criteria]
    return []


def answer_cell(answer: CellMark | None) -> str:
    """The points of an answer in words as a number, or the word for why there are none yet."""
    if answer is None:
        return "not graded"
    return "pending" if answer.points is None else f"{answer.points:g}"


def answers(outcomes: Sequence[Outcome]) -> list[str]:
    """Grade ids of the answers in words, a column each."""
    return sorted({a.name for outcome in outcomes if outcome.reports for a in outcome.answers})


def _cells(outcome: Outcome, wanted: Sequence[tuple[str, str]], words: Sequence[str]) -> list[str]:
    if not outcome.reports:
        return ["not graded"] * (len(wanted) + len(words))
    found = {(r.exercise, c.name): cell(c) for r in outcome.reports for c in r.criteria}
    said = {answer.name: answer for answer in outcome.answers}
    marks = (found.get(column, "not graded") for column in wanted)
    return [*marks, *(answer_cell(said.get(w)) for w in words)]


def csv_text(assignment: str, outcomes: Sequence[Outcome]) -> str:
    """Comma-separated values with a header; points as numbers, the rest as words.

    The criteria are the automatic ones; ``earned``, ``possible`` and ``pending`` are nbgrader's, so
    that they hold answers in words and marks given by hand, and ``max_score`` is what the
    assignment is worth.
    """
    outcomes = showable(outcomes)
    wanted, words = columns(outcomes), answers(outcomes)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = [f"{exercise}.{criterion}" for exercise, criterion in wanted]
    sums = ("earned", "possible", "pending", "max_score")
    writer.writerow(["assignment", "student_id", *names, *words, *sums, "status", "look"])
    for outcome in outcomes:
        totals = outcome.totals
        writer.writerow(
            [
                assignment,
                outcome.student,
                *_cells(outcome, wanted, words),
                *(f"{getattr(totals, n):g}" if outcome.has_mark else "" for n in sums),
                _status(outcome),
                printable("; ".join((*outcome.look, *map(says_what, outcome.waiting)))),
            ]
        )
    return text.getvalue()


def _status(outcome: Outcome) -> str:
    if not outcome.is_graded:
        return outcome.mark()
    return NEEDS_MANUAL_GRADE if outcome.waiting else "graded"


def write_csv(path: Path, assignment: str, outcomes: Sequence[Outcome]) -> None:
    """Write the table, whole or not at all."""
    # A folder name may hold bytes that are no text.
    write_whole(path, csv_text(assignment, outcomes).encode(errors="replace"))


def rich_table(assignment: str, outcomes: Sequence[Outcome]) -> Table:
    """The table for a terminal."""
    outcomes = showable(outcomes)
    table = Table(title=plain(f"Assignment {assignment}"), title_justify="left")
    wanted, words = columns(outcomes), answers(outcomes)
    table.add_column("student")
    several = len({exercise for exercise, _ in wanted}) > 1
    for exercise, criterion in wanted:
        name = f"{exercise}\n{criterion}" if several else criterion
        table.add_column(plain(name), justify="right")
    for name in words:
        table.add_column(plain(name.replace("-", "\n", 1)), justify="right")
    worth = max_score(outcomes)
    table.add_column(f"mark\nof {worth:g}" if worth else "mark", justify="right")
    for outcome in outcomes:
        row = (one_line(outcome.student), *_cells(outcome, wanted, words), outcome.mark())
        table.add_row(*map(plain, row))
    return table
