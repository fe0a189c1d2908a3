"""Runs the public calls in the student's process, and keeps what they return."""

from __future__ import annotations

import numpy as np

from autograder.core.finding import Finding
from autograder.core.observation import Returned
from autograder.core.program import as_exported, concrete, named_leaves
from autograder.core.report import KIT_ERROR
from autograder.core.student_code import called
from autograder.core.wire import DTYPES
from autograder.criteria.shape import Seen, Subject


def observe(subject: Subject) -> Seen:
    """Return the values on the public draws.

    Where behaviour is judged, these values are judged. Elsewhere they are compared with those of
    the program, unless nothing can differ.
    """
    exercise = subject.exercise
    if exercise.kind == "program" and subject.effect_free:
        return Seen(public=(None,) * len(subject.calls))
    public: list[Returned | None] = []
    failed: list[Finding] = []
    for args in map(concrete, subject.calls):
        try:
            with as_exported():
                result = called(exercise.results(subject.function), *args)
            names, leaves = named_leaves(result)
            arrays = tuple(np.asarray(leaf) for leaf in leaves)
            # bfloat16 and its like cannot be sent; the program's own dtype is judged anyway.
            can_be_sent = all(a.dtype in DTYPES for a in arrays)
            public.append(Returned(names, arrays) if can_be_sent else None)
        except Exception as error:
            public.append(None)
            failed.append(subject.explain(error, args))
    if exercise.kind == "behaviour":
        return Seen(tuple(failed[:1]), public=tuple(public))
    # Where the student's code fails, its export fails too, and says why. But where the kit failed,
    # nobody can tell whether the program does what the function does.
    faults = tuple(f for f in failed if f.rule == KIT_ERROR)
    return Seen(others={"purity": faults}, public=tuple(public))
