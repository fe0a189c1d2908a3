"""What programs that were judged right have computed is remembered, and nothing else."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.core.observation import Blobs, Observation, encode
from autograder.core.program import ProgramError, export_program
from autograder.core.rubric_files import load_rubric
from autograder.core.runner import LocalRunner
from autograder.judge import child
from autograder.judge.remembered import Remembered, RememberingRunner

LESSON = "static_reshape"
X = np.arange(4, dtype=np.float32)


class CountingRunner(LocalRunner):
    """Counts what it is asked to run."""

    def __init__(self) -> None:
        super().__init__()
        self.runs = 0

    def run(self, blob, args):
        self.runs += 1
        return super().run(blob, args)


def double(name: str, line: int):
    """A function that another student has written, elsewhere and with other names."""
    namespace: dict = {"jax": jax}
    source = "\n" * line + f"@jax.jit\ndef double({name}):\n    return 2 * {name}\n"
    exec(compile(source, f"/tmp/{name}.py", "exec"), namespace)
    return export_program(namespace["double"], (X,)).blob


def test_the_same_program_of_another_student_is_not_run_again():
    remembered, runner = Remembered(), CountingRunner()
    for name, line in (("x", 0), ("counts", 7), ("y", 3)):
        one = RememberingRunner(runner, 1, remembered)
        np.testing.assert_array_equal(one.run(double(name, line), (X,))[0], 2 * X)
        assert (
            one.inspect(double(name, line)).operations == runner.inspect(double("x", 0)).operations
        )
        one.keep()
    assert runner.runs == 1
    again = RememberingRunner(runner, 1, remembered)
    np.testing.assert_array_equal(again.run(double("x", 0), (X + 1,))[0], 2 * X + 2)
    assert runner.runs == 2  # other data
    RememberingRunner(runner, 2, remembered).run(double("x", 0), (X,))
    assert runner.runs == 3  # other devices


def test_what_is_not_kept_is_asked_again():
    remembered, runner = Remembered(), CountingRunner()
    for _ in range(2):
        one = RememberingRunner(runner, 1, remembered)
        one.run(double("x", 0), (X,))
        one.run(double("x", 0), (X,))
    assert runner.runs == 2 and len(remembered) == 0


def test_a_refusal_is_not_remembered():
    remembered = Remembered()
    one = RememberingRunner(LocalRunner(), 1, remembered)
    with pytest.raises(ProgramError):
        one.run(b"no program", (X,))
    one.keep()
    assert len(remembered) == 0


def test_the_oldest_answers_make_room():
    few = Remembered(most=2)
    for key in "abc":
        few.add((key,), key)
    few.find(("b",))
    few.add(("d",), "d")
    assert [few.find((key,)) for key in "abcd"] == [None, "b", None, "d"]
    small = Remembered(most_bytes=40)
    for key in "abc":
        small.add((key,), [X])
    small.add(("c",), [X])
    assert [small.find((key,)) is None for key in "abc"] == [True, False, False]


def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)


@pytest.mark.parametrize("right", [True, False])
def test_only_requests_without_an_error_are_kept(right):
    """A process that one submission has broken must not answer for another's program."""

    def function(counts):
        return rank_abundance(counts) if right else rank_abundance(counts)[::-1]

    calls = load_rubric(LESSON).exercises[0].calls(0)
    programs = tuple(export_program(jax.jit(function), args) for args in calls) * 2
    blobs, remembered = Blobs(), Remembered()
    request = {
        "rubric": LESSON,
        "exercise": LESSON,
        "devices": 1,
        "key": 0,
        "to_time": False,
        "redraws": {},
        "yardstick": [],
        "seconds": 30.0,
        "observation": encode(Observation(programs=programs, public=(None,) * len(calls)), blobs),
    }
    runners = child._make_runners(1, apart=False)
    findings = child._answer(request, list(blobs.list), runners, remembered)["findings"]
    assert bool(findings["outputs"]) is not right
    assert bool(len(remembered)) is right
