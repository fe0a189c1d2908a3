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
from dataclasses import dataclass
from importlib import import_module, util
from typing import Any

from autograder.criteria.shape import Case, Seen, Subject
from autograder.model.finding import Finding
from autograder.model.report import CRITERIA


@dataclass(frozen=True)
class Criterion:
    """One criterion: its name is that of its package."""

    name: str

    @property
    def observe(self) -> Callable[[Subject], Seen | None] | None:
        """Its observer, or None. Get it before the student's code runs: this imports it."""
        return self._find("observe", "observe")

    def judge(self, case: Case) -> list[Finding]:
        """Return what is wrong with the exported programs, and with what a probe has seen."""
        judge = self._find("judge", "judge")
        return [*case.decided.get(self.name, ()), *([] if judge is None else judge(case))]

    @property
    def rules(self) -> frozenset[str]:
        """The rules of the findings that its observer may make."""
        return frozenset(self._find("messages", "RULES") or ())

    def _find(self, module: str, name: str) -> Any:
        path = f"{__name__}.{self.name}.{module}"
        return getattr(import_module(path), name, None) if util.find_spec(path) else None


REGISTRY = tuple(map(Criterion, CRITERIA))
"""All criteria, in the order in which every front end shows them."""
