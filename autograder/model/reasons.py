"""Why a criterion has no mark, or none yet: one table of stable words and what they mean.

A reason is also the rule of the finding that explains it.
"""

from __future__ import annotations

from typing import NamedTuple

KIT_ERROR = "kit-error"
JUDGE_DIED = "judge-died"
UNREADABLE = "unreadable-notebook"
UNREAD_ANSWERS = "unread-answers"
MISSING_FILE = "missing-file"
EMPTY_NOTEBOOK = "empty-notebook"
OUTPUTS_FIRST = "outputs-first"
ONLY_OBSERVED = "only-observed"
CHECK_FIRST = "check-first"
UNKNOWN = "unknown"
"""Replaces a rule or reason that the kit does not know."""


class Reason(NamedTuple):
    """What a reason means.

    Attributes:
        words: for a card.
        by_worker: whether a worker may give it: it could not observe the exercise.
        has_no_mark: whether the points are neither earned nor lost, whoever looks.
        asks_a_person: whether a person decides in a class, since nothing else has.
        may_be_the_machines: whether a submission can cause it, but also a machine that is short of
            memory or whose disks are slow: it is graded again, alone.
        may_pass_again: whether the same notebook may pass the next check.
    """

    words: str
    by_worker: bool = False
    has_no_mark: bool = False
    asks_a_person: bool = True
    may_be_the_machines: bool = False
    may_pass_again: bool = False


REASONS = {
    KIT_ERROR: Reason(
        "no mark yet: the kit itself failed", by_worker=True, has_no_mark=True, may_pass_again=True
    ),
    JUDGE_DIED: Reason(
        "no mark yet: the program ended the process that ran it",
        has_no_mark=True,
        may_be_the_machines=True,
        may_pass_again=True,
    ),
    ONLY_OBSERVED: Reason("pending: it was only observed, and a person decides"),
    OUTPUTS_FIRST: Reason("checked once the outputs are right", asks_a_person=False),
    CHECK_FIRST: Reason("asked once the check passes", asks_a_person=False),
    "missing-function": Reason("the function is missing", by_worker=True),
    "not-callable": Reason("the name is not a function", by_worker=True),
    "not-answers": Reason("the name is not a dictionary of answers", by_worker=True),
    "wrong-signature": Reason("the function takes other arguments than required", by_worker=True),
    "adapter-failed": Reason("your pieces do not fit together", by_worker=True),
    "cell-failed": Reason("a cell before the check failed", by_worker=True),
    "newer-python": Reason("a cell may need a newer Python than the grader's", by_worker=True),
    MISSING_FILE: Reason("a file that the code needs was not there"),
    UNREADABLE: Reason("the notebook could not be read"),
    UNREAD_ANSWERS: Reason("reading the answers took too long"),
    EMPTY_NOTEBOOK: Reason("the notebook has no code"),
    UNKNOWN: Reason("the reason is unknown"),
    "timeout": Reason("running the notebook took too long", may_pass_again=True),
    "stalled": Reason(
        "running the notebook took too long", may_be_the_machines=True, may_pass_again=True
    ),
    "worker-died": Reason(
        "the notebook ended Python", may_be_the_machines=True, may_pass_again=True
    ),
    "too-much-memory": Reason("running the notebook took too much memory", may_pass_again=True),
    "too-many-processes": Reason("the notebook started too many processes"),
}

_NO_REASON = Reason("", asks_a_person=False)


def meaning_of(reason: str) -> Reason:
    """Return what a reason means; one that no table has, such as "needs-gpu", means nothing."""
    return REASONS.get(reason, _NO_REASON)
