"""nbgrader's steps that the kit replaces: release starters, read submissions, run the cells."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from nbconvert.exporters import NotebookExporter
from nbformat.v4 import new_output
from nbgrader.preprocessors import ClearSolutions, Execute, NbGraderPreprocessor
from traitlets import Bool, Float, List, Unicode

from autograder.classroom import messages
from autograder.classroom.assignment import Assignment
from autograder.classroom.course_config import CONFIG_FILE, ClassError, CourseConfig, read_config
from autograder.classroom.course_folder import find_rubric_files
from autograder.classroom.course_grader import (
    CourseGrader,
    accepted_protections,
    protection_here,
)
from autograder.classroom.gradebook import Handover, handovers
from autograder.classroom.handed_in import Staged
from autograder.classroom.marks import marks_of, points_in, warn_of_limits
from autograder.classroom.timestamps import find_timestamp
from autograder.grading.read import read_file
from autograder.lessons.authoring import has_starter, is_solution, release_cell, released_version
from autograder.model.notebook import KIT_METADATA, NotebookNode, nbformat
from autograder.render.score import Score

HANDOVER = "autograder_handover"
"""Among nbconvert's resources: the graded submission, where it is one of the kit's."""


def config_of(coursedir: Any) -> CourseConfig:
    """Read the configuration of the course that nbgrader works on."""
    course = Path(coursedir.root)
    return read_config(course) if (course / CONFIG_FILE).is_file() else CourseConfig(course)


class PutStarters(ClearSolutions):
    """Puts broken starter code in the place of each solution.

    Where a notebook that was made by hand has none, nbgrader puts its stub.

    Raises:
        ClassError: a rubric lies beside the notebook. nbgrader then releases nothing.
        LessonError: a cell marks a starter, but not as it must.
    """

    def preprocess(self, nb, resources):
        """Release a notebook."""
        folder = resources.get("metadata", {}).get("path")
        rubrics = find_rubric_files(Path(folder)) if folder else []
        if rubrics:
            raise ClassError(messages.RUBRIC_RELEASED.format(file=rubrics[0]))
        return super().preprocess(nb, resources)

    def preprocess_cell(self, cell, resources, cell_index):
        """Release a cell."""
        if is_solution(cell) and not has_starter(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        if is_solution(cell):
            cell.source = release_cell(cell)
        return cell, resources


class TolerantExporter(NotebookExporter):
    """Reads submissions of any shape: what nbgrader cannot read would end the run of a class.

    It replaces nbconvert's exporter for `Autograde` only. That makes it before it looks at a
    submission, so from then on timestamps are read strictly, too: nbgrader's own reading guesses,
    and fails on what is not a time.
    """

    def __init__(self, config: Any = None, **kw: Any) -> None:
        super().__init__(config=config, **kw)
        coursedir = getattr(self.parent, "coursedir", None)
        if coursedir is not None:
            self.course = config_of(coursedir)
            coursedir.get_existing_timestamp = self._find_time

    def _find_time(self, folder: str) -> datetime | None:
        return find_timestamp(Path(folder), self.course.clock).when

    def from_file(self, file_stream: Any, resources: Any = None, **kw: Any) -> Any:
        """Read a submission where nbgrader is about to sanitize it."""
        autograde: Any = self.parent
        if not getattr(autograde, "_sanitizing", False) or resources is None:
            return super().from_file(file_stream, resources, **kw)
        source = autograde.coursedir.source_directory
        names = resources["nbgrader"]
        folder = Path(autograde.coursedir.format_path(source, ".", names["assignment"]))
        notebook = _read_submission(file_stream, self.course, folder, names)
        return self.from_notebook_node(notebook, resources=resources, **kw)


def course_of(exporter: Any) -> CourseConfig:
    """Return the configuration of the course whose submission an exporter has read.

    Raises:
        ClassError: another exporter did, which takes the submission's word for what it is.
    """
    if not isinstance(exporter, TolerantExporter):
        raise ClassError(messages.OTHER_EXPORTER)
    return exporter.course


def _read_submission(
    file_stream: Any, config: CourseConfig, source: Path, names: dict[str, str]
) -> NotebookNode:
    """Read a submission, and note it among the handovers where it is one of the kit's."""
    key = assignment, name, student = names["assignment"], names["notebook"], names["student"]
    known = handovers.get(key)
    if known is not None and known.graded is not None:
        return known.task.repaired.notebook
    lesson = config.lessons().grades_by_hand(assignment)
    released = released_version(source / f"{name}.ipynb", lesson)
    if released is None:
        notebook = nbformat.read(file_stream, as_version=4)
        # The source folder alone says what is a lesson of the kit, never the submission.
        notebook["metadata"].pop(KIT_METADATA, None)
        return notebook
    grader = CourseGrader(config)
    rubric = grader.lessons.rubric(released["metadata"][KIT_METADATA]["lesson"])
    opened = Assignment(grader, assignment, rubric, released, (student,))
    submitted = Path(file_stream.name)
    if submitted.resolve().is_relative_to((config.course / "submitted").resolve()):
        task = opened.task(student)
    else:  # this course keeps submissions elsewhere
        folder = submitted.parent
        task = opened.fit(Staged(student, read_file(submitted), submitted.name, folder=folder))
    handovers[key] = Handover(opened, task)
    return task.repaired.notebook


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
        """Grade a notebook, unless that was done before, and fill in its check cells."""
        names = resources["nbgrader"]
        course_of(self.parent)  # another exporter may have read anything
        done = handovers.pop((names["assignment"], names["notebook"], names["student"]), None)
        if done is None:
            return Execute(parent=self.parent).preprocess(nb, resources)
        assignment, task, graded = done.assignment, done.task, done.graded
        grader = assignment.grader
        # The cells' points are those of nbgrader's gradebook.
        assignment.check_points(points_in(nb), "the gradebook")
        if graded is None:  # under nbgrader's own command
            accepted = accepted_protections(limits_only=self.limits_only)
            grader.accepted = (protection_here(accepted),)
            outcome = assignment.outcome(task, assignment.grade(task), fresh=True)
            graded = outcome.graded
            assert graded is not None
            for warning in warn_of_limits([outcome]):
                self.log.warning(warning)
        remarks = (*grader.notes, *task.staged.notes, *task.staged.review, *task.repaired.notes)
        resources[HANDOVER] = done
        filled = {}
        for report in graded.reports:
            for name, mark in marks_of(report).items():
                # A number would be a mark: what waits for a GPU or for a person has none.
                text = report.mark() if mark.points is None else repr(float(mark.points))
                notes = remarks if name == report.exercise else ()
                data = Score(report.with_notes(notes))._repr_mimebundle_() | {"text/plain": text}
                filled[name] = new_output("execute_result", data=data, execution_count=1)
        for cell in (cell for cell in nb["cells"] if cell["cell_type"] == "code"):
            mark = cell["metadata"].get("nbgrader", {})
            output = filled.get(mark.get("grade_id"))
            if output is None and mark.get("grade") and not mark.get("points"):
                output = new_output("stream", name="stdout", text=messages.NOT_COUNTED)
            cell["outputs"] = [] if output is None else [output]
            cell["execution_count"] = None
        return nb, resources
