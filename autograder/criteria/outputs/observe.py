"""Makes the calls in the student's process, and keeps what they return and the first to raise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from jax.core import Tracer

from autograder.criteria.shape import Seen, Subject
from autograder.model.exercise import ProgramExercise
from autograder.model.finding import Finding
from autograder.model.kit_fault import by_kit
from autograder.model.observation import Returned
from autograder.model.student_code import called, is_interruption
from autograder.model.wire import DTYPES
from autograder.programs import jax_access
from autograder.programs.exported import as_exported, concrete, named_leaves


def observe(subject: Subject) -> Seen:
    """Return the values of the watched calls, and the first call that raised an error.

    Each call but the long ones is made twice, unless it was while its compilations were counted:
    only the second one shows what jit compares with the first, and that what the first one used is
    still there. Where behaviour is judged, the values are judged. Elsewhere they are compared with
    those of the program, unless nothing can differ.
    """
    exercise, failed = subject.exercise, list[Finding]()
    # Then the values are the program's, and only whether the calls return may not be known yet.
    is_known = isinstance(exercise, ProgramExercise) and subject.is_pure
    if is_known and (subject.returns or "compilations" in subject.proved):
        return Seen()
    subject.restore()  # a tracer that was kept while the kit traced is not the call's fault
    function = subject.function if is_known else exercise.results(subject.function, concrete)
    watched = tuple(_call(subject, function, args, failed) for args in subject.calls)
    was_repeated = subject.returns and function is subject.function
    for args in () if failed or was_repeated else subject.repeated_calls:
        _call(subject, function, args, failed)
    watched = () if is_known else watched
    faults = by_kit(failed)
    if isinstance(exercise, ProgramExercise) and faults:
        # Nobody can tell whether the program does what the function does.
        return Seen(others={"purity": faults}, watched=watched)
    return Seen(failed=failed[0] if failed else None, watched=watched)


def _call(
    subject: Subject, function: Callable[..., Any], args: tuple, failed: list[Finding]
) -> Returned | None:
    """Return the values of one call; if it raises, add to `failed`."""
    try:
        with as_exported():
            result = called(function, *concrete(args))
            jax_access.block_until_ready(result)
        names, leaves = named_leaves(result)
    except BaseException as error:  # SystemExit too: it must not end the grader
        if is_interruption(error):
            raise
        # The first one is reported, and to name its call well takes another call or two.
        explain = subject.explain if failed else subject.explain_call
        failed.append(explain(error, args))
        return None
    if any(isinstance(leaf, Tracer) for leaf in leaves):
        return None  # of an earlier trace: purity says so
    arrays = tuple(np.asarray(leaf) for leaf in leaves)
    # bfloat16 and its like cannot be sent; the program's own dtype is judged anyway.
    return Returned(names, arrays) if all(a.dtype in DTYPES for a in arrays) else None
