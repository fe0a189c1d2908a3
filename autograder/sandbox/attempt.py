"""An attempt: what one worker runs for some exercises of a notebook, and what its source proves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from autograder.criteria.compilations.proved import prove_compilations
from autograder.model.figures import Timeline
from autograder.model.notebook import NOTHING, Beside, Cell
from autograder.model.report import Report, UnprovedLine
from autograder.model.rubric import Drawn
from autograder.source import JittedFunction

Calls = Mapping[Drawn, Sequence[tuple]]
"""For each exercise, the calls to export, with arrays as `jax.ShapeDtypeStruct`."""

NOT_READ = UnprovedLine("", 0, "", "")
"""Of an attempt whose source nobody has read."""


@dataclass(frozen=True)
class Attempt:
    """What one worker runs, for some exercises of a notebook.

    Attributes:
        cells: that run; of some, only the statements in `Cell.only`.
        exercises: names of those that are observed in it.
        unproved: the first line that is not proved; None where all that runs is proved pure, and
            `NOT_READ` where nobody has read the source.
        jitted: the exercises whose entry point is one jitted function.
        fallback: the cells to run where these do not pass, since what is left out of them could
            change the result; otherwise empty.
        saved_with: the Python that the notebook was saved with; "" where it does not say.
        beside: the files that the cells find beside them.
    """

    cells: tuple[Cell, ...]
    exercises: tuple[str, ...]
    unproved: UnprovedLine | None = None
    jitted: Mapping[str, JittedFunction] = field(default_factory=dict)
    fallback: tuple[Cell, ...] = ()
    saved_with: str = ""
    beside: Beside = NOTHING

    @property
    def is_proved(self) -> bool:
        """Whether nothing that runs can have changed what is seen."""
        return self.unproved is None

    def timeline_of(self, drawn: Drawn) -> Timeline | None:
        """Return what the repeated calls compile, where the source proves it."""
        jitted = self.jitted.get(drawn.name) if self.is_proved else None
        return None if jitted is None else prove_compilations(drawn, jitted)

    def proved(self, drawn: Drawn) -> tuple[str, ...]:
        """Return the criteria that the source of an exercise proves: nobody observes them."""
        if not self.is_proved:
            return ()
        return "purity", *(["compilations"] if self.timeline_of(drawn) else [])

    def with_fallback(self, exercise: str, why: str) -> Attempt:
        """Return an attempt that runs the fallback for an exercise; nothing in it is proved.

        Args:
            exercise: that did not pass.
            why: what to say to the instructor where this attempt is proved.
        """
        return replace(
            self,
            cells=self.fallback,
            exercises=(exercise,),
            unproved=self.unproved or UnprovedLine("", 0, "", why),
            jitted={},
            fallback=(),
        )

    def apply(self, report: Report) -> Report:
        """Return the report with the evidence that the source allows for."""
        if self.unproved is not None and not self.unproved.reason:
            return report  # nobody has read the source
        if self.unproved is None:
            criteria = tuple(replace(c, evidence="proved") for c in report.criteria)
            return replace(report, criteria=criteria)
        unread = [self.unproved.reason] if self.unproved.is_unread else []
        return replace(report, unproved=self.unproved).with_notes(unread)
