"""Whether a lesson has the submissions and the hints that it must have."""

from __future__ import annotations

from pathlib import Path

from autograder.core.rubric import Exercise
from autograder.lessons.course import SUBMISSIONS, Lesson
from autograder.lessons.verification.submissions import find_submissions

RIGHT, WRONG = 3, 8
"""Submissions that a lesson must have at least."""

TIERS = 3


def missing_submissions(lesson: Lesson, root: Path) -> list[str]:
    """Return which submissions a lesson lacks, one sentence each."""
    submissions = find_submissions(root, lesson.name)
    folder = SUBMISSIONS / lesson.name
    problems = []
    for kind, least in (("right", RIGHT), ("wrong", WRONG)):
        count = sum(s.kind == kind for s in submissions)
        if count < least:
            problems.append(f"{folder} has {count} {kind} submissions, {least} needed")
    names = {exercise.name for exercise in lesson.rubric.exercises}
    for kind in ("starter", "empty"):
        missing = names - {s.exercise for s in submissions if s.kind == kind}
        problems += [f"{folder} has no {kind} for {name}" for name in sorted(missing)]
    unknown = {s.exercise for s in submissions} - names
    problems += [f"{folder} names the unknown exercise {name}" for name in sorted(unknown)]
    return problems


def hint_problems(exercise: Exercise) -> list[str]:
    """Return a sentence for each criterion without three hints, and for empty or equal hints."""
    problems = []
    for criterion in exercise.points:
        if criterion not in exercise.hints:
            problems.append(f"{exercise.name}: no hints for {criterion}")
    for about, hints in exercise.hints.items():
        if len(hints) != TIERS or not all(hint.strip() for hint in hints):
            problems.append(f"{exercise.name}: {about} needs {TIERS} hints, none of them empty")
        elif len(set(hints)) != TIERS:
            problems.append(f"{exercise.name}: two hints for {about} are the same")
    return problems
