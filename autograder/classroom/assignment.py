"""An assignment of a course: its rubric, its submissions, and their results so far."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial

from autograder.classroom import messages
from autograder.classroom.course_config import ClassError, source_notebook
from autograder.classroom.course_grader import CourseGrader
from autograder.classroom.handed_in import Staged, StudentFolder, find_submission, student_folders
from autograder.classroom.marks import (
    Outcome,
    Totals,
    hold_back,
    make_showable,
    not_showable,
    points_in,
    reasons_to_review,
    required_points,
)
from autograder.grading.own_words import answers_elsewhere
from autograder.grading.pipeline import (
    grade_notebook,
    grade_with_retry,
    name_skipped_files,
    notebook_in,
    prepare,
    refuse_unreadable,
)
from autograder.grading.repair import Repaired
from autograder.judge.client import shared_class_judge
from autograder.lessons.authoring import released_version
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
        by_hand = self.released["metadata"][KIT_METADATA].get("by_hand")
        message = messages.OTHER_POINTS if by_hand else messages.OLD_POINTS
        self.check_points(points_in(self.released), f"source/{self.name}", message)

    def check_points(
        self, old: Mapping[str, float], where: str, message: str = messages.OLD_POINTS
    ) -> None:
        """Check that grade cells have the points that the gradebook's cells must have.

        Args:
            old: their points, by grade id.
            where: in which file or gradebook, in words.
            message: of the error.

        Raises:
            ClassError: a cell has other points.
        """
        defence = self.grader.config.defence_points
        for name, new in required_points(self.rubric, self.released, defence).items():
            if old.get(name, 0.0) != new:
                words = {"cell": name, "old": old.get(name, 0.0), "new": new, "where": where}
                course, assignment = self.grader.course, self.name
                raise ClassError(message.format(**words, course=course, assignment=assignment))

    def task(self, student: str) -> Task:
        """Read one student's submission, and fit it to the released version."""
        return self.fit(find_submission(self.grader.config, self.name, student, self.released))

    def fit(self, staged: Staged) -> Task:
        """Fit a submission to the released version."""
        repaired = prepare(staged.raw, staged.file, self.released, folder=staged.folder)
        notebook = notebook_in(repaired, self.rubric.lesson)
        digest = self.grader.digest(notebook, self.rubric, staged.student)
        if repaired.unreadable:  # it may be large, and memory holds many
            staged = replace(staged, raw=staged.raw[:_KEPT])
        notes = (*self.grader.notes, *staged.notes, *repaired.notes)
        return Task(staged, repaired, notebook, digest, notes)

    def find_result(self, task: Task) -> Graded | None:
        """Return the known result of a submission; None where it must be graded."""
        if task.repaired.unreadable:
            return refuse_unreadable(task.repaired, self._terms(task))
        return self.grader.find_result(task.digest)

    def grade(self, task: Task) -> Graded:
        """Grade a submission alone, as `nbgrader autograde` does, unless its result is known."""
        graded = self.find_result(task)
        if graded is None:
            graded = grade_with_retry(partial(self.run, task))
            self.grader.keep_result(task.digest, graded)
        return graded

    def run(self, task: Task) -> Graded:
        """Grade a submission in this process."""
        graded = grade_notebook(task.notebook, task.staged.file, self._terms(task))
        return replace(graded, confined_by=str(self.grader.accepted[0]))

    def _terms(self, task: Task) -> Terms:
        key = self.grader.key_of(self.rubric, task.staged.student)
        return Terms(self.rubric, shared_class_judge(), key)

    def outcome(self, task: Task, graded: Graded, fresh: bool) -> Outcome:
        """Add its notes, and what a GPU has measured since, to the result of a submission."""
        staged = task.staged
        graded = self.grader.add_speed(graded, self.rubric, staged.student)
        graded = replace(name_skipped_files(graded, task.notebook.beside), notes=task.notes)
        if self.grader.strict:
            graded = replace(graded, reports=tuple(map(hold_back, graded.reports)))
        return Outcome(
            staged.student,
            graded,
            (*staged.review, *reasons_to_review(graded.reports)),
            fresh,
            points=points_in(self.released),
            elsewhere=answers_elsewhere(task.repaired.notebook, self.released),
            doubts=staged.doubts,
        )

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
                    outcome = self.outcome(task, graded, fresh=False)
                    outcome = outcome.with_recorded(recorded.get(student))
                found.append(make_showable(outcome))
            except Exception as error:  # the other submissions are still shown
                found.append(not_showable(student, error))
        return found


Start = Callable[[Assignment, Task], Future[Graded]]
"""Starts to grade a submission somewhere; the future gives its result."""


def open_assignments(
    grader: CourseGrader,
    names: Sequence[str] = (),
    students: Sequence[str] = (),
    folders: Mapping[str, StudentFolder] | None = None,
) -> list[Assignment]:
    """Open assignments of a course.

    Args:
        grader: of the course.
        names: of the assignments; default: all that anybody has handed in.
        students: whose submissions; default: all. A student need not have handed in each.
        folders: of the students; by default they are read.

    Raises:
        ClassError: no such assignment, or nothing handed in.
    """
    course = grader.course
    folders = student_folders(course) if folders is None else folders
    if not names:
        there = {name for one in folders.values() for name in one.assignments}
        there |= {path.name for one in folders.values() for path in one.strange}
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
        owners = [student for student, one in folders.items() if name in one.assignments]
        strangers.difference_update(owners)
        if not owners and not students:
            raise ClassError(messages.NOTHING_HANDED_IN.format(assignment=name))
        wanted = tuple(s for s in owners if not students or s in students)
        if wanted:
            opened.append(Assignment(grader, name, grader.lessons.rubric(name), released, wanted))
    if strangers:
        raise ClassError(messages.NOT_HANDED_IN_BY.format(students=", ".join(sorted(strangers))))
    return opened
