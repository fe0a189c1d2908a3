"""The arguments and results of the criteria's observers and judges."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice, pairwise
from types import ModuleType
from typing import Any, NamedTuple

from autograder.errors import jax_errors
from autograder.errors.error_finding import error_finding
from autograder.model.call_text import call_text
from autograder.model.exercise import BehaviourExercise, ProgramExercise, RubricError
from autograder.model.figures import Timeline
from autograder.model.finding import Finding
from autograder.model.kit_fault import by_kit, kit_finding
from autograder.model.messages import NOTHING_PROBED
from autograder.model.observation import Observation, Returned
from autograder.model.program import Program, ProgramError
from autograder.model.reasons import KIT_ERROR
from autograder.model.rubric import Drawn
from autograder.model.student_code import called, is_interruption, student_files
from autograder.model.templates import join_texts
from autograder.programs import jax_access
from autograder.programs.exported import concrete
from autograder.programs.runner import LocalRunner, Runner


@dataclass(frozen=True)
class Subject:
    """The student's function, as observers see it in the student's process.

    Attributes:
        drawn: the exercise that it is for, with the draws to watch with.
        function: the function, as the rubric calls it.
        module: the module that the student's cells ran in.
        proved: the criteria that the source proves.
        returns: whether each of the repeated calls was made twice already, and returned.
        restore: restores the student's state from before the kit's first call.
    """

    drawn: Drawn
    function: Callable[..., Any]
    module: ModuleType
    proved: frozenset[str] = frozenset()
    returns: bool = False
    restore: Callable[[], None] = lambda: None

    @property
    def is_pure(self) -> bool:
        """Whether the source proves that what a call returns is what its program computes."""
        return "purity" in self.proved

    @property
    def exercise(self) -> Any:
        """The exercise that the function is for."""
        return self.drawn.exercise

    @property
    def calls(self) -> list[tuple]:
        """The watched calls, with NumPy arrays as the rubric drew them."""
        return self.drawn.watched_calls

    @property
    def repeated_calls(self) -> list[tuple]:
        """Those of the watched calls that are made often: all but the long ones."""
        return self.drawn.repeated_calls

    def explain(
        self,
        error: BaseException,
        args: tuple | None = None,
        sentence: str = jax_errors.CALL_ERROR,
        *,
        handling: bool = True,
        named: bool = False,
    ) -> Finding:
        """Make a finding of an exception.

        Args:
            error: the exception.
            args: of the call that raised it, if it is known.
            sentence: what to say of this call where the error has no explanation of its own.
            handling: see `autograder.model.kit_fault.is_kits`.
            named: whether the sentence is also added to an error's own explanation. What that is of
                goes without saying, unless it is of the gradient alone.
        """
        files, otherwise = student_files(self.module), jax_errors.PLAIN_ERROR
        is_added = False
        if args is not None and self.exercise.adapter is None:
            is_added = named or sentence == jax_errors.GRADIENT_ERROR
            name, argnums = self.exercise.entry_points[0], getattr(self.exercise, "gradient", None)
            otherwise = sentence.format(call=call_text(name, args), argnums=argnums)
        found = error_finding(error, files, otherwise, module=self.module, handling=handling)
        if not is_added or found.rule in ("error", KIT_ERROR):
            return found
        return replace(found, message=join_texts("\n", (found.message, otherwise)))

    def explain_call(self, error: BaseException, args: tuple) -> Finding:
        """Make a finding of an exception that a call with numbers raised; it names the call."""
        sentence = jax_errors.CALL_ERROR
        if self._returns_first(self.exercise.results(self.function, concrete), args):
            sentence = jax_errors.LATER_CALL_ERROR
        elif not isinstance(self.exercise, ProgramExercise):
            pass
        elif self.exercise.gradient is not None and self._returns_first(self.function, args):
            sentence = jax_errors.GRADIENT_ERROR
        else:
            sentence = jax_errors.RUN_ERROR
        return self.explain(error, args, sentence, named=True)

    def _returns_first(self, function: Callable[..., Any], args: tuple) -> bool:
        """Whether a call returns where nothing has been called before, as far as that goes."""
        self.restore()
        jax_access.clear_caches()
        try:
            jax_access.block_until_ready(called(function, *concrete(args)))
        except BaseException as error:
            if is_interruption(error):
                raise
            return False
        return True


@dataclass(frozen=True)
class Seen:
    """What one criterion's observer saw.

    Attributes:
        findings: errors, which count against the criterion, and warnings.
        failed: the first call that raised an error. It counts against the outputs, whoever made it.
        others: findings that count against other criteria, by their names.
        watched: what the watched calls returned.
        returns: whether each of the repeated calls was made twice, and returned.
        timeline: what each of them compiled; it is shown, and changes no mark.
    """

    findings: tuple[Finding, ...] = ()
    failed: Finding | None = None
    others: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    watched: tuple[Returned | None, ...] = ()
    returns: bool = False
    timeline: Timeline | None = None


@dataclass(frozen=True)
class Case:
    """One exercise of one submission, as the judges see it.

    Attributes:
        drawn: the exercise, with the draws that count.
        observation: what the worker sent.
        to_time: whether the observation's last program is the one to time.
        reference_programs: the lesson's own solution, exported for the judged calls; empty if it is
            not known.
        runner: reads and runs the programs.
        findings: of the criteria judged so far, by their names.
    """

    drawn: Drawn
    observation: Observation
    to_time: bool = False
    reference_programs: Sequence[Program] = ()
    runner: Runner = field(default_factory=LocalRunner)
    findings: dict[str, list[Finding]] = field(default_factory=dict)

    @property
    def exercise(self) -> Any:
        """The exercise."""
        return self.drawn.exercise

    @cached_property
    def decided(self) -> Mapping[str, Sequence[Finding]]:
        """What the rubric finds wrong with what its probe has seen, by criterion."""
        probed = self.observation.probed
        if not isinstance(self.exercise, BehaviourExercise) or self.exercise.decide is None:
            return {}
        if probed is None:
            return {"outputs": (Finding.error("no-value", NOTHING_PROBED),)}
        failed = {} if probed.failure is None else {"outputs": (probed.failure,)}
        if by_kit(failed.get("outputs", ())):
            return failed
        try:
            problems = self.exercise.decide(probed.seen)
        except Exception as error:
            # The end of what was seen is missing, or it is not what the rubric's probe yields.
            return failed or {"outputs": (kit_finding(error),)}
        found = {
            name: (Finding.error("behaviour", problem) if isinstance(problem, str) else problem,)
            for name, problem in problems.items()
        }
        return {**failed, **found}

    @property
    def outputs_right(self) -> bool:
        """Whether the outputs criterion, which is judged first, found nothing."""
        return not (self.findings.get("outputs") or self.observation.observed.get("outputs"))

    @property
    def programs(self) -> Sequence[Program | None]:
        """The programs of the calls that are judged."""
        return self._groups[0]

    @property
    def watched(self) -> Sequence[Program | None]:
        """The programs of the watched calls."""
        return self._groups[1]

    @property
    def unrolling(self) -> Sequence[Program | None]:
        """The programs that show whether a loop is unrolled."""
        return self._groups[2]

    @property
    def iterations(self) -> list[int]:
        """The numbers of iterations of these programs."""
        loop = self.exercise.loop
        return [call[loop.argument] for call in self.drawn.unrolling_calls] if loop else []

    @property
    def unrolling_failures(self) -> Sequence[Finding | None]:
        """Why there are none of these programs."""
        first = len(self.programs) + len(self.watched)
        return self.observation.failures[first : first + len(self.unrolling)]

    @property
    def timed(self) -> Program | None:
        """The program whose speed will be measured."""
        return self.observation.programs[-1] if self.to_time else None

    @cached_property
    def _groups(self) -> list[list[Program | None]]:
        drawn, programs = self.drawn, iter(self.observation.programs)
        calls = drawn.calls, drawn.watched_calls, drawn.unrolling_calls
        return [list(islice(programs, len(group))) for group in calls]


class Growth(NamedTuple):
    """How programs grow with their numbers of iterations.

    Attributes:
        sizes: how many operations each has; None where one of them cannot be read.
        at: position of the first of two that show a loop that is not unrolled; None if none do.
        loops: how many loops each program from there on runs, one after another.
    """

    sizes: list[int] | None = None
    at: int | None = None
    loops: Sequence[int] = ()

    @property
    def has_more_loops(self) -> bool:
        """Whether programs that do not grow hold more loops for more iterations.

        A loop in chunks has one more where some iterations are left over.
        """
        few, *others = self.loops
        return max(others) > few + 1


def measure_growth(
    programs: Sequence[Program | None], iterations: Sequence[int], runner: Runner
) -> Growth | None:
    """Return how programs grow; None if there are none, or one is missing."""
    made = [program for program in programs if program is not None]
    if not made or len(made) < len(programs):
        return None
    try:
        seen = [runner.inspect(program.blob) for program in made]
    except ProgramError:
        return Growth()
    sizes = [one.operations for one in seen]
    at = _first_loop(sizes, iterations)
    return Growth(sizes, at, () if at is None else [one.loops for one in seen[at:]])


def _first_loop(sizes: Sequence[int], iterations: Sequence[int]) -> int | None:
    """Return where two programs show a loop that is not unrolled: the index of the first of them.

    They are the first that do not grow with their iterations. Each iteration of an unrolled loop
    adds an operation at least. A `lax.scan` with `unroll=6` differs by a few, for the steps that
    are left over, and a loop in chunks has one loop more where some are left over: of three
    programs, two next to each other have. Where only the data differ, a program has no reason to
    grow at all. A program that grows less than half as fast from one number to the next is no
    unrolled loop either: it unrolls some of the iterations, or wrote all out while they were few.
    """
    before = 0.0
    steps = zip(pairwise(sizes), pairwise(iterations), strict=True)
    for i, ((a, b), (few, many)) in enumerate(steps):
        if b - a < max(1, many - few):
            return i
        growth = (b - a) / (many - few or 1)
        if growth < before / 2:
            return i
        before = growth
    return None


def found_or_fault(judge: Callable[..., Finding | None], *args: Any) -> list[Finding]:
    """Return the finding of a judge as a list; where the kit itself fails, its failure."""
    try:
        found = judge(*args)
    except RubricError:
        raise
    except Exception as error:
        found = kit_finding(error)
    return [] if found is None else [found]
