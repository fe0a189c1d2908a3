"""Checks a student's function by experiments, and reports what is impure."""

from __future__ import annotations

import contextlib
import contextvars
import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import ModuleType

from autograder.criteria.purity import experiment_rules, walk
from autograder.criteria.purity.experiments import Lab, MakeArgs
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.shape import Seen, Subject
from autograder.model.finding import Finding
from autograder.programs import jax_access
from autograder.programs.exported import concrete

_ATTEMPTS = 3
"""How often a function is observed while it still imports packages for the first time."""


def observe(subject: Subject) -> Seen | None:
    """Report side effects of the repeated calls, each made in every mode."""
    exercise, calls = subject.exercise, subject.repeated_calls
    if not calls or "purity" not in exercise.points:
        return None
    try:
        subject.restore()  # what earlier calls have changed already would not change again
        found = check_purity(
            subject.function,
            lambda: concrete(calls[0]),
            subject.module,
            others=[partial(concrete, args) for args in calls[1:]],
        )
    except Exception as error:
        return Seen((subject.explain(error, handling=False),))
    return Seen(tuple(f for f in found if f.rule not in exercise.permits))


def remember_state(function: Callable, module: ModuleType) -> Callable[[], None]:
    """Remember all state that a student's function can reach; what is returned restores it."""
    return walk.snapshot(StudentModule.of(module, function), function, saving=True).restore


def check_purity(
    function: Callable,
    make_args: MakeArgs,
    module: ModuleType,
    *,
    others: Sequence[MakeArgs] = (),
) -> list[Finding]:
    """Check that a student's function has no side effects and depends on its arguments only.

    Args:
        function: the function, jitted or not; a partial or bound method will do.
        make_args: gives a fresh tuple of positional arguments at each call. Leaves that are not
            arrays are static: they stay as they are when the function is traced.
        module: the module that the student's code ran in.
        others: give the arguments of further calls. Each is made in a state of its own and after
            the others, and must do the same.

    Returns:
        Findings in order of lines, the same at every call. The function is pure when none of
        them has severity "error". The state of the module and of the process is restored, as
        far as Python allows (an iterator cannot be reset).
    """
    return contextvars.copy_context().run(_check, function, make_args, module, others)


def _check(
    function: Callable, make_args: MakeArgs, module: ModuleType, others: Sequence[MakeArgs]
) -> list[Finding]:
    with contextlib.ExitStack() as stack:
        for setting in jax_access.LOGGING:  # it is not the function that writes
            stack.enter_context(setting(False))
        # Garbage collection, and the search for tracers, then skip all objects that JAX and NumPy
        # have made before: some hundred thousand.
        jax_access.freeze()
        stack.callback(jax_access.unfreeze)
        student = StudentModule.of(module, function)
        found: list[Finding] = []
        for _ in range(_ATTEMPTS):
            imported = len(sys.modules)
            lab = Lab(student, function, make_args)
            try:
                found = experiment_rules.check(lab, others)
            finally:
                lab.restore()  # the checks that follow begin from the same state
            # What a package does when it is first imported is not the function's doing.
            if len(sys.modules) == imported:
                break
        return found
