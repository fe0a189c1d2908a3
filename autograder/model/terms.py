"""How the submissions to a lesson are judged here; it travels whole through all steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from autograder.model.rubric import PUBLIC_KEY, Rubric


class AnyJudge(Protocol):
    """Whatever answers requests as `autograder.judge.client.Judge` does."""

    def launch(self, devices: int = 1) -> None:
        """Start the judge without waiting for it."""
        ...

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        """Send one request, and wait for the answer."""
        ...


@dataclass(frozen=True)
class Terms:
    """What stays the same for all submissions to a lesson.

    Attributes:
        rubric: of the lesson.
        judge: runs the exported programs.
        key: of the draws to judge with; with the public key the reports are provisional.
        timed: whether the programs are to be timed afterwards.
        with_figures: whether to draw what the rubric shows beside the outputs, such as a curve.
    """

    rubric: Rubric
    judge: AnyJudge
    key: int = PUBLIC_KEY
    timed: bool = True
    with_figures: bool = False

    @property
    def is_public(self) -> bool:
        """Whether these are the draws that students see."""
        return self.key == PUBLIC_KEY

    def only(self, *exercises: str) -> Terms:
        """Return the terms for some of the exercises."""
        return replace(self, rubric=self.rubric.only(exercises))
