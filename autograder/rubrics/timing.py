"""Lesson `timing`: a clock to trust, one short program, and what was compiled ahead of time.

`time_call` is handed functions that know how long each of their calls took: what it returns is
held against that, so a busy machine makes no right answer wrong.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from jax.core import Tracer
from scipy.special import gammaln

from autograder.model.call_text import kind_of
from autograder.model.exercise import BehaviourExercise, Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics import _ahead_of_time
from autograder.rubrics._clock import Call, Device, Result
from autograder.rubrics._draws import LARGER

CALLS = 6
"""One call to warm up and five to time, at least."""

MOST_CALLS = 10_000
"""Calls that are looked at: nobody needs more."""

FACTORS = (0.5, 1, 12, 0.2, 2)
"""How many times as long as usual the calls after the first take, again and again. The median is
far from all others, and at no place where one would find it without sorting."""

BEFORE = 0.6
"""The part of a call after the first that passes before it returns."""

NO_LOWER = (
    "`time_call` must work for any function, jitted or not, and this one has no `{name}`. Time its "
    "first call: that is when a jitted function is compiled."
)
JITTED = (
    "`time_call` puts the function it is given under `jax.jit`: then you time another function "
    "than you were asked about. Call `function(*arguments)` as it is."
)
ARGUMENTS = (
    "The function was called with {got}, not with the arguments that `time_call` was given. Pass "
    "them on: `function(*arguments)`."
)
NOT_A_PAIR = (
    "`time_call` returns {got}. Return two numbers, `(compile_seconds, run_seconds)`: compiling "
    "happens once and running at every call, so one number cannot tell both."
)
NOT_NUMBERS = (
    "`time_call` returns {got}. Return two plain numbers, `(compile_seconds, run_seconds)`, and "
    "nothing else."
)
NOTHING = (
    "`time_call` returns nothing. Return the two numbers, `(compile_seconds, run_seconds)`: "
    "whoever calls it may print them."
)
FEW_CALLS = (
    "The function was {calls}. Make one call to warm up, which compiles, and time at "
    "least {least} more: a single time may be an accident."
)
NOT_WAITED = (
    "The results of {count} calls were never waited for. JAX returns before the result is there, "
    "so the clock has measured the dispatch only. Stop it after "
    "`jax.block_until_ready(function(*arguments))`."
)
NOT_EACH = (
    "You wait for the results of some calls, but those of {count} calls were never waited for: "
    "their clock was stopped before the result was there. Each call that is timed needs its own "
    "`jax.block_until_ready(function(*arguments))`, before its clock is read again."
)
PARTLY = (
    "A function may return several arrays, and of {count} calls only some of them were waited for. "
    "`jax.block_until_ready(function(*arguments))` waits for all, in any container."
)
TOO_LATE = (
    "run_seconds is {run:.2g} s, but the calls after the first took {right:.2g} s: the clock was "
    "started after the function had been called. It may compute before it returns."
)
TOO_EARLY = (
    "run_seconds is {run:.2g} s, but each call needs about {right:.2g} s until its result is "
    "there: you do wait, but the clock was stopped before waiting. Put `jax.block_until_ready` "
    "around the call, between the two readings of the clock."
)
STANDS_STILL = (
    "run_seconds is {run:.2g} s, less than a call needs before anything is waited for. Does your "
    "clock run on while Python waits? `time.process_time()` does not: use `time.perf_counter()`. "
    "Or are both readings on the same side of the call?"
)
SWAPPED = (
    "The two numbers are in the other order. Return `(compile_seconds, run_seconds)`: what the "
    "first call took beyond a later one, then the median of the later ones."
)
WARM_UP = (
    "run_seconds is {run:.2g} s, but the median of the calls after the first is {right:.2g} s: the "
    "first call, which compiles, is counted in. Make it before the times that you take the median "
    "of."
)
MEAN = (
    "run_seconds is {run:.2g} s, the mean of the calls after the first; their median is "
    "{right:.2g} s. One call in five was slow, as when a machine is busy, and a mean takes that "
    "in. Use `statistics.median`."
)
SUM = (
    "run_seconds is {run:.2g} s, about all calls after the first together. Time each call by "
    "itself and return the median of these times."
)
MINIMUM = (
    "run_seconds is {run:.2g} s, the fastest of the calls after the first; their median is "
    "{right:.2g} s. The fastest call may be an accident too. Use `statistics.median`."
)
ONE_CALL = (
    "run_seconds is {run:.2g} s, the time of a single call; the median of the calls after the "
    "first is {right:.2g} s. It is the time in the middle once they are sorted: use "
    "`statistics.median`."
)
UNIT = "run_seconds is {run:.2g}: that looks like milliseconds. Return seconds."
NANOSECONDS = "run_seconds is {run:.2g}: that looks like nanoseconds. Return seconds."
RUN = (
    "run_seconds is {run:.2g} s, but the median of the calls after the first is {right:.2g} s. "
    "Time from just before `function(*arguments)` until `jax.block_until_ready` returns, nothing "
    "else, and take `statistics.median` of all calls but the first."
)
NO_COMPILE = (
    "compile_seconds is {compile:.2g} s, but the first call took {right:.2g} s longer than the "
    "others. `jax.jit` compiles nothing before the first call: time that call as well, and "
    "subtract run_seconds."
)
NEGATIVE = (
    "compile_seconds is {compile:.2g} s, the difference the wrong way round: it is the time of "
    "the first call less run_seconds."
)
WHOLE_CALL = (
    "compile_seconds is {compile:.2g} s, all that the first call took. It ran the function, too: "
    "subtract run_seconds, and {right:.2g} s are left."
)
FIRST_NOT_WAITED = (
    "compile_seconds is {compile:.2g} s, but nobody waited for the result of the first call: its "
    "clock was stopped too early. Put `jax.block_until_ready` around that call, too."
)
LESS_ANOTHER = (
    "compile_seconds is {compile:.2g} s, the first call less the {what} of the others. Subtract "
    "run_seconds, their median, and {right:.2g} s are left."
)
COMPILE = (
    "compile_seconds is {compile:.2g} s, but the first call took {right:.2g} s longer than the "
    "others. Time the first call by itself and subtract run_seconds."
)


class Sleeper:
    """A function that compiles and computes by sleeping, and knows when.

    It computes part of a result before it returns, as a function without JAX computes all of it.

    Args:
        compiling: seconds that its first call takes before it returns.
        running: seconds after which a result is there; the device does one after another.
        pair: whether it returns two results in a tuple and a dict.
    """

    def __init__(self, compiling: float, running: float, pair: bool) -> None:
        self.compiling, self.running, self.pair = compiling, running, pair
        self.jitted = False
        self._device = Device()
        self.calls = self._device.calls

    def __call__(self, *arguments: Any) -> Any:
        if any(isinstance(a, Tracer) for a in arguments):
            self.jitted = True
            return arguments[0]
        call = Call(arguments)
        if not self.calls:
            time.sleep(self.compiling)
        factor = FACTORS[(len(self.calls) - 1) % len(FACTORS)] if self.calls else 1
        call.left = 1 + self.pair
        result = self._device.compute(self.running * factor, BEFORE, call)
        return (result, {"norm": Result(call)}) if self.pair else result

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(NO_LOWER.format(name=name))


def _time(time_call: Any, sleeper: Sleeper, *arguments: Any) -> dict[str, Any]:
    """What `time_call` did with one function, and the times that it returned."""
    got = time_call(sleeper, *arguments)
    try:
        compiling, run = got
        texts = isinstance(compiling, str) or isinstance(run, str)
        times = None if texts else [float(compiling), float(run)]
    except Exception:  # no pair, or of other things than numbers
        times = None
    calls = sleeper.calls[:MOST_CALLS]
    others = [c.arguments for c in calls if not _are_equal(c.arguments, arguments)]
    return {
        "jitted": sleeper.jitted,
        "seconds": [call.seconds for call in calls],
        "before": [call.before for call in calls],
        "partly": any(0 < call.left < 1 + sleeper.pair for call in calls[1:]),
        "other_arguments": len(others[0]) if others else None,
        "compiling": sleeper.compiling,
        "running": sleeper.running,
        "times": times,
        "returned": _describe(got),
    }


def _are_equal(given: Sequence[Any], arguments: Sequence[Any]) -> bool:
    """Whether a call got the arguments, on whatever device."""
    return len(given) == len(arguments) and all(map(np.array_equal, given, arguments))


def _describe(got: Any) -> str | None:
    """What was returned in place of a pair of numbers; None for nothing."""
    if isinstance(got, (float, int)):
        return "one number"
    if isinstance(got, (tuple, list)):
        kinds = ", ".join(type(value).__name__ for value in got[:CALLS])
        return f"{kind_of(got)} of {len(got)} ({kinds})"
    return None if got is None else kind_of(got)


def probe(namespace: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """Hand `time_call` two functions; the second returns a pair and takes one argument."""
    a, b = np.ones(3, np.float32), np.zeros((2, 2), np.float32)
    time_call = namespace["time_call"]
    yield _time(time_call, Sleeper(compiling=0.12, running=0.006, pair=False), a, b)
    yield _time(time_call, Sleeper(compiling=0.035, running=0.016, pair=True), b)


def _near(value: float, right: float) -> bool:
    return abs(value - right) <= 0.3 * abs(right) + 5e-4


def _wrong_run(
    run: float, compiling: float, times: Sequence[float], before: Sequence[float], running: float
) -> str | None:
    """What is wrong with the time of a run.

    Args:
        run, compiling: the times that were returned.
        times: how long each call took.
        before: how long each took until it returned.
        running: what a call computes for.
    """
    warm, first = times[1:], times[0]
    early = statistics.median(before[1:])
    late = statistics.median(a - b for a, b in zip(warm, before[1:], strict=True))
    right = statistics.median(warm)
    if _near(run, right):
        return None
    if _near(compiling, right) and (_near(run, first) or _near(run, first - right)):
        return SWAPPED
    if run < 0.8 * (1 - BEFORE) * min(FACTORS) * running:  # less than any part of a call takes
        return STANDS_STILL.format(run=run)
    if run < 0.8 * min(warm):  # on a busy machine, even the fastest call takes long
        text = TOO_LATE if abs(run - late) < abs(run - early) else TOO_EARLY
        return text.format(run=run, right=right)
    usual = (
        (min(warm), MINIMUM),
        (early, TOO_EARLY),
        (late, TOO_LATE),
        (statistics.mean(warm), MEAN),
        (statistics.mean(times), WARM_UP),
        (first, WARM_UP),
        (sum(warm), SUM),
        (1e3 * right, UNIT),
        (1e9 * right, NANOSECONDS),
        *((seconds, ONE_CALL) for seconds in warm if seconds > 1.5 * right),
    )
    value, text = min(usual, key=lambda each: abs(each[0] - run))
    return (text if _near(run, value) else RUN).format(run=run, right=right)


def _no_pair(returned: str | None) -> str:
    if returned is None:
        return NOTHING
    return (NOT_A_PAIR if returned == "one number" else NOT_NUMBERS).format(got=returned)


def _wrong(seen: Mapping[str, Any]) -> dict[str, str]:
    """What is wrong with the times of one function, by criterion."""
    if seen["jitted"]:
        return {"outputs": JITTED}
    others, count = seen["other_arguments"], len(seen["seconds"])
    if others is not None:
        given = "1 argument" if others == 1 else f"{others or 'no'} arguments"
        return {"outputs": ARGUMENTS.format(got=given)}
    if count < CALLS:
        times = {0: "not called at all", 1: "called only once"}
        calls = times.get(count, f"called {count} times in all")
        return {"outputs": FEW_CALLS.format(calls=calls, least=CALLS - 1)}
    first, *warm = seen["seconds"]
    forgotten = warm.count(None)
    if forgotten and seen["partly"]:
        return {"outputs": PARTLY.format(count=forgotten)}
    if forgotten:
        text = NOT_WAITED if forgotten == len(warm) else NOT_EACH
        return {"outputs": text.format(count=forgotten)}
    if seen["times"] is None:
        return {"outputs": _no_pair(seen["returned"])}
    compiling, run = seen["times"]
    if first is None:
        first = seen["compiling"]
    wrong = _wrong_run(run, compiling, [first, *warm], seen["before"], seen["running"])
    if wrong:
        return {"outputs": wrong}
    right, usual = first - run, statistics.median(warm)
    most = max(1.2 * right + 2e-3, right + usual / 2)
    if 0.8 * min(right, seen["compiling"]) <= compiling <= most:
        return {}
    if seen["seconds"][0] is None:
        return {"compilations": FIRST_NOT_WAITED.format(compile=compiling)}
    text = NO_COMPILE if compiling < 0.2 * right else COMPILE
    if _near(compiling, -right):
        text = NEGATIVE
    usual_mistakes = (
        (first, WHOLE_CALL, ""),
        (first - min(warm), LESS_ANOTHER, "fastest"),
        (first - statistics.mean(warm), LESS_ANOTHER, "mean"),
    )
    value, mistake, what = min(usual_mistakes, key=lambda each: abs(each[0] - compiling))
    if abs(compiling - value) <= 0.05 * abs(value) + 5e-4:
        text = mistake
    return {"compilations": text.format(compile=compiling, right=right, what=what)}


def decide(seen: Sequence[Any]) -> dict[str, str]:
    """What is wrong with the times of the first function, or of the second."""
    return _wrong(seen[0]) or _wrong(seen[1])


def draws(rng: np.random.Generator) -> list[tuple]:
    """Two data sets and rates of one shape, one site, once; one taxon; more than the oaks have.

    The offsets of the first come with equal counts, and other iterations.
    """
    cases = ((6, 4, 5), (6, 4, 5), (1, 3, 1), (5, 1, 4), (*LARGER, 2))
    calls = []
    for n, p, n_iterations in cases:
        O = rng.normal(0.0, 0.5, (n, p))
        Y = rng.poisson(np.exp(O + rng.normal(1.0, 1.0, (n, p))))
        Y[0, 0] = 0
        data = Y.astype(np.float32), O.astype(np.float32)
        calls.append((*data, float(rng.uniform(0.3, 0.9)), n_iterations))
    Y, O, *_ = calls[0]
    equal, rate = np.full_like(Y, rng.integers(1, 9)), float(rng.uniform(0.3, 0.9))
    return [*calls, (equal, O.copy(), rate, 3)]


def fit(Y, O, rate, n_iterations):
    """M, log S and the ELBO before each step, entry by entry, with Omega = I."""
    M, log_S, rate = np.zeros_like(Y), np.zeros_like(Y), np.asarray(rate, Y.dtype)
    elbos = []
    for _ in range(n_iterations):
        S2 = np.exp(2 * log_S)
        A = np.exp(O + M + S2 / 2)
        entries = Y * (O + M) - A - gammaln(Y + 1) + log_S - (M**2 + S2 - 1) / 2
        elbos.append(np.sum(entries))
        M = M + rate * np.clip((Y - A - M) / (A + 1), -1, 1)
        log_S = log_S + rate * np.clip(1 / (2 * S2 * (A + 1)) - 1 / 2, -1, 1)
    return M, log_S, np.array(elbos, Y.dtype)


rubric = Rubric(
    lesson="timing",
    learned="waiting and warming up; why compiling takes long; calling what was compiled",
    minutes=45,
    exercises=(
        BehaviourExercise(
            name="timing",
            minutes=5,
            difficulty="medium",
            importance=3,
            entry_points=("time_call",),
            probe=probe,
            decide=decide,
            points={"outputs": 4, "compilations": 2},
        ),
        ProgramExercise(
            name="slow_compile",
            minutes=6,
            difficulty="medium",
            importance=3,
            entry_points=("fit",),
            draws=draws,
            reference=fit,
            curve=("ELBO", -1),
            scales={"[0]": 1.0, "[1]": 1.0},
            points={"outputs": 2, "purity": 1, "compilations": 4},
            loop=Loop(3),
            compilations=Compilations(one_function=True),
        ),
        BehaviourExercise(
            name="ahead_of_time_compiled",
            minutes=3,
            difficulty="easy",
            importance=1,
            entry_points=("compile_fit",),
            probe=_ahead_of_time.probe,
            decide=_ahead_of_time.decide,
            points={"outputs": 2, "compilations": 2},
        ),
    ),
)
