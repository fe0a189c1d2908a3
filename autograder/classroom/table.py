"""A class in a terminal and as CSV: a row for a student, a column for a criterion or an answer."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.classroom import messages
from autograder.classroom.marks import NOT_YET, Outcome, marking_tasks
from autograder.model.printable import one_line, printable
from autograder.model.reasons import OUTPUTS_FIRST
from autograder.model.report import CriterionResult, Status
from autograder.processes.files import write_whole
from autograder.render.progress import Steps
from autograder.render.terminal import plain
from autograder.render.words import CHECKED_LATER, NOT_GRADABLE

NEEDS_MANUAL_GRADE = "needs manual grade"
"""nbgrader's words: a person must give or confirm a mark."""

LATER_SYMBOL, NONE_SYMBOL = "*", "–"


@dataclass(frozen=True)
class TableEntry:
    """A student's entry in a column: points, or words that give the reason for none."""

    points: float | None
    possible: float = 0.0
    words: str = ""

    @property
    def text(self) -> str:
        """The points as a number, or the words."""
        return self.words if self.points is None else f"{self.points:g}"

    @property
    def short(self) -> str:
        """The text, or a symbol where the words are long."""
        if self.text == CHECKED_LATER:
            return LATER_SYMBOL
        return NONE_SYMBOL if self.text in (NOT_GRADABLE, NOT_YET) else self.text


def criterion_entry(criterion: CriterionResult | None) -> TableEntry:
    """Return the entry of a criterion, which is None where there is no result."""
    if criterion is None or criterion.has_no_mark:
        return TableEntry(None, words=NOT_YET)
    if criterion.is_open:
        return TableEntry(None, criterion.possible, str(criterion.status))
    if criterion.status is not Status.NOT_GRADED:
        return TableEntry(criterion.earned, criterion.possible)
    is_later = criterion.reason == OUTPUTS_FIRST
    return TableEntry(None, criterion.possible, CHECKED_LATER if is_later else NOT_GRADABLE)


@dataclass(frozen=True)
class Column:
    """A criterion of an exercise, or an answer in words, whose `exercise` is empty."""

    exercise: str
    name: str

    def entry(self, outcome: Outcome) -> TableEntry:
        """Return a student's entry."""
        if self.exercise:
            return criterion_entry(outcome.criteria.get((self.exercise, self.name)))
        for answer in outcome.answers:
            if answer.name == self.name:
                return TableEntry(answer.points, answer.possible, "pending")
        return TableEntry(None, words=NOT_YET)


def columns_of(outcomes: Sequence[Outcome]) -> list[Column]:
    """Return the criteria in the rubric's order, then the answers in words."""
    criteria = next((list(o.criteria) for o in outcomes if o.reports), [])
    answers = sorted({answer.name for outcome in outcomes for answer in outcome.answers})
    return [Column(*key) for key in criteria] + [Column("", name) for name in answers]


def max_score(outcomes: Sequence[Outcome]) -> float:
    """Return what the assignment is worth; 0 where nothing is graded yet."""
    return max((o.totals.max_score for o in outcomes if o.reports), default=0.0)


def csv_cell(text: object) -> str:
    """Return a text of unknown origin as a cell that no spreadsheet takes for a formula."""
    shown = printable(str(text))
    return f"'{shown}" if shown.lstrip()[:1] in ("=", "+", "-", "@") else shown


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def write_csv(path: Path, rows: Iterable[Sequence[object]]) -> None:
    """Write comma-separated values, whole or not at all."""
    # The name of a student's folder need not be valid text.
    write_whole(path, csv_text(rows).encode(errors="replace"))


def csv_rows(assignment: str, outcomes: Sequence[Outcome]) -> list[list[str]]:
    """Return the table with a header: points as numbers, all else as words.

    The columns of the criteria hold automatic points. ``earned``, ``possible``, ``pending`` and
    ``max_score`` are nbgrader's totals, with answers in words and marks given by hand.
    """
    columns = columns_of(outcomes)
    names = [f"{c.exercise}.{c.name}" if c.exercise else c.name for c in columns]
    sums = ("earned", "possible", "pending", "max_score")
    rows = [["assignment", "student_id", *names, *sums, "status", "review"]]
    for outcome in outcomes:
        review = [*outcome.review, *marking_tasks([outcome])]
        review += [messages.LIMITS_ROW] * outcome.is_limits_only
        row = [assignment, csv_cell(outcome.student)]
        row += [column.entry(outcome).text for column in columns]
        row += [f"{getattr(outcome.totals, n):g}" if outcome.has_mark else "" for n in sums]
        status = NEEDS_MANUAL_GRADE if outcome.waiting else "graded"
        row.append(status if outcome.is_graded else outcome.mark())
        rows.append([*row, csv_cell("; ".join(review))])
    return rows


def rich_table(assignment: str, outcomes: Sequence[Outcome]) -> Table:
    """Return the table for a terminal."""
    title = plain(f"Assignment {assignment}")
    table = Table(title=title, title_justify="left", caption_justify="left")
    columns = columns_of(outcomes)
    table.add_column("student")
    several = len({column.exercise for column in columns if column.exercise}) > 1
    for column in columns:
        name = column.name if column.exercise else column.name.replace("-", "\n", 1)
        heading = f"{column.exercise}\n{name}" if several and column.exercise else name
        table.add_column(plain(heading), justify="right")
    worth = max_score(outcomes)
    table.add_column(f"mark\nof {worth:g}" if worth else "mark", justify="right")
    for outcome in outcomes:
        entries = [column.entry(outcome).short for column in columns]
        table.add_row(*map(plain, (one_line(outcome.student), *entries, outcome.mark())))
        if LATER_SYMBOL in entries:
            table.caption = plain(f"{LATER_SYMBOL} {CHECKED_LATER}")
    return table


class Display:
    """Shows a line for each submission, as soon as it is recorded.

    Args:
        console: shows the lines.
        steps: one for each submission.
        several: whether they are of several assignments, which the lines then name.
    """

    def __init__(self, console: Console, steps: Steps, several: bool) -> None:
        self._console, self._steps, self._several = console, steps, several
        self._started = time.monotonic()

    def add(self, assignment: str, outcome: Outcome) -> None:
        """Show one more outcome, how many there are, and about how long the others will take."""
        self._steps.finish()
        done, count = self._steps.done, self._steps.total or 0
        left = (time.monotonic() - self._started) / done * (count - done)
        line = outcome_line(outcome, assignment if self._several else "")
        self._console.print(plain(f"[{done}/{count}, {left:.0f} s left] {line}"), soft_wrap=True)


def outcome_line(outcome: Outcome, assignment: str) -> str:
    """Return one submission in one line, with its assignment where that is not ""."""
    known = "" if outcome.fresh else "  (known)"
    seconds = f"{outcome.graded.seconds:5.1f} s" if outcome.graded and outcome.fresh else " " * 7
    review = f"  ! {outcome.review[0]}" if outcome.review else ""
    of = f"{assignment:<18} " if assignment else ""
    return f"{of}{one_line(outcome.student):<20} {seconds}  {outcome.mark()}{known}{review}"
