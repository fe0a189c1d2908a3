"""The stand-ins that `time_call` is handed, on a machine whose other processes want the CPU."""

from __future__ import annotations

import statistics

import jax
import pytest

from autograder.rubrics import _clock, timing

GIVEN_AWAY = 0.02
"""Seconds until a busy machine gives the CPU back to who gave it away without need."""


class BusyClock:
    """Stands for `time`: any sleep takes as long as asked for, one of no time far longer."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 1e-6
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds or GIVEN_AWAY


@pytest.fixture
def clock(monkeypatch):
    clock = BusyClock()
    for module in (timing, _clock):
        monkeypatch.setattr(module, "time", clock)
    return clock


def wrong_with(namespace):
    return timing.decide(list(timing.probe(namespace)))


def in_each_call(clock, wait):
    def time_call(function, *arguments):
        def seconds():
            start = clock.perf_counter()
            result = function(*arguments)
            wait(result)
            return clock.perf_counter() - start, result

        first, *warm = (seconds() for _ in range(8))
        run = statistics.median(taken for taken, _ in warm)
        jax.block_until_ready([result for _, result in warm])  # once more: that changes nothing
        return first[0] - run, run

    return {"time_call": time_call}


@pytest.mark.parametrize(
    "wait",
    [
        jax.block_until_ready,
        jax.device_get,
        lambda result: jax.tree.map(lambda leaf: leaf.block_until_ready(), result),
    ],
)
def test_a_busy_machine_makes_no_right_answer_wrong(clock, wait):
    assert wrong_with(in_each_call(clock, wait)) == {}


def test_the_result_is_there_when_its_last_leaf_is(clock):
    sleeper = timing.Sleeper(compiling=0.06, running=0.006, pair=True)
    first, second = jax.tree.leaves(sleeper(1))
    first.block_until_ready()
    clock.now += 1.0
    second.block_until_ready()
    first.block_until_ready()
    assert sleeper.calls[0].seconds == pytest.approx(1.066, abs=1e-4)


def test_waiting_after_the_clock_is_still_wrong(clock):
    assert "before waiting" in wrong_with(in_each_call(clock, lambda result: None))["outputs"]
