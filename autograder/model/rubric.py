"""A rubric: the exercises of one lesson, and how each is judged."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from autograder.model.adapters import keep_containers
from autograder.model.finding import Finding
from autograder.model.hints import GENERAL_HINTS
from autograder.model.report import CRITERIA, CriterionResult
from autograder.model.student_code import called

Kind = Literal["program", "behaviour", "answers"]
Difficulty = Literal["", "easy", "medium", "hard"]

PUBLIC_KEY = 0
"""The key of the draws that students see; an instructor's key is any other non-negative integer."""
_ROUNDS = 100_000
"""Of the derivation of a watched key. The keys of the first edition have 31 bits: so many can be
tried, were it quick."""
MOST_REDRAWS = 20
"""How often a key's draw may be replaced by the next one before the rubric is at fault."""
KITS_FOLDER = Path(__file__).resolve().parents[1] / "rubrics"
"""The folder with the rubrics of the kit's own lessons."""
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


@dataclass(frozen=True)
class Speed:
    """What the speed criterion requires.

    A program is timed beside the lesson's own solution, on the same machine in the same run: it
    may take `factor` times as long. Both are compared with the baseline too. What a program returns
    while it is timed is judged, with the exercise's `reference` or `compare`.

    Attributes:
        baseline: a right but slow function of the same arguments.
        threshold: the required ratio of times per iteration, baseline over program, on a GPU, where
            there is no solution of the lesson to compare with; well below the solution's.
        draw: given a NumPy random generator, and what `sizes` returned, returns the call to time.
        baseline_iterations: the baseline's own, smaller number, if the exercise has `iterations`;
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
    """One function to fix, and how the fix is judged.

    Attributes:
        name: the exercise's name; also the grade id of its check cell.
        points: points by criterion, a subset of `autograder.model.report.CRITERIA`.
        draws: given a NumPy random generator, returns the calls to judge, each a tuple of the
            arguments as the student would type them. NumPy arrays are data (traced, never shown
            to the student's process); Python ints, floats, bools and strings are statics.
        reference: the right function: same arguments, NumPy arrays of float32 or of float64, and
            results of the same structure. Plain NumPy, or JAX code that is right when run eagerly.
            A draw for which it fails, is not finite, or cannot tell right from wrong, is drawn
            again. For answers: a function without arguments that gives the right value of each of
            `questions`, by running the code that they are about.
        compare: instead of `reference`, for results that may differ between right solutions, such
            as a fit: given a call and the leaves that came back, says what is wrong with them, or
            returns None.
        paths: with `compare`, the paths of the result's leaves, such as ``("[0]", "[1]")`` for a
            pair; `compare` is asked first, since it can say more. None: `compare` tells it all.
        agree: with `compare`, whether two results for a call, leaves of the same shapes and dtypes,
            may be of the same function. It is asked where they are not the same but for rounding:
            two fits, say, that end apart where the ELBO is flat.
        entry_points: the names the student must define; by default the exercise's name.
        kind: what is judged: the exported ``"program"``; ``"behaviour"``, the values that the
            function returns in the student's process on the watched draws, and what `probe` sees;
            ``"answers"``, a dictionary of predictions.
        adapter: turns the student's namespace into the function to call, for containers and
            methods that the student defines; by default the first entry point itself. It raises
            `AdapterError` where there is no result to judge, and calls `note_impurity`
            (`autograder.model.adapters`) where an object was changed.
        keeps: for a function whose result goes into its own next call: by position in the result,
            the position of the argument that it is the new value of. It must be built of the same
            containers: a tuple for a tuple, with its empty parts.
        gradient: position of an argument: the gradient of the result's sum with respect to it is
            compared too; the reference must then be JAX code.
        iterations: position of the argument that holds a loop's number of iterations. Programs for
            three numbers are then compared, and judged too (`unrolling_calls`): an unrolled Python
            loop grows with it, a `lax` loop does not.
        loops: draws the calls that `iterations` compares, two or more, instead of the first of
            `draws` at three numbers. From the first that shows a loop on, all are judged. The
            student's process only exports them, so they may be long.
            Where all have the same number of iterations, the later ones have more data: a Python
            loop over these grows as well.
        speed: the baseline and threshold, where `points` has the speed criterion.
        memory: where `points` has the memory criterion: how many times the scratch bytes of the
            lesson's own solution a program may need.
        scratch: instead of `memory`, the scratch bytes that a program may need.
        programs: the student's programs that one new signature may compile. Plain values count
            by type and value. Another float only counts as new where programs differ in more than
            numbers: where it sets a shape, say.
        dispatches: programs that one call may run one after another; `programs` by default.
        one_program: whether work outside of the student's jitted functions is an error. Where it
            is not (a loop in Python), one call must still run a program of the student's, and at
            most `dispatches` of them where that is given.
        one_function: whether the task asks for one jitted function: all programs must be of it.
        each_once: whether a new signature may compile each function only once, and Python's
            integers and floats are one signature.
        budget: own programs that all calls of `draws` together may compile; by default one for
            each new signature (shapes, dtypes and static values).
        permits: rules of findings that this exercise does not count: ``"argument-donated"``, say.
        probe: for behaviour: given the student's namespace, yields what it sees: numbers, text,
            arrays, and lists and dictionaries of these (`autograder.model.wire`). It runs in
            the student's process, so it must not use `reference` or anything else that tells what
            is right.
        decide: for behaviour: given the list of what `probe` yielded, says what is wrong, one
            sentence or finding for each criterion that does not hold. Trusted code runs it. Where
            the student's code fails within `probe`, the list ends there, and the failure counts
            unless `decide` already finds the outputs wrong.
        questions: for answers: the keys of the dictionary; as a mapping, with what to think about
            where the answer is wrong.
        hints: three hints for a criterion, or for a rule of a finding; each says more than the one
            before. One is enough for a drill. Some rules have general ones
            (`autograder.model.hints`).
        curve: name and position, among the leaves of the result, of the values by iteration that
            a card draws over the reference's; for exercises with `iterations`.
        jaxpr: whether a notebook's card shows how the jaxpr of a right program, for the first call
            of `draws`, differs from that of the lesson's own solution.
        cap: largest admissible calibrated tolerance, relative to the largest reference value; a
            draw for which the reference is noisier than that is drawn again.
        scales: by path of a leaf of the result (``".once.M"``), the size of what its values are
            sums of, for leaves whose values may cancel to almost nothing: rounding errors are
            relative to the summands. The tolerance and `cap` count from it where the largest value
            is smaller.
        minutes, difficulty: of the task, for most students; shown above it and in the syllabus.
        devices: how many CPU devices the student's code and its programs run on. The cells run in
            a process that has so many, and so does the judge. No speed is measured on them.
        redraws: set by `autograder.grading.run`: by key, how many of its draws were passed over.
        watched: set by `autograder.grading.run`: the key of the calls that the student's process
            makes; see `watch_key`.
        asked: set by `autograder.grading.defence`: whether a worker only makes the questions about
            the student's program.
        yardstick: set by `autograder.lessons`: the lesson's cells up to its own solution, where a
            criterion compares with them.
        known: set by `model.public_rubric`, in the place of a reference: gives what comes
            out of a public call.
    """

    name: str
    points: Mapping[str, float]
    draws: Callable[[np.random.Generator], Sequence[tuple]] | None = None
    reference: Callable[..., Any] | None = None
    compare: Callable[[tuple, list[np.ndarray]], str | None] | None = None
    paths: tuple[str, ...] | None = None
    agree: Callable[[tuple, list[np.ndarray], list[np.ndarray]], bool] | None = None
    entry_points: tuple[str, ...] = ()
    kind: Kind = "program"
    adapter: Callable[[Mapping[str, Any]], Callable[..., Any]] | None = None
    keeps: Mapping[int, int] = field(default_factory=dict)
    gradient: int | None = None
    iterations: int | None = None
    loops: Callable[[np.random.Generator], Sequence[tuple]] | None = None
    speed: Speed | None = None
    memory: float | None = None
    scratch: int | None = None
    programs: int = 1
    dispatches: int | None = None
    one_program: bool = True
    one_function: bool = False
    each_once: bool = False
    budget: int | None = None
    permits: tuple[str, ...] = ()
    probe: Callable[[Mapping[str, Any]], Iterable[Any]] | None = None
    decide: Callable[[Sequence[Any]], Mapping[str, str | Finding]] | None = None
    questions: tuple[str, ...] | Mapping[str, str] = ()
    hints: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    curve: tuple[str, int] | None = None
    jaxpr: bool = False
    cap: float = 1e-3
    scales: Mapping[str, float] = field(default_factory=dict)
    minutes: int = 0
    difficulty: Difficulty = ""
    devices: int = 1
    redraws: Mapping[int, int] = field(default_factory=dict)
    watched: int = PUBLIC_KEY
    asked: bool = False
    yardstick: tuple[str, ...] = ()
    known: Callable[[tuple], Any] | None = None

    def __post_init__(self) -> None:
        if unknown := set(self.points) - set(CRITERIA):
            raise RubricError(
                f"exercise {self.name!r} gives points for {sorted(unknown)}, "
                f"but the criteria are {list(CRITERIA)}"
            )
        if not self.points or any(not p > 0 for p in self.points.values()):
            raise RubricError(f"exercise {self.name!r} needs a positive number of points each")
        limits_memory = (self.memory is not None) + (self.scratch is not None)
        for name, given, text in (
            ("speed", int(self.speed is not None), "`speed=Speed(...)`"),
            ("memory", limits_memory, "either `memory=FACTOR` or `scratch=BYTES`"),
        ):
            if (name in self.points) != given:
                raise RubricError(
                    f"exercise {self.name!r}: points for {name} and {text} go together"
                )
        if self.devices < 1 or (self.devices > 1 and self.speed is not None):
            raise RubricError(
                f"exercise {self.name!r} needs at least one device, and just one for `speed`"
            )
        self._check_kind()
        if not self.entry_points:
            object.__setattr__(self, "entry_points", (self.name,))

    def _check_kind(self) -> None:
        def need(right: bool, what: str) -> None:
            if not right:
                raise RubricError(f"exercise {self.name!r} is judged by {self.kind}: {what}")

        if self.kind == "answers":
            need(bool(self.questions and self.reference), "it needs `questions` and `reference`")
            need(set(self.points) == {"outputs"}, "its points are all for outputs")
        elif self.kind == "behaviour":
            need(bool(self.draws or self.probe), "it needs `draws` or `probe`")
            need("speed" not in self.points, "it has no program whose speed could be measured")
            need("memory" not in self.points, "it has no program whose memory could be measured")
        else:
            need(self.draws is not None, "it needs `draws`")
            need(self.probe is None, "`probe` is for behaviour")
        need((self.probe is None) == (self.decide is None), "`probe` and `decide` go together")
        if self.draws is not None:
            rights = (self.reference, self.compare, self.known)
            given = sum(right is not None for right in rights)
            need(given == 1, "it needs either `reference` or `compare`")
        need(self.agree is None or self.compare is not None, "`agree` needs `compare`")

    @property
    def has_yardstick(self) -> bool:
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

    def function(self, namespace: Mapping[str, Any]) -> Callable[..., Any]:
        """Return the student's function as the judge calls it."""
        return self.adapter(namespace) if self.adapter else namespace[self.entry_points[0]]

    def hint_key(self, criterion: CriterionResult) -> str:
        """Return the key of the hints that fit: a finding's own rule before the criterion."""
        for finding in criterion.findings:
            if finding.severity == "error" and finding.rule in {**GENERAL_HINTS, **self.hints}:
                return finding.rule
        return criterion.name

    def hints_about(self, key: str) -> tuple[str, ...]:
        """Return the hints for a criterion or a rule: the exercise's own, or general ones."""
        return self.hints.get(key) or GENERAL_HINTS.get(key, ())

    def unrolling_calls(self, key: int) -> list[tuple]:
        """Return `loops`, or the first call of `key` at three numbers; none if there is no loop.

        The numbers are drawn with the key. A program that is small for one and for the next is
        only worth something if it is right for both: they are judged too.
        """
        if self.iterations is None:
            return []
        generator = self._draws_generator(key, "iterations")
        if self.loops is not None:
            return list(self.loops(generator))
        call, at = self.calls(key)[0], self.iterations
        few = int(generator.integers(_FEWEST, 2 * _FEWEST))
        numbers = (few, *(few + more for more in _FURTHER))
        return [(*call[:at], n, *call[at + 1 :]) for n in numbers]

    def calls(self, key: int) -> list[tuple]:
        """Return the calls drawn with `key`: the same on every machine."""
        calls = [] if self.draws is None else list(self.draws(self._draws_generator(key)))
        if not all(isinstance(args, tuple) for args in calls):
            raise RubricError(f"exercise {self.name!r}: `draws` must return a list of tuples")
        return calls

    @property
    def watched_calls(self) -> list[tuple]:
        """The calls that are made in the student's process, with their numbers."""
        return self.calls(self.watched)

    def speed_calls(self, key: int, count: int = 1) -> list[tuple]:
        """Return calls to time, drawn with `key`; none if the exercise has no speed criterion.

        All have the same shapes and statics. They have streams of their own, which `redraws` does
        not change.
        """
        if self.speed is None:
            return []
        sizes = self.speed.sizes(self._generator(key, "speed sizes"))
        draws = (self._generator(key, f"speed {i}") for i in range(count))
        return [self.speed.draw(draw, *sizes) for draw in draws]

    def _draws_generator(self, key: int, purpose: str = "") -> np.random.Generator:
        """Return the source of a draw of `key`; after a redraw it is another one."""
        again = self.redraws.get(key, 0)
        return self._generator(key, f"{purpose} draw {again}".strip() if again else purpose)

    def _generator(self, key: int, purpose: str) -> np.random.Generator:
        digest = hashlib.sha256(f"{self.name}:{key}:{purpose}".encode()).digest()
        return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


@lru_cache(maxsize=256)
def watch_key(key: int) -> int:
    """Return the key of the calls that are made, with numbers, in the student's process.

    For a learner it is the public key. Where an instructor grades, it is a throw-away key: no
    student knows its draws beforehand, and what a student's process learns of it tells nothing of
    the key that judges. It is derived by PBKDF2 (RFC 8018), so that a course's stays the same.
    """
    if key == PUBLIC_KEY:
        return PUBLIC_KEY
    digest = hashlib.pbkdf2_hmac("sha256", str(key).encode(), b"watched", _ROUNDS)
    return int.from_bytes(digest[:16])


def redrawn(exercise: Exercise, redraws: Mapping[int, int]) -> Exercise:
    """Return the exercise with later draws for some keys; see `Exercise.redraws`."""
    return replace(exercise, redraws={**exercise.redraws, **redraws})


@dataclass(frozen=True)
class Rubric:
    """The exercises of one lesson, in the order of the notebook.

    Attributes:
        lesson: the lesson's name.
        exercises: what is judged.
        learned: what the lesson teaches, in a few words; for the syllabus.
        minutes: how long a student takes; for the syllabus.
        practice: whether these are drills: checked, but never part of a mark.
        quiz: whether it is a mixed quiz: tasks on earlier lessons, none of which says on which.
            Such a notebook teaches nothing new: no cell fails on purpose, nothing is predicted, no
            cost is shown. It ends with a table of the lessons to read again.
    """

    lesson: str
    exercises: tuple[Exercise, ...]
    learned: str = ""
    minutes: int = 0
    practice: bool = False
    quiz: bool = False
    file: Path = field(default=Path(), compare=False)

    def exercise(self, name: str) -> Exercise:
        exercises = {exercise.name: exercise for exercise in self.exercises}
        if name not in exercises:
            names = ", ".join(exercises)
            raise RubricError(f"lesson {self.lesson!r} has no exercise {name!r}; it has: {names}")
        return exercises[name]

    @property
    def devices(self) -> int:
        """How many CPU devices the process needs that runs the lesson's cells."""
        return max((exercise.devices for exercise in self.exercises), default=1)

    @property
    def defended(self) -> Exercise:
        """The exercise whose program a student can be asked about.

        It is the lesson's namesake or else the first that has a program; the first of all where
        none has, about which nothing is asked.
        """
        programs = [exercise for exercise in self.exercises if exercise.kind == "program"]
        namesakes = [exercise for exercise in programs if exercise.name == self.lesson]
        return (*namesakes, *programs, *self.exercises)[0]

    @property
    def source(self) -> str:
        """The name by which `load_rubric` finds this rubric, in any process."""
        return self.lesson if self.file.parent == KITS_FOLDER else str(self.file)

    @property
    def digest(self) -> str:
        """SHA-256 of the rubric's source: results made with another text are out of date.

        Modules that the kit's own rubrics share (with an underscore) count as part of it.
        """
        shared = [] if self.source != self.lesson else sorted(self.file.parent.glob("_[!_]*.py"))
        texts = [file.read_bytes() for file in (self.file, *shared)]
        return hashlib.sha256(b"".join(texts)).hexdigest()


def speed_name(exercise: str) -> str:
    """Return the grade id of an exercise's speed cell."""
    return f"{exercise}_speed"
