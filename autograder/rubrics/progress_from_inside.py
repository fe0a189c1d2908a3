"""Lesson `progress_from_inside`: a fit that reports from inside its compiled program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from autograder.model.exercise import BehaviourExercise
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.programs import jax_access
from autograder.programs.jax_private import jaxprs_in
from autograder.rubrics._draws import LARGER, Array, large_table

Report = tuple[int, float]

RUNS = ((25, 10), (25, 10), (7, 1), (3, 50))
"""Steps and how often to report, of the calls of the probe; the second is the first again."""


def draws(rng: np.random.Generator) -> list[tuple]:
    """Counts with zeros, offsets, a rate, which is data, steps and how often to report.

    One table is larger than the oaks, one is a single count; the offsets of the first come with
    equal counts.
    """

    def call(n: int, p: int, steps: int, every: int) -> tuple:
        counts = rng.poisson(rng.gamma(1.0, 3.0, size=(n, p))).astype(np.float32)
        counts.flat[0] = 0.0
        offsets = rng.normal(scale=0.3, size=(n, p)).astype(np.float32)
        return counts, offsets, np.asarray(rng.uniform(0.02, 0.1), np.float32), steps, every

    calls = [call(6, 4, 12, 5), call(6, 4, 12, 5), call(1, 1, 1, 3)]
    offsets = rng.normal(scale=0.3, size=LARGER).astype(np.float32)
    large = large_table(rng), offsets, np.asarray(0.01, np.float32), 4, 2
    Y, O, rate, steps, every = calls[0]
    equal = np.full_like(Y, rng.integers(1, 9)), O.copy(), rate + np.float32(0.01), steps, every
    return [*calls, large, equal]


def fit(Y: Array, O: Array, rate: Array, steps: int, every: int) -> tuple[Array, Array]:
    """Gradient descent on the mean Poisson loss, and the loss before each step."""
    b, losses = np.zeros_like(Y[0]), []
    for _ in range(steps):
        eta = O + b
        losses.append((np.exp(eta) - Y * eta).mean(dtype=Y.dtype))
        b = b - rate * (np.exp(eta) - Y).sum(axis=0) / Y.dtype.type(Y.size)
    return b, np.stack(losses)


def _silent(i: Any, value: Any) -> None:
    """Report to nobody."""


def without_reports(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's fit, whose reports nobody reads."""
    student = namespace["fit"]

    def quiet(Y: Any, O: Any, rate: Any, steps: int, every: int) -> Any:
        return student(Y, O, rate, steps, every, _silent)

    return quiet


def _data() -> tuple[Array, Array, Array]:
    Y, O, rate, *_ = draws(np.random.default_rng(PUBLIC_KEY))[0]
    return Y, O, rate


class _Recorder:
    """A `report` that notes what it is called with."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def __call__(self, i: Any, value: Any) -> None:
        traced = any(isinstance(x, jax_access.Tracer) for x in (i, value))
        numbers = [] if traced else [int(np.asarray(i)), float(np.asarray(value))]
        self.seen.append(numbers)


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Note the reports of some fits, and the callbacks that the program holds."""
    student, (Y, O, rate) = namespace["fit"], _data()
    reports: dict[tuple[int, int], _Recorder] = {}
    for steps, every in RUNS:
        report = reports.setdefault((steps, every), _Recorder())
        report.seen.clear()
        jax_access.block_until_ready(student(Y, O, rate, steps, every, report))
        jax_access.effects_barrier()
        yield {"reports": list(report.seen)}
    jaxpr = jax.make_jaxpr(lambda Y, O, rate: student(Y, O, rate, 25, 10, _silent))(Y, O, rate)
    found = list(_callbacks(jaxpr.jaxpr, 1))
    yield {
        "names": [name for name, _, _ in found],
        "ordered": all(ordered for _, ordered, _ in found),
        "calls": sum(times for _, _, times in found),
    }


