"""The reasons and rules that a worker may give: whatever else it says is one of them, unnamed."""

from __future__ import annotations

from autograder.core.jax_errors import JAX_ERRORS
from autograder.core.jax_patterns import JAX_PATTERNS, PRECISE_PATTERNS
from autograder.core.program_messages import PROGRAM_RULES
from autograder.core.report import KIT_ERROR
from autograder.criteria.purity.messages import LESSONS

UNKNOWN = "unknown"
"""In place of a word that is not among the known ones."""

REFUSALS = frozenset(
    {
        KIT_ERROR,
        "missing-function",
        "not-callable",
        "not-answers",
        "wrong-signature",
        "adapter-failed",
        "cell-failed",
    }
)
"""Why an exercise could not be observed."""

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


def known(word: object, words: frozenset[str]) -> str:
    """The word, if it is one of these."""
    return word if isinstance(word, str) and word in words else UNKNOWN
