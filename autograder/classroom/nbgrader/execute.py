"""In place of nbgrader's Execute: solution cells run in the workers, check cells never do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbformat.v4 import new_output
from nbgrader.preprocessors import Execute, NbGraderPreprocessor

from autograder.classroom import messages
from autograder.classroom.assignment import ClassError
from autograder.classroom.course_grader import course_grader
from autograder.classroom.handover import Handover, find_handover
from autograder.classroom.marks import (
    changed_points,
    check_mark,
    points_in,
    points_of_cells,
    speed_mark,
)
from autograder.classroom.nbgrader.exporter import INTAKE
from autograder.core.notebook import KIT_METADATA, NotebookNode
from autograder.core.report import Report
from autograder.core.rubric import speed_name
from autograder.grading.repair import Repaired
from autograder.lessons.course import the_course
from autograder.render.score import Score


class GradeIsolated(NbGraderPreprocessor):
    """Fills in the check cells of the kit's notebooks; other notebooks are executed as usual."""

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        kit = nb["metadata"].get(KIT_METADATA)
        if kit is None:
            return Execute(parent=self.parent).preprocess(nb, resources)
        exporter: Any = self.parent
        autograde = exporter.parent
        course = Path(autograde.coursedir.root)
        _check_points(nb, kit["lesson"], course)
        names = resources["nbgrader"]
        done = find_handover(names["assignment"], names["student"])
        done = done or _grade(nb, names["notebook"], course)
        by_exercise = {report.exercise: report for report in done.graded.reports}
        for cell in nb["cells"]:
            if cell["cell_type"] == "code":
                cell["outputs"], cell["execution_count"] = [], None
            identity = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
            for exercise, report in by_exercise.items():
                if identity == exercise:
                    cell["outputs"] = [_output(report, check_mark(report).points, done.notes)]
                elif identity == speed_name(exercise):
                    cell["outputs"] = [_output(report, speed_mark(report).points, ())]
        return nb, resources


def _grade(nb: NotebookNode, name: str, course: Path) -> Handover:
    """Grade a notebook that nbgrader's own command hands in."""
    intake = nb["metadata"][KIT_METADATA].get(INTAKE, {})
    notes = tuple(intake.get("notes", ()))
    repaired = Repaired(nb, notes, intake.get("unreadable", ""))
    return Handover(repaired, notes, course_grader(course).grade(repaired, name))


def _check_points(nb: NotebookNode, lesson: str, course: Path) -> None:
    """Whether the cells' points, which nbgrader took from its gradebook, are the rubric's.

    Raises:
        ClassError: the rubric was changed since; says what to do.
    """
    there = points_in(nb)
    new = {n: p for n, p in points_of_cells(the_course().rubric(lesson)).items() if n in there}
    changed = changed_points(there, new)
    if changed:
        raise ClassError(messages.OLD_POINTS.format(assignment=lesson, course=course, **changed))


def _output(report: Report, points: float | None, notes: tuple[str, ...]) -> NotebookNode:
    shown = Score(report.with_notes(notes))
    data = shown._repr_mimebundle_()
    # A number here would be a mark: what waits for a GPU or for a person has none.
    data["text/plain"] = repr(float(points)) if points is not None else report.mark()
    return new_output("execute_result", data=data, execution_count=1)
