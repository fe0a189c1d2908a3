"""Lesson `where_time_goes`: a training loop that asks for no loss before it is time to log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import jax.numpy as jnp
import numpy as np

from autograder.model.exercise import BehaviourExercise
from autograder.model.rubric import Rubric

RUNS = ((12, 4), (11, 3), (5, 1), (3, 7), (230, 100))
"""Batches and how often to log, of the calls that the probe makes."""


def loss_of(number: int) -> float:
    """Return the loss of a step, counted from 1: float32 holds it."""
    return 8.0 - number / 4 + (number % 3) / 8


class _Clock:
    """Counts the steps that were started, and notes who asked for a value when."""

    def __init__(self) -> None:
        self.started = 0
        self.asked: list[tuple[int, int, str]] = []
        self.logged: list[tuple[int, int, float | None]] = []
        self.batches: list[int] = []
        self.states: list[int] = []


class _Result:
    """A stand-in for a loss or a state that is still being computed: it notes who asks for it."""

    def __init__(self, clock: _Clock, number: int, value: float, what: str) -> None:
        self.clock, self.number, self._value, self.what = clock, number, value, what
        self.shape, self.ndim, self.size, self.dtype = (), 0, 1, np.dtype(np.float32)

    def _ask(self, how: str) -> float:
        self.clock.asked.append((self.number, self.clock.started, f"{how} of a {self.what}"))
        return self._value

    def __float__(self) -> float:
        return self._ask("float()")

    def __int__(self) -> int:
        return int(self._ask("int()"))

    def __bool__(self) -> bool:
        return bool(self._ask("a test"))

    def item(self) -> float:
        return self._ask(".item()")

    def tolist(self) -> float:
        return self._ask(".tolist()")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self._ask("np.asarray"), dtype or np.float32)

    def block_until_ready(self) -> _Result:
        self._ask("block_until_ready")
        return self

    def is_ready(self) -> bool:
        return False

    def copy_to_host_async(self) -> None:
        """Begin to copy: nobody waits."""

    def __jax_array__(self) -> Any:
        return jnp.asarray(self._value, jnp.float32)

    def __format__(self, how: str) -> str:
        return format(self._ask("a text"), how)

    def __repr__(self) -> str:
        return str(self._ask("a text"))

    def _with(self, other: Any, value: float) -> _Result:
        number = max(self.number, getattr(other, "number", 0))
        return _Result(self.clock, number, value, self.what)

    def __add__(self, other: Any) -> _Result:
        return self._with(other, self._value + getattr(other, "_value", other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> _Result:
        return self._with(other, self._value - getattr(other, "_value", other))

    def __mul__(self, other: Any) -> _Result:
        return self._with(other, self._value * getattr(other, "_value", other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> _Result:
        return self._with(other, self._value / getattr(other, "_value", other))

    def __lt__(self, other: Any) -> bool:
        return self._ask("a comparison") < getattr(other, "_value", other)

    def __gt__(self, other: Any) -> bool:
        return self._ask("a comparison") > getattr(other, "_value", other)


def _kind(value: Any) -> str:
    return "JAX array" if isinstance(value, _Result) else type(value).__name__


def _batches(count: int) -> Iterator[np.ndarray]:
    for number in range(1, count + 1):
        yield np.full(2, number, np.float32)


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Train with steps that note what is asked of their results, and once with a real one."""
    train = namespace["train"]
    for count, every in RUNS:
        clock = _Clock()

        def step(state: Any, batch: Any, clock: _Clock = clock) -> tuple[_Result, _Result]:
            clock.started += 1
            clock.states.append(state.number if isinstance(state, _Result) else -1)
            clock.batches.append(int(np.asarray(batch).flat[0]))
            number = clock.started
            return (
                _Result(clock, number, float(number), "state"),
                _Result(clock, number, loss_of(number), "loss"),
            )

        def log(steps: Any, mean: Any, clock: _Clock = clock) -> None:
            plain = isinstance(mean, (float, np.floating))
            clock.logged.append((int(steps), clock.started, float(mean) if plain else None))

        state = _Result(clock, 0, 0.0, "state")
        got = train(step, state, _batches(count), every, log)
        asked = list(clock.asked)
        pair = isinstance(got, (tuple, list)) and len(got) == 2
        losses = got[1] if pair and isinstance(got[1], list) else None
        yield {
            "started": clock.started,
            "batches": clock.batches,
            "states": clock.states,
            "asked": [list(one) for one in asked],
            "logged": [list(one) for one in clock.logged],
            "pair": pair,
            "state": got[0].number if pair and isinstance(got[0], _Result) else -1,
            "types": sorted({_kind(one) for one in losses}) if losses else [],
            "losses": [float(one) for one in losses] if losses is not None else None,
        }


