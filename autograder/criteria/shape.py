"""What the criteria are given, and what they give back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import Any

from autograder.core.blame import error_finding
from autograder.core.figures import Timeline
from autograder.core.finding import Finding
from autograder.core.kit_fault import kit_finding
from autograder.core.observation import Observation, Returned
from autograder.core.program import Program
from autograder.core.rubric import PUBLIC_KEY, Exercise, RubricError
from autograder.core.running import ResultCache
from autograder.core.student_code import student_files


@dataclass(frozen=True)
class Subject:
    """The student's function, as observers see it in the student's process.

    Attributes:
        exercise: what it is checked for.
        function: as the rubric calls it.
        module: the module that the student's cells ran in.
    """

    exercise: Exercise
    function: Callable[..., Any]
    module: ModuleType

    @cached_property
    def calls(self) -> list[tuple]:
        """The calls on the public draws, NumPy arrays as the rubric drew them."""
        return self.exercise.calls(PUBLIC_KEY)

    def explain(self, error: Exception, *, handling: bool = True) -> Finding:
        """An exception as a finding; `handling`: see `autograder.core.kit_fault.is_kits`."""
        files = student_files(self.module)
        return error_finding(error, files, module=self.module, handling=handling)


@dataclass(frozen=True)
class Seen:
    """What one criterion's observer saw.

    Attributes:
        findings: what counts against the criterion, or is worth telling.
        others: findings that count against other criteria, by their names.
        public: what the public calls returned.
        timeline: what each of the public calls compiled; shown, and counted nowhere.
    """

    findings: tuple[Finding, ...] = ()
    others: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    public: tuple[Returned | None, ...] = ()
    timeline: Timeline | None = None


@dataclass(frozen=True)
class Case:
    """One exercise of one submission, as the judges see it.

    Attributes:
        source: what the rubric is found by.
        digest: of the rubric.
        exercise: its draws settled.
        key: of the draws to judge with.
        observation: what the worker handed over.
        to_time: whether the observation's last program is the one to time.
        yardstick: the lesson's own solution, exported for the judged calls; empty if unknown.
        results: runs the programs, each once.
        findings: by criterion, of those judged so far.
    """

    source: str
    digest: str
    exercise: Exercise
    key: int
    observation: Observation
    to_time: bool = False
    yardstick: Sequence[Program | None] = ()
    results: ResultCache = field(default_factory=ResultCache)
    findings: dict[str, list[Finding]] = field(default_factory=dict)

    @property
    def outputs_right(self) -> bool:
        """Whether the outputs criterion, which is judged first, found nothing."""
        return not self.findings.get("outputs")

    @property
    def programs(self) -> Sequence[Program | None]:
        """Those of the calls that are judged."""
        return self.observation.programs[: self._judged]

    @property
    def public(self) -> Sequence[Program | None]:
        """Those of the calls on the public draws."""
        return self.observation.programs[self._judged : self._judged + self._public]

    @property
    def unrolling(self) -> Sequence[Program | None]:
        """Those that show whether a loop is unrolled."""
        begin = self._judged + self._public
        return self.observation.programs[begin : begin + len(self.exercise.unrolling_calls())]

    @property
    def timed(self) -> Program | None:
        """The one whose speed will be measured."""
        return self.observation.programs[-1] if self.to_time else None

    @cached_property
    def _judged(self) -> int:
        return len(self.exercise.calls(self.key))

    @cached_property
    def _public(self) -> int:
        return len(self.exercise.calls(PUBLIC_KEY))


def proved(judged: Callable[..., Finding | None], *args: Any) -> list[Finding]:
    """One thing that is wrong, if any; where the kit itself fails, the others still count."""
    try:
        found = judged(*args)
    except RubricError:
        raise
    except Exception as error:
        found = kit_finding(error)
    return [] if found is None else [found]