def _callbacks(jaxpr: Any, times: int) -> Iterable[tuple[str, bool, int]]:
    """Yield each callback: its name, whether it is ordered, and how often it is made for certain.

    What stands under a `lax.cond`, or in a loop of unknown length, is made 0 times for certain.
    """
    for eqn in jaxpr.eqns:
        name = eqn.primitive.name
        if "callback" in name or name == "debug_print":
            ordered = any(type(effect).__name__.startswith("Ordered") for effect in eqn.effects)
            yield name, ordered, times
        inside = 0 if name in ("cond", "while") else times * eqn.params.get("length", 1)
        for body in jaxprs_in(eqn):
            yield from _callbacks(body, inside)


TRACERS = (
    "`report` got tracers: it was called while tracing, when there are no numbers. Call it with "
    "`io_callback`, which is an operation of the program."
)
SILENT = (
    "`fit` with steps={steps}, every={every} {again}called `report` {count} times, and it should "
    "have called it {expected} times. A call of `report` must be an operation of the program: use "
    "`io_callback`."
)
OTHER_STEPS = (
    "`fit` with steps={steps}, every={every} reported for the steps {got}, and it should report "
    "for {expected}: where `i % every == 0`, in this order."
)
OTHER_VALUES = (
    "`fit` reported {got:.5g} for step {i}, and the loss before this step is {expected:.5g}."
)
UNORDERED = (
    "the reports came in order here, but the program does not guarantee it: `{name}` is in it "
    "without `ordered=True`."
)
NOT_SURE = (
    "`{name}` is for functions without an effect: JAX may leave out calls whose result is not "
    "needed, or make them twice. Use `io_callback(f, None, i, value, ordered=True)`."
)
EACH_STEP = (
    "With steps=25, every=10 the program calls Python {calls} times, and there are 3 reports. Let "
    "the program decide, with `lax.cond` around the callback."
)


def _wrong_reports(run: tuple[int, int], got: Sequence[Sequence[float]], again: bool) -> str | None:
    steps, every = run
    if any(not one for one in got):
        return TRACERS
    Y, O, rate = _data()
    losses = fit(Y, O, rate, steps, every)[1]
    numbers = [int(i) for i, _ in got]
    expected = list(range(0, steps, every))
    if len(numbers) != len(expected) and (not numbers or again):
        numbered = {"count": len(numbers), "expected": len(expected)}
        words = "made the same call again and " if again else ""
        return SILENT.format(steps=steps, every=every, again=words, **numbered)
    if numbers != expected:
        shown = ", ".join(map(str, numbers[:12])) + (", ..." if len(numbers) > 12 else "")
        return OTHER_STEPS.format(
            steps=steps, every=every, got=shown, expected=", ".join(map(str, expected[:12]))
        )
    for i, value in got:
        if not np.isclose(value, losses[int(i)], rtol=1e-4, atol=1e-5):
            return OTHER_VALUES.format(got=value, i=int(i), expected=losses[int(i)])
    return None


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """Whether the reports are right, in an order that is sure, and made only where needed."""
    *runs, program = seen if len(seen) > len(RUNS) else [*seen, None]
    for at, (run, one) in enumerate(zip(RUNS, runs, strict=False)):
        wrong = _wrong_reports(run, one["reports"], again=run in RUNS[:at])
        if wrong:
            return {"outputs": wrong}
    if not program:
        return {}
    for name in program["names"]:
        if name == "pure_callback":
            return {"outputs": NOT_SURE.format(name=name)}
    if not program["ordered"]:
        return {"outputs": UNORDERED.format(name=program["names"][0])}
    if program["calls"] > 3:
        return {"outputs": EACH_STEP.format(calls=program["calls"])}
    return {}


rubric = Rubric(
    lesson="progress_from_inside",
    learned="callbacks: debug.print, debug.callback, io_callback; order; a report every 100 steps",
    minutes=30,
    track="At work",
    exercises=(
        BehaviourExercise(
            name="progress_from_inside",
            minutes=9,
            difficulty="medium",
            importance=2,
            entry_points=("fit",),
            draws=draws,
            reference=fit,
            adapter=without_reports,
            probe=probe,
            decide=decide,
            points={"outputs": 4, "purity": 1, "compilations": 2},
            permits=("host-callback", "debug-print"),
        ),
    ),
)
