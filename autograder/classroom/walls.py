"""What must confine the submissions of a class, and what is said where only limits did.

Without `limits_only`, nothing is graded where a submission would run with the rights of its grader.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograder.classroom import messages
from autograder.classroom.course_folder import ClassError
from autograder.classroom.outcome import Outcome
from autograder.sandbox import Protection, protection

STRONGEST_FIRST = tuple(Protection)


def accepted_protections(
    *, limits_only: bool = False, require_sandbox: bool = False
) -> tuple[Protection, ...]:
    """Return what may confine a submission, strongest first.

    Args:
        limits_only: limits alone will do.
        require_sandbox: not even another user will do.

    Raises:
        ClassError: both at once.
    """
    if limits_only and require_sandbox:
        raise ClassError(messages.BOTH_PROTECTIONS)
    weakest = Protection.NAMESPACES if require_sandbox else Protection.USER
    weakest = Protection.LIMITS if limits_only else weakest
    return STRONGEST_FIRST[: STRONGEST_FIRST.index(weakest) + 1]


def why_refused(strength: Protection, accepted: Iterable[Protection]) -> str:
    """Return why nothing may be graded where `strength` confines submissions; "" where it may."""
    if strength in accepted:
        return ""
    return messages.LIMITS_REFUSED if strength is Protection.LIMITS else messages.WEAK_SANDBOX


def protection_here(accepted: Iterable[Protection]) -> Protection:
    """Return what confines submissions on this machine.

    Raises:
        ClassError: it is not among those accepted; says what to do.
    """
    strength = protection()
    reason = why_refused(strength, accepted)
    if reason:
        raise ClassError(reason)
    return strength


def protections_to_show() -> tuple[Protection, ...]:
    """Return in which order results are looked for to be shown: first those of this machine."""
    return tuple(dict.fromkeys((protection(), *STRONGEST_FIRST)))


def warn_of_limits(outcomes: Iterable[Outcome]) -> list[str]:
    """Return a warning where only limits confined any of the submissions; else nothing."""
    return [messages.LIMITS_WARNING] if any(o.is_limits_only for o in outcomes) else []
