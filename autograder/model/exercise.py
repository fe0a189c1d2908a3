"""The kinds of exercise: one function to fix, and how the fix is judged.

A `ProgramExercise` is judged on the program that the student's function is exported to, a
`BehaviourExercise` on what the function does in the student's process, and `Predictions` on what
the student says that code does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np

from autograder.model.adapters import keep_containers
from autograder.model.error_table import GENERAL_HINTS
from autograder.model.finding import Finding
from autograder.model.report import CRITERIA, NEED_PROGRAM, CriterionResult
from autograder.model.student_code import called

Difficulty = Literal["", "easy", "medium", "hard"]

_FEWEST = 12
_FURTHER = 20, 54
"""Sizes are compared at a number of iterations and at so many more. A `lax.scan` with `unroll` has
some steps left over, which JAX 0.12 writes out; up to `unroll=33`, all but 14, 18 and 19 leave more
and more of them, as fast, at none of the numbers that `_FEWEST` allows."""


class RubricError(ValueError):
    """A rubric that cannot be used; the message says which and how to fix it."""


class ValueAndGradient(NamedTuple):
    """The results that an exercise with `gradient` compares."""

    value: Any
    gradient: Any


class Draws(NamedTuple):
    """A key, and how many of its draws are passed over because nothing can be judged with them."""

    key: int
    redraws: int = 0


@dataclass(frozen=True)
class Comparison:
    """Judges results that may differ between right solutions, such as a fit.

    Attributes:
        find_fault: given a call and the leaves that it returned, says what is wrong with them, or
            returns None.
        paths: the paths of the result's leaves, such as ``("[0]", "[1]")`` for a pair;
            `find_fault` is asked first, since it can say more. None: it says everything.
        agree: whether two results for a call, leaves of the same shapes and dtypes, may be of the
            same function. It is asked where they differ by more than rounding: two fits, say, that
            end apart where the ELBO is flat.
    """

    find_fault: Callable[[tuple, list[np.ndarray]], str | None]
    paths: tuple[str, ...] | None = None
    agree: Callable[[tuple, list[np.ndarray], list[np.ndarray]], bool] | None = None


@dataclass(frozen=True)
class Loop:
    """A loop that must not be unrolled: its programs for several sizes are compared, and judged.

    Attributes:
        argument: position of the argument that holds the number of iterations.
        draws: draws the calls that are compared, two or more, instead of the first call of the
            exercise's `draws` at three numbers of iterations. From the first that shows a loop on,
            all are judged, or two where the number of loops grows. The student's process only
            exports them, so they may be long. Where all have the same number of iterations, the
            later ones have more data: a Python loop over these grows as well.
    """

    argument: int
    draws: Callable[[np.random.Generator], Sequence[tuple]] | None = None


@dataclass(frozen=True)
class Compilations:
    """How much may be compiled, and how many programs a call may run.

    Attributes:
        programs: that one new signature may compile. Plain values count by type and value. Another
            float only counts as new where programs differ in more than numbers: where it sets a
            shape, say.
        dispatches: programs that one call may run one after another; `programs` by default.
        one_program: whether work outside of the student's jitted functions is an error. Where it
            is not (a loop in Python), one call must still run a program of the student's, and at
            most `dispatches` of them where that is given.
        one_function: whether the task asks for one jitted function: all programs must be of it.
        each_once: whether a new signature may compile each function only once, and Python's
            integers and floats are one signature.
        budget: own programs that all calls of `draws` together may compile; by default one for
            each new signature (shapes, dtypes and static values).
    """

    programs: int = 1
    dispatches: int | None = None
    one_program: bool = True
    one_function: bool = False
    each_once: bool = False
    budget: int | None = None


@dataclass(frozen=True)
class Memory:
    """The scratch memory that a program may need: one of the two.

    Attributes:
        factor: how many times the scratch bytes of the lesson's own solution.
        scratch: bytes.
    """

    factor: float | None = None
    scratch: int | None = None


@dataclass(frozen=True)
class Speed:
    """What the speed criterion requires.

    A program is timed beside the lesson's own solution, on the same machine in the same run: it
    may take `factor` times as long. Both are compared with the baseline too. What a program returns
    while it is timed is judged, with the exercise's `reference`.

    Attributes:
        baseline: a right but slow function of the same arguments.
        threshold: the required ratio of times per iteration, baseline over program, on a GPU, where
            there is no solution of the lesson to compare with; well below the solution's.
        draw: given a NumPy random generator, and what `sizes` returned, returns the call to time.
        baseline_iterations: the baseline's own, smaller number, if the exercise has a `loop`;
            times are compared per iteration.
        eager: whether the baseline is run without jit, one operation after another. It is not a
            program then: the machine that times it needs the same rubric.
        factor: how many times as long as the lesson's own solution a program may take.
        sizes: given a NumPy random generator, returns further arguments of `draw`, such as the
            sizes of arrays and the number of iterations: the same for all calls of a key.
    """

    baseline: Callable[..., Any]
    threshold: float
    draw: Callable[..., tuple]
    baseline_iterations: int | None = None
    eager: bool = False
    factor: float = 3.0
    sizes: Callable[[np.random.Generator], tuple] = lambda rng: ()


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """What all kinds of exercise share.

    Attributes:
        name: the exercise's name; also the grade id of its check cell.
        points: points by criterion, a subset of `autograder.model.report.CRITERIA`.
        entry_points: the names the student must define; by default the exercise's name.
        hints: three hints for a criterion, or for a rule of a finding; each says more than the one
            before. One is enough for a drill. Some rules have general ones
            (`autograder.model.error_table`).
        minutes, difficulty: of the task, for most students; shown above it and in the syllabus.
        importance: one to three stars, shown beside them: how much of what follows needs it. 0:
            nothing is shown.
        devices: how many CPU devices the student's code and its programs run on. The cells run in
            a process that has so many, and so does the judge. No speed is measured on them.
    """

    name: str
    points: Mapping[str, float]
    entry_points: tuple[str, ...] = ()
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    minutes: int = 0
    difficulty: Difficulty = ""
    importance: int = 0
    devices: int = 1

    def __post_init__(self) -> None:
        unknown = sorted(set(self.points) - set(CRITERIA))
        self.need(not unknown, f"there are no criteria {unknown}; they are {list(CRITERIA)}")
        positive = bool(self.points) and all(p > 0 for p in self.points.values())
        self.need(positive, "it needs a positive number of points for each criterion")
        self.need(self.devices >= 1, "it needs at least one device")
        self.need(0 <= self.importance <= 3, "its importance is one to three stars, or 0")
        if not self.entry_points:
            object.__setattr__(self, "entry_points", (self.name,))

    @property
    def cell_points(self) -> dict[str, float]:
        """The points of its grade cells, by grade id: speed has a cell of its own."""
        cells: dict[str, float] = {self.name: 0}
        for criterion, points in self.points.items():
            cell = speed_name(self.name) if criterion == "speed" else self.name
            cells[cell] = cells.get(cell, 0) + points
        return cells

    def need(self, right: bool, what: str) -> None:
        """Raise a `RubricError` that says what is missing, unless it is `right`."""
        if not right:
            raise RubricError(f"exercise {self.name!r} ({type(self).__name__}): {what}")

    def hint_key(self, criterion: CriterionResult) -> str:
        """Return the key of the hints that fit: a finding's own rule before the criterion."""
        for finding in criterion.findings:
            if finding.severity == "error" and finding.rule in {**GENERAL_HINTS, **self.hints}:
                return finding.rule
        return criterion.name

    def calls(self, draws: Draws) -> list[tuple]:
        """Return the calls drawn with a key; none if nothing is drawn."""
        return []

    def unrolling_calls(self, draws: Draws) -> list[tuple]:
        """Return the calls that show whether a loop is unrolled; none if there is no loop."""
        return []

    def hints_about(self, key: str) -> tuple[str, ...]:
        """Return the hints for a criterion or a rule: the exercise's own, or general ones."""
        return self.hints.get(key) or GENERAL_HINTS.get(key, ())


