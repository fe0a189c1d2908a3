"""Finds functions that work when Python calls them, and fail when `jax.jit` traces them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autograder.core.finding import Finding
from autograder.core.messages import PROGRAM_RULES
from autograder.core.report import KIT_ERROR
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages

RULE = "outside-jit"
COSTS_COMPILATIONS = {RULE, "too-large"}
"""Rules of what keeps a program from being judged, and is a fault of how it compiles."""
_OTHERS = {*PROGRAM_RULES, KIT_ERROR, "leaked-tracer"}
"""Rules of failures that say nothing of where the student's lines run."""


def find_outside_jit(
    failures: Sequence[Finding | None], observed: Sequence[Finding]
) -> Finding | None:
    """Return a finding where only tracing fails: the line at fault is outside of jit.

    Args:
        failures: why there is no program, for each call that was exported.
        observed: by the compilations criterion, which calls the function as a notebook does.
    """
    failure = next((f for f in failures if f is not None), None)
    if failure is None or failure.rule in _OTHERS:
        return None
    if any(f.rule in ("call-failed", KIT_ERROR) for f in observed):
        return None
    return Finding(RULE, "error", failure.line, messages.OUTSIDE_JIT, failure.code)


def say_works(failure: Finding | None) -> Finding | None:
    """Return why there is no program, and add that a plain call works."""
    if failure is None or failure.rule in _OTHERS:
        return failure
    return replace(failure, message=join_texts("\n", (failure.message, messages.WORKS_PLAINLY)))
