"""nbgrader's steps that the kit replaces: release starters, read submissions, run the cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from nbconvert.exporters import NotebookExporter
from nbformat.v4 import new_output
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor
from traitlets import Bool, Float, List, Unicode

from autograder.classroom import messages
from autograder.classroom.course_folder import ClassError, find_rubric_files
from autograder.classroom.course_grader import course_grader
from autograder.classroom.course_lessons import course_lessons
from autograder.classroom.marks import (
    check_points,
    defence_points_in,
    marks_of,
    points_in,
    points_of_cells,
)
from autograder.classroom.outcome import Outcome
from autograder.classroom.recording import Handover, find_handover
from autograder.classroom.staging import Staged, find_submission
from autograder.classroom.walls import warn_of_limits
from autograder.grading.pipeline import prepare
from autograder.grading.read import read_file
from autograder.grading.repair import Repaired
from autograder.lessons.authoring import has_starter, is_solution, release_cell, released_version
from autograder.model.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.nbgrader_bridge.lateness import read_strictly
from autograder.render.score import Score

IN_DOUBT = "autograder_in_doubt"
"""Among nbconvert's resources: whether it is not certain which of a student's files counts."""


class Read(NamedTuple):
    """A submission that the exporter has read, for the preprocessor that grades it."""

    repaired: Repaired
    in_doubt: bool


_read: dict[tuple[str, str], Read] = {}


class PutStarters(ClearSolutions):
    """Puts broken starter code in the place of each solution.

    Where a notebook that was made by hand has none, nbgrader puts its stub.

    Raises:
        ClassError: a rubric lies beside the notebook. nbgrader then releases nothing.
        LessonError: a cell marks a starter, but not as it must.
    """

    def preprocess(self, nb, resources):
        folder = resources.get("metadata", {}).get("path")
        rubrics = find_rubric_files(Path(folder)) if folder else []
        if rubrics:
            raise ClassError(messages.RUBRIC_RELEASED.format(file=rubrics[0]))
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        if is_solution(cell) and not has_starter(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        if is_solution(cell):
            cell.source = release_cell(cell)
        return cell, resources


class TolerantExporter(NotebookExporter):
    """Reads submissions of any shape: what nbgrader cannot read would end the run of a class.

    It replaces nbconvert's exporter for `Autograde` only. That makes it before it looks at a
    submission, so from then on timestamps are read strictly, too.
    """

    def __init__(self, config: Any = None, **kw: Any) -> None:
        super().__init__(config=config, **kw)
        coursedir = getattr(self.parent, "coursedir", None)
        if coursedir is not None:
            read_strictly(coursedir)

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        autograde: Any = self.parent
        if not getattr(autograde, "_sanitizing", False) or resources is None:
            return super().from_file(file_stream, resources, **kw)
        notebook = _read_submission(file_stream, autograde.coursedir, resources["nbgrader"])
        return self.from_notebook_node(notebook, resources=resources, **kw)


def find_released(coursedir: Any, names: dict[str, str]) -> NotebookNode | None:
    """Return the notebook that nbgrader names, as students were given it; None if not the kit's."""
    folder = coursedir.format_path(coursedir.source_directory, ".", names["assignment"])
    lesson = course_lessons(Path(coursedir.root)).grades_by_hand(names["assignment"])
    return released_version(Path(folder) / f"{names['notebook']}.ipynb", lesson)


def _read_submission(file_stream: Any, coursedir: Any, names: dict[str, str]) -> NotebookNode:
    handover = find_handover(names["assignment"], names["student"])
    if handover is not None:
        return handover.repaired.notebook
    released = find_released(coursedir, names)
    if released is None:
        notebook = nbformat.read(file_stream, as_version=4)
        # The source folder alone says what is a lesson of the kit, never the submission.
        notebook["metadata"].pop(KIT_METADATA, None)
        return notebook
    course, submitted = Path(coursedir.root), Path(file_stream.name)
    if submitted.resolve().is_relative_to((course / "submitted").resolve()):
        staged = find_submission(course, names["assignment"], names["student"], released)
    else:  # this course keeps submissions elsewhere
        raw, folder = read_file(submitted), submitted.parent
        staged = Staged(names["student"], raw, submitted.name, folder=folder)
    repaired = prepare(staged.raw, staged.file, released, folder=staged.folder)
    said = (*staged.notes, *staged.review, *repaired.notes)
    read = Read(replace(repaired, notes=said), bool(staged.doubts))
    _read[names["assignment"], names["student"]] = read
    return repaired.notebook


class GradeIsolated(NbGraderPreprocessor):
    """Runs solution cells in the workers and fills in check cells, which are never run.

    Notebooks that are not the kit's are executed as usual.
    """

    defence_points = Float(
        0.0, help="Points for the cell that asks about the student's own program."
    ).tag(config=True)
    draws_by_student = Bool(
        False, help="Whether each student is judged on secret inputs of their own."
    ).tag(config=True)

    limits_only = Bool(
        False,
        help="Whether to grade where no wall confines submissions: they can do all that you can.",
    ).tag(config=True)
    lessons = List(
        Unicode(), help="Your own lesson folders, whose rubrics are run; from the course's folder."
    ).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        kit = nb["metadata"].get(KIT_METADATA)
        if kit is None:
            return Execute(parent=self.parent).preprocess(nb, resources)
        exporter: Any = self.parent
        course = Path(exporter.parent.coursedir.root)
        names = resources["nbgrader"]
        key = names["assignment"], names["student"]
        done = find_handover(*key)
        read = _read.pop(key, None) or Read(Repaired(nb), False)
        repaired = done.repaired if done else read.repaired
        _check_points(nb, repaired.notebook, kit["lesson"], course)
        if done is None:  # under nbgrader's own command
            grader = course_grader(course, limits_only=self.limits_only)
            graded = grader.grade(repaired, names["notebook"], names["student"])
            notes = (*grader.notes, *repaired.notes)
            done = Handover(repaired, notes, graded, read.in_doubt)
            for warning in warn_of_limits([Outcome(names["student"], graded)]):
                self.log.warning(warning)
        resources[IN_DOUBT] = done.in_doubt
        filled = {}
        for report in done.graded.reports:
            for name, mark in marks_of(report).items():
                # A number would be a mark: what waits for a GPU or for a person has none.
                text = report.mark() if mark.points is None else repr(float(mark.points))
                notes = done.notes if name == report.exercise else ()
                data = Score(report.with_notes(notes))._repr_mimebundle_() | {"text/plain": text}
                filled[name] = new_output("execute_result", data=data, execution_count=1)
        for name in set(defence_points_in(nb)) - set(filled):
            filled[name] = new_output("stream", name="stdout", text=messages.NOT_COUNTED)
        for cell in nb["cells"]:
            if cell["cell_type"] == "code":
                output = filled.get(cell["metadata"].get("nbgrader", {}).get("grade_id"))
                cell["outputs"] = [] if output is None else [output]
                cell["execution_count"] = None
        return nb, resources


def _check_points(nb: NotebookNode, source: NotebookNode, lesson: str, course: Path) -> None:
    """Check that the cells' points, which nbgrader took from its gradebook, are the course's."""
    old = points_in(nb)
    given = points_of_cells(course_lessons(course).rubric(lesson))
    new = {name: points for name, points in given.items() if name in old}
    new |= defence_points_in(source)
    check_points(old, new, messages.OLD_GRADEBOOK, assignment=lesson, course=course)
