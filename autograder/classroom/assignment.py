"""An assignment of a course: its rubric, its submissions, and their results so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.classroom import messages
from autograder.classroom.course_folder import ClassError, defence_points, source_notebook
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.marks import (
    Totals,
    check_points,
    defence_points_in,
    hold_back,
    points_in,
    points_of_cells,
)
from autograder.classroom.outcome import Outcome, make_showable, not_showable, reasons_to_review
from autograder.classroom.places import assignments_of, students_of
from autograder.classroom.staging import Staged, find_submission
from autograder.classroom.timestamps import course_clock
from autograder.grading.own_words import answers_elsewhere
from autograder.grading.pipeline import name_skipped_files, notebook_in, prepare, refuse_unreadable
from autograder.grading.repair import Repaired
from autograder.judge.client import shared_class_judge
from autograder.lessons.authoring import released_version
from autograder.model.exercise import ProgramExercise
from autograder.model.graded import Graded
from autograder.model.notebook import KIT_METADATA, Notebook, NotebookNode
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms

_KEPT = 2**20
"""Bytes that are kept of a file that cannot be read."""


@dataclass(frozen=True)
class Task:
    """One submission to grade: the files handed in, the notebook, and its key in the store."""

    staged: Staged
    repaired: Repaired
    notebook: Notebook
    digest: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Assignment:
    """The submissions for one lesson; each is read when it is needed.

    Attributes:
        grader: of the course.
        name: of the lesson.
        rubric: of the lesson.
        released: the notebook as released to students.
        students: whose submissions these are.
    """

    grader: CourseGrader
    name: str
    rubric: Rubric
    released: NotebookNode
    students: tuple[str, ...]

    def check_source(self) -> None:
        """Check that the course's grade cells have the points of the rubric and of the config.

        Raises:
            ClassError: one of these was changed after the course was made.
        """
        where = {"course": self.grader.course, "assignment": self.name}
        points = points_of_cells(self.rubric)
        by_hand = self.released["metadata"][KIT_METADATA].get("by_hand")
        message = messages.OTHER_POINTS if by_hand else messages.OLD_SOURCE
        check_points(points_in(self.released), points, message, **where)
        wanted = defence_points(self.grader.course)
        if wanted is not None and isinstance(self.rubric.defended, ProgramExercise):
            old = defence_points_in(self.released)
            check_points(old, dict.fromkeys(old, wanted), messages.OLD_DEFENCE, **where)

    @property
    def points(self) -> dict[str, float]:
        """The points that the gradebook's cells must have, by grade id."""
        return points_of_cells(self.rubric) | defence_points_in(self.released)

    def task(self, student: str) -> Task:
        """Read one student's submission, and fit it to the released version."""
        staged = find_submission(self.grader.course, self.name, student, self.released)
        repaired = prepare(staged.raw, staged.file, self.released, folder=staged.folder)
        notebook = notebook_in(repaired, self.rubric.lesson)
        digest = self.grader.digest(notebook, self.rubric, student)
        if repaired.unreadable:  # it may be large, and memory holds many
            staged = replace(staged, raw=staged.raw[:_KEPT])
        notes = (*self.grader.notes, *staged.notes, *repaired.notes)
        return Task(staged, repaired, notebook, digest, notes)

    def find_result(self, task: Task) -> Graded | None:
        """Return the known result of a submission; None where it must be graded."""
        if task.repaired.unreadable:
            key = self.grader.key_of(self.rubric, task.staged.student)
            terms = Terms(self.rubric, shared_class_judge(), key)
            return refuse_unreadable(task.repaired, terms)
        return self.grader.find_result(task.digest)

    def outcome(
        self, task: Task, graded: Graded, fresh: bool, recorded: Totals | None = None
    ) -> Outcome:
        """Add its notes, and what a GPU has measured since, to the result of a submission."""
        graded = self.grader.add_speed(graded, self.rubric, task.staged.student)
        graded = replace(name_skipped_files(graded, task.notebook.beside), notes=task.notes)
        if self.grader.strict:
            graded = replace(graded, reports=tuple(map(hold_back, graded.reports)))
        review = (*task.staged.review, *reasons_to_review(graded.reports))
        points = points_in(self.released)
        staged, elsewhere = task.staged, answers_elsewhere(task.repaired.notebook, self.released)
        outcome = Outcome(
            staged.student,
            graded,
            review,
            fresh,
            points=points,
            elsewhere=elsewhere,
            doubts=staged.doubts,
        )
        return outcome.with_recorded(recorded)

    def known_outcomes(self, recorded: Mapping[str, Totals]) -> list[Outcome]:
        """Return the outcome of each student, with the recorded marks, without grading."""
        found = []
        for student in self.students:
            try:
                task = self.task(student)
                graded = self.find_result(task) or self.grader.find_result(task.digest, final=False)
                if graded is None:
                    review = task.staged.review
                    outcome = Outcome(student, None, review, fresh=False, why=messages.RUN_GRADE)
                else:
                    outcome = self.outcome(task, graded, False, recorded.get(student))
                found.append(make_showable(outcome))
            except Exception as error:  # the other submissions are still shown
                found.append(not_showable(student, error))
        return found


def open_assignments(
    grader: CourseGrader, names: Sequence[str] = (), students: Sequence[str] = ()
) -> list[Assignment]:
    """Open assignments of a course.

    Args:
        grader: of the course.
        names: of the assignments; default: all that anybody has handed in.
        students: whose submissions; default: all. A student need not have handed in each.

    Raises:
        ClassError: no such assignment, nothing handed in, or no such zone in the course's settings.
    """
    course = grader.course
    course_clock(course)  # wrong settings are told once, not for each submission
    if not names:
        there = assignments_of(course)
        names = [name for name in grader.lessons.names() if name in there]
    if not names:
        raise ClassError(messages.NOTHING_AT_ALL.format(course=course))
    opened: list[Assignment] = []
    strangers = set(students)
    for name in dict.fromkeys(names):
        source = source_notebook(course, name)
        released = released_version(source, grader.lessons.grades_by_hand(name))
        if released is None:
            text = messages.NO_RUBRIC if source.is_file() else messages.NO_ASSIGNMENT
            raise ClassError(text.format(course=course, assignment=name))
        owners = students_of(course, name)
        strangers.difference_update(owners)
        if not owners and not students:
            raise ClassError(messages.NOTHING_HANDED_IN.format(assignment=name))
        wanted = tuple(s for s in owners if not students or s in students)
        if wanted:
            opened.append(Assignment(grader, name, grader.rubric(name), released, wanted))
    if strangers:
        raise ClassError(messages.NOT_HANDED_IN_BY.format(students=", ".join(sorted(strangers))))
    return opened