CALLS = (
    "with {count} batches, `train` calls `step` {got} times: it should call it once for each "
    "batch, in their order, with the state that the step before has returned."
)
WAITS = (
    "with {count} batches and every={every}, `train` asks for {how} of step {number} right after "
    "step {started} was started, and it is not yet time to log. Python waits there. Keep the "
    "losses as they come, and read them when it is time to log."
)
LOGS = (
    "with {count} batches and every={every}, `log` is called for the steps {got}, and it should be "
    "called for {expected}: each time before the next step is started."
)
LATE = (
    "with every={every}, `log({number}, ...)` is called when {started} steps have been started. It "
    "should be called before the next step is started."
)
NOT_PLAIN = "`log` gets a mean that is no number of Python: convert it with `float` there."
MEAN = (
    "`log({number}, ...)` gets {got:.5g}, and the mean of the last {every} losses is "
    "{expected:.5g}."
)
RESULT = "`train` should return a pair: the last state, and a list of the losses."
STATE = "`train` should return the state of the last step, as it came."
NUMBERS = "`train` returns losses of the type {types}, and each should be a `float`."
LOSSES = (
    "with {count} batches and every={every}, `train` returns {got} losses, and it should return "
    "those of all steps, in their order."
)


def _wrong(run: tuple[int, int], one: Mapping[str, Any]) -> str | None:
    count, every = run
    words = {"count": count, "every": every}
    expected = list(range(1, count + 1))
    if one["batches"] != expected or one["states"] != list(range(count)):
        return CALLS.format(count=count, got=one["started"])
    for number, started, how in one["asked"]:
        if started % every and started < count:
            return WAITS.format(number=number, started=started, how=how, **words)
    logs = list(range(every, count + 1, every))
    numbers = [number for number, _, _ in one["logged"]]
    if numbers != logs:
        shown = ", ".join(map(str, numbers[:9])) or "none"
        right = ", ".join(map(str, logs[:9])) or "none"
        return LOGS.format(got=shown, expected=right, **words)
    for number, started, mean in one["logged"]:
        if started != number:
            return LATE.format(every=every, number=number, started=started)
        if mean is None:
            return NOT_PLAIN
        right = np.mean([loss_of(i) for i in range(number - every + 1, number + 1)])
        if not np.isclose(mean, right, rtol=1e-4, atol=1e-4):
            return MEAN.format(number=number, got=mean, every=every, expected=right)
    if not one["pair"] or one["losses"] is None:
        return RESULT
    if one["state"] != count:
        return STATE
    if not np.array_equal(one["losses"], [loss_of(i) for i in expected]):
        return LOSSES.format(got=len(one["losses"]), **words)
    if one["types"] != ["float"]:
        return NUMBERS.format(types=" and ".join(one["types"]))
    return None


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """Say what is wrong with the first run that has a fault."""
    for run, one in zip(RUNS, seen, strict=False):
        wrong = _wrong(run, one)
        if wrong:
            return {"outputs": wrong}
    return {}


rubric = Rubric(
    lesson="where_time_goes",
    learned="what waits: float(loss), transfers, dispatch; the profiler; memory of a program",
    minutes=25,
    track="At work",
    exercises=(
        BehaviourExercise(
            name="where_time_goes",
            minutes=8,
            difficulty="medium",
            importance=3,
            entry_points=("train",),
            probe=probe,
            decide=decide,
            points={"outputs": 5},
        ),
    ),
)
