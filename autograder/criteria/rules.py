"""The reasons and rules that a worker may give: whatever else it says is one of them, unnamed."""

from __future__ import annotations

from autograder.core.jax_errors import JAX_ERRORS
from autograder.core.jax_patterns import JAX_PATTERNS, PRECISE_PATTERNS
from autograder.core.observation import REFUSALS
from autograder.core.program_messages import PROGRAM_RULES
from autograder.core.rubric import Exercise
from autograder.criteria.purity.messages import LESSONS

_COUNTING = {
    "call-failed",
    "compiled-again",
    "counting-tampered-with",
    "eager-code",
    "many-programs-run",
    "no-program",
    "too-many-compilations",
}

RULES = frozenset(
    {
        *REFUSALS,
        *PROGRAM_RULES,
        *LESSONS,
        *_COUNTING,
        *(rule for rule, _ in JAX_ERRORS.values()),
        *(rule for _, rule, _ in (*PRECISE_PATTERNS, *JAX_PATTERNS)),
        "adapter",
        "behaviour",
        "error",
        "grader-patched",
    }
)
"""Rules of the findings that are made beside the student's code."""


def known_rules(exercise: Exercise) -> frozenset[str]:
    """The kit's rules, and those that the exercise's own probe makes: it has hints for them."""
    return RULES.union(exercise.hints)
