"""Plan: what runs for each exercise of a notebook, and what its source proves, before it runs.

The source is read apart (`autograder.grading.apart`). What is graded is a function as bound where
its check stands. Where the slice that it needs is proved, that alone runs. Otherwise all cells
above the check run, and what is seen of them is only observed, as it is where the source cannot be
read within the limits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from autograder.criteria.compilations.proved import prove_compilations
from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, ReadingFailed, read_apart
from autograder.model.figures import Timeline
from autograder.model.notebook import Cell
from autograder.model.observation import Observation
from autograder.model.report import Report, UnprovedLine
from autograder.model.rubric import Exercise, Rubric
from autograder.source import JittedFunction


class Proof(NamedTuple):
    """The criteria that the source of an exercise proves, and what the watched calls compile."""

    criteria: tuple[str, ...] = ()
    timeline: Timeline | None = None

    def complete(self, seen: Observation) -> Observation:
        """Return what was observed, with what was not observed since it is proved."""
        return seen if self.timeline is None else replace(seen, timeline=self.timeline)


@dataclass(frozen=True)
class Run:
    """What one worker runs, for some exercises of a notebook.

    Attributes:
        cells: that run; of some, only the statements in `Cell.only`.
        exercises: names of those that are observed in it.
        unproved: the first line that is not proved; None where all that runs is proved pure.
        jitted: the exercises whose entry point is one jitted function.
        leaves_out: whether it could mean something else with all cells.
    """

    cells: tuple[Cell, ...]
    exercises: tuple[str, ...]
    unproved: UnprovedLine | None = None
    jitted: Mapping[str, JittedFunction] = field(default_factory=dict)
    leaves_out: bool = False

    @property
    def is_proved(self) -> bool:
        """Whether nothing that runs can have changed what is seen."""
        return self.unproved is None

    def prove(self, exercise: Exercise) -> Proof:
        """Return what the source proves of an exercise, with its draws chosen."""
        if not self.is_proved:
            return Proof()
        jitted = self.jitted.get(exercise.name)
        timeline = None if jitted is None else prove_compilations(exercise, jitted)
        return Proof(("purity", *(["compilations"] if timeline else [])), timeline)

    def apply(self, report: Report) -> Report:
        """Return the report with the evidence that the source allows for."""
        if self.is_proved:
            criteria = tuple(replace(c, evidence="proved") for c in report.criteria)
            return replace(report, criteria=criteria)
        assert self.unproved is not None
        unread = [self.unproved.reason] if self.unproved.is_unread else []
        return replace(report, unproved=self.unproved).with_notes(unread)


def plan_runs(cells: Sequence[Cell], rubric: Rubric) -> tuple[Run, ...]:
    """Read the cells, and return what runs for the exercises of a rubric.

    Raises:
        autograder.model.kit_fault.CannotJudge: nothing can be read on this machine.
        autograder.model.kit_fault.KitFault: the machine is too busy.
    """
    wanted = [[exercise.name, list(exercise.entry_points)] for exercise in rubric.exercises]
    try:
        found = read_apart(readings.plan, [[c.id, c.source, c.role] for c in cells], wanted)
    except (OutOfLimits, ReadingFailed) as error:
        unread = messages.UNREAD_SOURCE.format(problem=error.problem)
        names = tuple(exercise.name for exercise in rubric.exercises)
        return (Run(tuple(cells), names, UnprovedLine("", 0, "", unread)),)
    return tuple(
        Run(
            tuple(
                replace(cells[i], only=None if only is None else tuple(only))
                for i, only in one["cells"]
            ),
            tuple(one["exercises"]),
            one["unproved"] and _line(cells, *one["unproved"]),
            {
                name: JittedFunction(tuple(given), frozenset(static))
                for name, (given, static) in one["jitted"].items()
            },
            leaves_out=one["leaves_out"],
        )
        for one in found
    )


def run_all(cells: Sequence[Cell], exercise: str, before: Run) -> Run:
    """Return a run of all cells for an exercise that did not pass, in which nothing is proved."""
    slice_failed = UnprovedLine("", 0, "", messages.SLICE_FAILED)
    return Run(tuple(cells), (exercise,), before.unproved or slice_failed)


def _line(cells: Sequence[Cell], at: int, line: int, reason: str) -> UnprovedLine:
    """Return a line of the cell at a position; negative where no line is to blame."""
    cell = cells[max(0, at)]
    text = cell.source.split("\n")[line - 1 : line]
    return UnprovedLine(cell.id, line, text[0].strip()[:200] if at >= 0 and text else "", reason)