@dataclass(frozen=True, kw_only=True)
class Predictions(Exercise):
    """Predictions of what code does, compared with what running it shows.

    Attributes:
        questions: the keys of the dictionary that the student fills in, with what to think about
            where the answer is wrong.
        answers: a function without arguments that gives the right value of each question, by
            running the code that they are about.
    """

    questions: Mapping[str, str]
    answers: Callable[[], Mapping[str, Any]]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.need(bool(self.questions), "it needs `questions`")
        self.need(set(self.points) == {"outputs"}, "its points are all for outputs")


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """What exercises share that judge a function.

    Attributes:
        draws: given a NumPy random generator, returns the calls to judge, each a tuple of the
            arguments as the student would type them. NumPy arrays are data (traced, never shown
            to the student's process); Python ints, floats, bools and strings are statics.
        long_calls: how many calls at the end take long, such as a fit of many iterations. The
            student's process makes them once, for their results; what a call changes and compiles
            is observed on the calls before them, which are made several times.
        reference: the right function: same arguments, NumPy arrays of float32 or of float64, and
            results of the same structure. Plain NumPy, or JAX code that is right when run eagerly.
            A draw for which it fails, is not finite, or cannot tell right from wrong, is drawn
            again. Or a `Comparison`, or the results of the public calls (`model.public_rubric`).
        adapter: turns the student's namespace into the function to call, for containers and
            methods that the student defines; by default the first entry point itself. It raises
            `AdapterError` where there is no result to judge, and calls `note_impurity`
            (`autograder.model.adapters`) where an object was changed.
        compilations: how much may be compiled.
        permits: rules of findings that this exercise does not count: ``"argument-donated"``, say.
        scales: by path of a leaf of the result (``".once.M"``), the size of what its values are
            sums of, for leaves whose values may cancel to almost nothing: rounding errors are
            relative to the summands. The tolerance counts from it where the largest value is
            smaller.
    """

    draws: Callable[[np.random.Generator], Sequence[tuple]] | None = None
    long_calls: int = 0
    reference: Callable[..., Any] | Comparison | None = None
    adapter: Callable[[Mapping[str, Any]], Callable[..., Any]] | None = None
    compilations: Compilations = Compilations()
    permits: tuple[str, ...] = ()
    scales: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        both = (self.draws is None) == (self.reference is None)
        self.need(both, "`draws` and `reference` go together")
        self.need(self.long_calls >= 0, "`long_calls` is a number of calls")

    @property
    def comparison(self) -> Comparison | None:
        """How results are compared, where there is no reference to compare them with."""
        return self.reference if isinstance(self.reference, Comparison) else None

    def function(self, namespace: Mapping[str, Any]) -> Callable[..., Any]:
        """Return the student's function as the judge calls it."""
        return self.adapter(namespace) if self.adapter else namespace[self.entry_points[0]]

    def results(
        self, function: Callable[..., Any], fresh: Callable[[tuple], tuple] = lambda args: args
    ) -> Callable[..., Any]:
        """Return a function of what is compared; `fresh` gives arguments for a second call."""
        return function

    def calls(self, draws: Draws) -> list[tuple]:
        """Return the calls drawn with a key: the same on every machine; none without `draws`.

        Raises:
            RubricError: `draws` returns something else than a list of tuples, or long calls alone.
        """
        calls = [] if self.draws is None else list(self.draws(self._generator(draws)))
        if not all(isinstance(args, tuple) for args in calls):
            raise RubricError(f"exercise {self.name!r}: `draws` must return a list of tuples")
        if 0 < len(calls) <= self.long_calls:
            raise RubricError(
                f"exercise {self.name!r}: of {len(calls)} calls, {self.long_calls} are long; at "
                "least one must be short, on which purity and compilations are observed"
            )
        return calls

    def _generator(self, draws: Draws, purpose: str = "") -> np.random.Generator:
        """Return the source of a draw of a key; after a redraw it is another one."""
        again = f" draw {draws.redraws}" if draws.redraws else ""
        seed = f"{self.name}:{draws.key}:{f'{purpose}{again}'.strip()}"
        digest = hashlib.sha256(seed.encode()).digest()
        return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


