"""What calls of a function compile, counted in the student's process."""

from __future__ import annotations

import jax

from autograder.core.program import concrete
from autograder.criteria.compilations.budget import check_compilations
from autograder.criteria.compilations.timeline import count_with_repeats, timeline_of
from autograder.criteria.shape import Seen, Subject


def observe(subject: Subject) -> Seen | None:
    """Findings on compilations, and what each of the public calls compiled."""
    exercise = subject.exercise
    if not subject.calls or "compilations" not in exercise.points:
        return None
    try:
        calls = [concrete(args) for args in subject.calls]
        jax.block_until_ready(calls)
        counted = count_with_repeats(subject.function, calls, subject.module)
        found = check_compilations(
            subject.function,
            calls,
            subject.module,
            programs=exercise.programs,
            total=exercise.budget,
            dispatches=exercise.dispatches,
            one_program_only=exercise.one_program,
            counted=counted,
        )
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    return Seen(tuple(found), timeline=timeline_of(counted, exercise.programs))
