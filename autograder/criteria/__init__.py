"""The criteria: what a function is checked for.

A criterion is a package. Three of its modules are found here by name, where it has them:

    observe.py    `observe(subject)` runs in the student's process, beside the student's code
    judge.py      `judge(case)` is trusted code, and decides about the exported programs
    messages.py   its teaching text, and `RULES`, the rules of what `observe` finds

Modules are imported when they are first used: a GPU machine that times programs does not need
those of purity.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module, util
from typing import Any

from autograder.criteria.shape import Case, Seen, Subject
from autograder.model.finding import Finding


def find_observer(criterion: str) -> Callable[[Subject], Seen | None] | None:
    """Return its observer, or None. Find it before the student's code runs: this imports it."""
    return _find(criterion, "observe", "observe")


def judge(criterion: str, case: Case) -> list[Finding]:
    """Return what is wrong with the exported programs, and with what a probe has seen."""
    own = _find(criterion, "judge", "judge")
    return [*case.decided.get(criterion, ()), *([] if own is None else own(case))]


def find_rules(criterion: str) -> frozenset[str]:
    """Return the rules of the findings that its observer may make."""
    return frozenset(_find(criterion, "messages", "RULES") or ())


def _find(criterion: str, module: str, name: str) -> Any:
    path = f"{__name__}.{criterion}.{module}"
    return getattr(import_module(path), name, None) if util.find_spec(path) else None
