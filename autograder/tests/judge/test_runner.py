"""The process that runs a class's programs: what it says is not trusted, and it may break."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import psutil
import pytest
from jax import lax

from autograder.classroom.marks import marks_of
from autograder.grading.pipeline import grade_observation
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge
from autograder.model.graded import Graded
from autograder.model.kit_fault import KitFault
from autograder.model.observation import Observation
from autograder.model.program import Program, ProgramError
from autograder.model.reasons import JUDGE_DIED
from autograder.model.report import Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.programs.exported import export_program
from autograder.programs.runner import LocalRunner, Runner, RunnerEnded
from autograder.sandbox.runner_client import ConfinedRunner, runner_limits
from autograder.sandbox.zygote_client import Answer, Zygotes
from autograder.tests.judge.test_client import LESSON, ask, greedy, rank_abundance

X = np.arange(6, dtype=np.float32).reshape(2, 3)


def blob(function: Any, *args: Any) -> bytes:
    return export_program(jax.jit(function), args or (X,)).blob


RIGHT = blob(lambda x: (2 * x, x.sum()))


@pytest.fixture(scope="module")
def zygotes() -> Iterator[Zygotes]:
    zygotes = Zygotes(("runner",))
    yield zygotes
    zygotes.close()


@pytest.fixture(scope="module")
def class_judge() -> Iterator[Judge]:
    judge = Judge(apart=True)
    yield judge
    judge.close()


def endless(x: jax.Array) -> jax.Array:
    never = lax.while_loop(lambda s: s[1] < 1, lambda s: (s[0] + 1, s[1] * 1), (0, 0))
    return x + never[0]


def confined(zygotes: Zygotes, seconds: float = 60.0, **limits: Any) -> ConfinedRunner:
    return ConfinedRunner(zygotes, replace(runner_limits(seconds), **limits))


def forks_of(zygotes: Zygotes) -> list[int]:
    """Ids of the processes of zygotes that use the most memory: those that run programs."""
    (zygote,) = zygotes._zygotes.values()
    found = psutil.Process(zygote._process.pid).children(recursive=True)
    return [child.pid for child in found if not child.children()]


def examine(runner: Runner) -> list[Any]:
    doubled, total = runner.run(RIGHT, (X,))
    found, difference = runner.inspect(RIGHT), runner.compare(RIGHT, blob(lambda x: x + 1))
    same = runner.compare(RIGHT, RIGHT)
    scratch = runner.scratch_bytes(RIGHT)
    counts = found.operations, found.loops
    return [doubled.tolist(), float(total), *counts, difference, same, scratch]


@pytest.mark.slow
def test_it_says_the_same_as_this_process(zygotes: Zygotes) -> None:
    with confined(zygotes) as runner:
        reported = examine(runner)
    own = examine(LocalRunner())
    assert reported[:4] == own[:4] and reported[5:] == own[5:] and reported[5] is None
    assert reported[4].operation == own[4].operation


BAD = {
    "unreadable-program": b"no program",
    "other-inputs": blob(lambda x: x, X.T),
    "run-failed": blob(lambda x: jnp.sort(lax.iota(jnp.float32, 2**33) % x.sum())[:3]),
}


@pytest.mark.slow
@pytest.mark.parametrize("rule", BAD)
def test_a_program_that_must_not_run_or_fails(zygotes: Zygotes, rule: str) -> None:
    for runner in (confined(zygotes), LocalRunner()):
        with pytest.raises(ProgramError) as error:
            runner.run(BAD[rule], (X,))
        assert error.value.rule == rule
        if isinstance(runner, ConfinedRunner):  # it goes on
            assert len(runner.run(RIGHT, (X,))) == 2
            runner.__exit__()


def test_results_too_large_to_send_are_refused() -> None:
    with pytest.raises(ProgramError, match="of results"):
        LocalRunner().run(blob(lambda x: jnp.broadcast_to(x.sum(), (2**26,))), (X,))


@pytest.mark.gate
def test_each_request_gets_a_process_of_its_own_that_ends_with_it(zygotes: Zygotes) -> None:
    seen = []
    for _ in range(2):
        with confined(zygotes) as runner:
            runner.inspect(RIGHT)
            seen.append(set(forks_of(zygotes)))
            runner.run(RIGHT, (X,))
            assert set(forks_of(zygotes)) == seen[-1]  # one for the whole request
    assert seen[0] and not seen[0] & seen[1]


def test_one_that_was_broken_is_the_end_of_its_request_only(zygotes: Zygotes) -> None:
    with confined(zygotes) as runner:
        runner.inspect(RIGHT)
        for process in forks_of(zygotes):
            os.kill(process, signal.SIGKILL)
        with pytest.raises(RunnerEnded, match="died"):
            runner.run(RIGHT, (X,))
    with confined(zygotes) as runner:
        assert len(runner.run(RIGHT, (X,))) == 2


def test_an_endless_program_ends(zygotes: Zygotes) -> None:
    with confined(zygotes, 1.0) as runner, pytest.raises(RunnerEnded) as end:
        runner.run(blob(endless), (X,))
    assert end.value.reason in ("timeout", "starved")  # starved where the machine is busy


@pytest.mark.gate
def test_memory_is_limited_by_what_is_used(zygotes: Zygotes) -> None:
    hungry = blob(lambda x: jnp.sort(lax.iota(jnp.float32, 2**27) % x.sum())[:3])
    with confined(zygotes, resident=2**28) as runner, pytest.raises(RunnerEnded, match="memory"):
        runner.run(hungry, (X,))


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"results": [{"dtype": "float32", "shape": [10**6]}]},
        {"results": [{"dtype": "object", "shape": [1]}]},
        {"results": [{"dtype": "float32", "shape": [-1]}]},
        {"results": "x"},
        {"refused": ["custom-call"]},
        {"refused": 3},
    ],
)
def test_malformed_answers_are_the_end(header: dict[str, Any]) -> None:
    with pytest.raises(RunnerEnded, match="died"):
        answering(header, [b"1234"]).run(RIGHT, (X,))


@pytest.mark.parametrize(
    ("ask_for", "header"),
    [
        ("inspect", {"operations": -1, "loops": 0}),
        ("inspect", {"operations": 1.5, "loops": 0}),
        ("inspect", {"operations": True, "loops": 0}),
        ("inspect", {"operations": 1, "loops": "3"}),
        ("scratch_bytes", {"bytes": "0"}),
        ("scratch_bytes", {"bytes": 2**70}),
    ],
)
def test_malformed_facts_are_the_end(ask_for: str, header: dict[str, Any]) -> None:
    with pytest.raises(RunnerEnded, match="died"):
        getattr(answering(header, []), ask_for)(RIGHT)


def test_what_it_says_is_shown_as_text() -> None:
    with pytest.raises(ProgramError) as refused:
        answering({"refused": ["owned", "\x1b[2J" + "x" * 10_000]}, []).inspect(RIGHT)
    assert refused.value.rule == "unreadable-program"
    assert "\x1b" not in str(refused.value) and len(str(refused.value)) < 1_000
    with pytest.raises(KitFault, match=r"^it failed$"):
        answering({"fault": "\x1bit failed"}, []).inspect(RIGHT)


def answering(header: dict[str, Any], blobs: list[bytes]) -> ConfinedRunner:
    """A runner whose process gives one answer, whatever it is asked."""

    @contextmanager
    def fork(*_: object) -> Iterator[Any]:
        def exchange(*_: object) -> Answer:
            return Answer(header, blobs)

        yield SimpleNamespace(exchange=exchange, wait_for_end=lambda: "died")

    return ConfinedRunner(SimpleNamespace(fork=fork), runner_limits(1.0))  # type: ignore[arg-type]


@pytest.mark.slow
def test_a_class_is_judged_as_a_learner_is(class_judge: Judge, judge: Judge) -> None:
    for function in (rank_abundance, lambda counts: rank_abundance(counts)[::-1], jax.jit(greedy)):
        public = (lambda calls: [None] * len(calls)) if function is not rank_abundance else None
        reported = [ask(one, function, public) for one in (class_judge, judge)]
        assert reported[0] == reported[1]


@pytest.mark.slow
def test_the_judge_survives_what_breaks_the_process_that_runs_programs(class_judge: Judge) -> None:
    """It keeps the right results of references, and the next submission is judged."""
    ask(class_judge, rank_abundance)
    assert class_judge._child is not None
    process = psutil.Process(class_judge._child.process.pid)
    killed: list[int] = []

    def kill_runners() -> None:
        for child in process.children(recursive=True):
            with suppress(psutil.Error):  # it has ended meanwhile
                if child.pid not in idle and not child.children() and child.cmdline():
                    child.kill()
                    killed.append(child.pid)

    idle = {child.pid for child in process.children(recursive=True)}
    with kill_repeatedly(kill_runners), pytest.raises(ProgramError) as ended:
        ask(class_judge, endless, lambda calls: [None] * len(calls))
    assert ended.value.rule == JUDGE_DIED
    assert killed and class_judge._child.process.pid == process.pid
    assert ask(class_judge, rank_abundance)["outputs"] == ()


@contextmanager
def kill_repeatedly(kill: Callable[[], None]) -> Iterator[None]:
    done = threading.Event()

    def work() -> None:
        while not done.wait(0.2):
            kill()

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class _Dying:
    """A judge whose programs end their process."""

    def launch(self, devices: int = 1) -> None: ...

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        if "settle" in header:
            return {"redraws": 0}
        raise ProgramError(JUDGE_DIED, "it ended")


@pytest.mark.slow
def test_a_person_decides_where_the_process_ended() -> None:
    rubric = load_rubric(LESSON)
    exercise, *_ = rubric.exercises
    drawn = rubric.draw(exercise.name, 5)
    programs = (Program(RIGHT, ("",)),) * len(calls_to_export(drawn))
    observation = Observation(programs=programs, failures=(None,) * len(programs))
    report = grade_observation(drawn, observation, Terms(rubric, _Dying(), 5))
    assert {c.reason for c in report.criteria} == {JUDGE_DIED}
    assert (report.earned, report.possible, report.status) == (0, 0, Status.NOT_GRADED)
    assert report.pending == sum(exercise.points.values())
    mark = marks_of(report)[report.exercise]
    assert mark.points is None  # nbgrader asks for it
    graded = Graded((report,))
    assert graded.is_in_doubt  # tried again alone
    assert graded.is_final  # and then kept: it would end its process every time
    (shown,) = report.criterion("outputs").findings
    assert "no points" in shown.message and "a person decides" in shown.message