@dataclass(frozen=True, kw_only=True)
class ProgramExercise(FunctionExercise):
    """A function that is judged by the program that it is exported to.

    Attributes:
        keeps: for a function whose result goes into its own next call: by position in the result,
            the position of the argument that it is the new value of. It must be built of the same
            containers: a tuple for a tuple, with its empty parts.
        gradient: position of an argument: the gradient of the result's sum with respect to it is
            compared too; the reference must then be JAX code.
        loop: a loop that must not be unrolled.
        memory, speed: what these criteria require, where `points` has them.
        curve: name and position, among the leaves of the result, of the values by iteration that
            a card draws over the reference's; for exercises with a `loop`.
        jaxpr: whether a notebook's card shows how the jaxpr of a right program, for the first call
            of `draws`, differs from that of the lesson's own solution.
    """

    keeps: Mapping[int, int] = field(default_factory=dict)
    gradient: int | None = None
    loop: Loop | None = None
    memory: Memory | None = None
    speed: Speed | None = None
    curve: tuple[str, int] | None = None
    jaxpr: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.need(self.draws is not None, "it needs `draws`")
        for name, settings in (("speed", self.speed), ("memory", self.memory)):
            both = (name in self.points) == (settings is not None)
            self.need(both, f"points for {name} and `{name}={name.capitalize()}(...)` go together")
        limits = (self.memory.factor, self.memory.scratch) if self.memory else (None, 0)
        self.need(limits.count(None) == 1, "memory needs either `factor` or `scratch`")
        self.need(self.devices == 1 or self.speed is None, "`speed` is measured on one device")

    @property
    def needs_reference_solution(self) -> bool:
        """Whether programs are compared with the lesson's own solution."""
        return self.memory is not None or self.speed is not None or self.jaxpr

    def results(
        self, function: Callable[..., Any], fresh: Callable[[tuple], tuple] = lambda args: args
    ) -> Callable[..., Any]:
        """Return a function of what is compared: the result, or the result and its gradient.

        Args:
            function: as the judge calls it.
            fresh: gives arguments for a second call, which the first one may have used up.
        """
        if self.keeps:
            function = keep_containers(function, self.keeps)
        if self.gradient is None:
            return function
        argnums = self.gradient

        def both(*args: Any) -> ValueAndGradient:
            import jax

            gradient = jax.grad(lambda *a: called(function, *a).sum(), argnums)(*fresh(args))
            return ValueAndGradient(called(function, *args), gradient)

        return both

    def unrolling_calls(self, draws: Draws) -> list[tuple]:
        """Return the calls that show whether a loop is unrolled; none if there is no loop.

        They are those of the loop's own `draws`, or the first call at three numbers of iterations,
        which are drawn with the key. A program that is small for one and for the next is only
        worth something if it is right for both: they are judged too.
        """
        if self.loop is None:
            return []
        generator = self._generator(draws, "iterations")
        if self.loop.draws is not None:
            return list(self.loop.draws(generator))
        call, at = self.calls(draws)[0], self.loop.argument
        few = int(generator.integers(_FEWEST, 2 * _FEWEST))
        numbers = (few, *(few + more for more in _FURTHER))
        return [(*call[:at], n, *call[at + 1 :]) for n in numbers]

    def speed_calls(self, key: int, count: int = 1) -> list[tuple]:
        """Return calls to time, drawn with `key`; none if there is no speed criterion.

        All have the same shapes and statics. Nothing is ever drawn again for them.
        """
        if self.speed is None:
            return []
        sizes = self.speed.sizes(self._generator(Draws(key), "speed sizes"))
        draws = (self._generator(Draws(key), f"speed {i}") for i in range(count))
        return [self.speed.draw(draw, *sizes) for draw in draws]


