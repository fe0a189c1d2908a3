"""Lesson `where_time_goes`: which call of the probe covers which sentence."""

from typing import Any

from autograder.rubrics import where_time_goes as rubric
from solutions.tests.draws.table import Drawn

STAND_INS = "losses and states are stand-ins, which note who asks for them"


def _calls() -> list[tuple]:
    calls: list[tuple] = []

    def train(step: Any, state: Any, batches: Any, every: int, log: Any) -> tuple:
        calls.append((step, state, list(batches), every, log))
        return state, []

    list(rubric.probe({"train": train}))
    return calls


TABLE = {
    "where_time_goes": Drawn(
        calls=_calls,
        covered=(
            ("once for each batch", lambda step, state, batches, every, log: len(batches) > 1),
            (
                "Once in `every` steps it calls `log(steps,",
                lambda step, state, batches, every, log: len(batches) % every == 0,
            ),
            (
                "Once in `every` steps it calls `log(steps,",
                lambda step, state, batches, every, log: len(batches) < every,
            ),
            ("until it is time to log", lambda step, state, batches, every, log: every == 1),
            (
                "the result stays as it is",
                lambda step, state, batches, every, log: len(batches) % every != 0,
            ),
        ),
        larger=(("range(200)", lambda step, state, batches, every, log: len(batches) > 200),),
        other=(
            "It returns the last state and a list of the losses",
            "All of that is right, but it waits for each step.",
            "`log` is called as now",
            "It takes Python numbers;",
            "`step` is jitted already.",
            "`batches` may be any iterable, even one that can",
        ),
        declined=dict.fromkeys(("empty", "infinite", "nan", "one", "new values"), STAND_INS),
    ),
}
