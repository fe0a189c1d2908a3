"""Finds the lessons that a pack is made of."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.classroom.course_folder import ClassError
from autograder.classroom.packs import messages
from autograder.lessons.course import Course, Lesson


def find_lessons(course: Course, names: Sequence[str]) -> list[Lesson]:
    """Return lessons by their names, each once, in course order.

    Raises:
        ClassError: one of the names is no lesson's; lists those that are.
    """
    lessons = {lesson.name: lesson for lesson in course.lessons()}
    for name in names:
        if name not in lessons:
            known = ", ".join(lessons)
            raise ClassError(messages.NO_LESSON.format(name=name[:80], names=known))
    return [lesson for name, lesson in lessons.items() if name in names]
