"""Trust: how far what was seen of a submission can be believed, before anything is run.

Its source is read apart (`autograder.grading.apart`). Source that cannot be read within the limits
is not admitted: it runs as any other, and what is seen of it is only observed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.core.answers import literals
from autograder.core.finding import Finding
from autograder.core.notebook import Cell
from autograder.core.observation import Observation
from autograder.core.report import EVIDENCE, UNREAD_ANSWERS, Evidence, NotAdmitted, Report
from autograder.core.rubric import Exercise, Rubric
from autograder.grading import messages, readings
from autograder.grading.apart import OutOfLimits, ReadingFailed, read_apart, read_if_possible


def evidence_of(exercise: Exercise, criterion: str) -> Evidence:
    """Return the grade of evidence for a criterion, as long as nobody has read the source.

    What trusted code decides on the exported program is proved. What was seen beside the student's
    code is observed, and so is everything about an exercise that has no program.
    """
    return EVIDENCE[criterion] if exercise.kind == "program" else "observed"


@dataclass(frozen=True)
class Trust:
    """What reading a submission's source has shown.

    Attributes:
        not_admitted: the first thing that the allow-list does not admit, if any.
        read: what was read of each exercise whose answers are written down, or why that failed.
            Nothing is run for it.
        steady: whether the source is admitted and does the same in every process, so that a
            second process need not show it.
    """

    not_admitted: NotAdmitted | None
    read: Mapping[str, Observation] = field(default_factory=dict)
    steady: bool = False

    def apply(self, report: Report) -> Report:
        """Return the report with the evidence that the source allows for.

        What was read is proved. Where the allow-list admitted all of the source, what was observed
        is witnessed.
        """
        read = self.read.get(report.exercise)
        if read is not None and read.refused is not None:
            return report
        if read is not None:
            criteria = tuple(replace(c, evidence="proved") for c in report.criteria)
            return replace(report, criteria=criteria)
        if self.not_admitted is not None:
            unread = [self.not_admitted.what] if self.not_admitted.is_unread else []
            return replace(report, not_admitted=self.not_admitted).with_notes(unread)
        return replace(
            report,
            criteria=tuple(
                replace(c, evidence="witnessed") if c.evidence == "observed" else c
                for c in report.criteria
            ),
        )


def read_source(cells: Sequence[Cell], rubric: Rubric) -> Trust:
    """Read the cells that are going to run.

    Raises:
        autograder.core.kit_fault.CannotJudge: nothing can be read on this machine.
        autograder.core.kit_fault.KitFault: the machine is too busy.
    """
    read = {}
    for exercise in rubric.exercises:
        if exercise.kind == "answers":
            found = _read_answers(cells, exercise)
            read |= {exercise.name: found} if found is not None else {}
    try:
        found = read_apart(readings.admission, _sources(cells))
    except (OutOfLimits, ReadingFailed) as error:
        what = messages.UNREAD_SOURCE.format(problem=error.problem)
        return Trust(NotAdmitted("", 0, "", what), read)
    admitted = found["not_admitted"]
    return Trust(admitted and NotAdmitted(**admitted), read, found["steady"])


def read_rest(
    cells: Sequence[Cell], names: Collection[str], trust: Trust
) -> tuple[Cell, ...] | None:
    """Return the cells without what only shows something, where that makes them admitted.

    Args:
        cells: all cells of the submission that may run.
        names: those that are graded.
        trust: in the cells.
    """
    if trust.not_admitted is None or trust.not_admitted.is_unread:
        return None
    rest = read_if_possible(readings.without_shown, _sources(cells), sorted(names))
    return None if rest is None else tuple(Cell(*source) for source in rest)


def read_when_checked(
    cells: Sequence[Cell], run: Sequence[Cell], exercise: Exercise
) -> tuple[Cell, ...] | None:
    """Return the cells that had run at the last check; see `rebound.cells_when_checked`."""
    parts = _sources(cells), _sources(run)
    found = read_if_possible(readings.when_checked, *parts, exercise.name)
    return None if found is None else tuple(Cell(*source) for source in found)


def _read_answers(cells: Sequence[Cell], exercise: Exercise) -> Observation | None:
    """Return the answers that are written down; None where running the cells may give others."""
    (name, *_), questions = exercise.entry_points, list(exercise.questions)
    try:
        given = read_apart(readings.written, _sources(cells), name, questions)
    except (OutOfLimits, ReadingFailed) as error:
        text = messages.UNREAD_ANSWERS.format(name=name, problem=error.problem)
        return Observation(refused=(UNREAD_ANSWERS, Finding.error(UNREAD_ANSWERS, text)))
    return None if given is None else Observation(answers=literals(given, questions) or {})


def _sources(cells: Sequence[Cell]) -> list[readings.CellParts]:
    return [[cell.id, cell.source, cell.role] for cell in cells]