@dataclass(frozen=True, kw_only=True)
class BehaviourExercise(FunctionExercise):
    """A function that is judged by what it does in the student's process.

    It is called there on the watched draws, and what it returns is compared; and the rubric's probe
    reports what it sees.

    Attributes:
        probe: given the student's namespace, yields what it sees: numbers, text, arrays, and lists
            and dictionaries of these (`autograder.model.wire`). It runs in the student's process,
            so it must not use `reference` or anything else that tells what is right.
        decide: given the list of what `probe` yielded, says what is wrong, one sentence or finding
            for each criterion that does not hold. Trusted code runs it. Where the student's code
            fails within `probe`, the list ends there, and the failure counts unless `decide`
            already finds the outputs wrong.
    """

    probe: Callable[[Mapping[str, Any]], Iterable[Any]] | None = None
    decide: Callable[[Sequence[Any]], Mapping[str, str | Finding]] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.need(bool(self.draws or self.probe), "it needs `draws` or `probe`")
        both = (self.probe is None) == (self.decide is None)
        self.need(both, "`probe` and `decide` go together")
        measured = sorted(NEED_PROGRAM & set(self.points))
        self.need(not measured, f"it has no program whose {' and '.join(measured)} can be judged")


def speed_name(exercise: str) -> str:
    """Return the grade id of an exercise's speed cell."""
    return f"{exercise}_speed"
