"""Threads share judges: one is enough for those that are quick, and a slow one holds up nobody."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograder.judge import client
from autograder.judge.client import JudgePool
from autograder.model.kit_fault import CannotJudge
from autograder.model.program import ProgramError

NO_RUBRIC = {"exercise": {"rubric": "nowhere", "name": "x"}, "curve": True}


@pytest.fixture
def pool() -> Iterator[JudgePool]:
    pool = JudgePool()
    yield pool
    pool.close()


def answer(pool: JudgePool) -> str:
    with pytest.raises(CannotJudge) as reported:
        pool.ask(NO_RUBRIC, [b""])
    return str(reported.value)


@pytest.mark.gate
def test_one_judge_serves_many_threads(pool: JudgePool) -> None:
    pool.launch()
    pool.launch()
    assert "'nowhere'" in answer(pool)  # started
    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: answer(pool), range(12)))
    assert len(set(answers)) == 1
    assert len(pool._all) == 1


@pytest.mark.slow
def test_a_slow_request_holds_up_nobody(pool: JudgePool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "WAIT_SECONDS", 0.2)
    answer(pool)
    held, go_on = threading.Event(), threading.Event()
    (judge,) = pool._all
    ask = judge.ask

    def slowly(*args, **kwargs):
        held.set()
        assert go_on.wait(60)
        return ask(*args, **kwargs)

    monkeypatch.setattr(judge, "ask", slowly)
    with ThreadPoolExecutor(1) as threads:
        slow = threads.submit(answer, pool)
        assert held.wait(60)
        assert "'nowhere'" in answer(pool)
        assert len(pool._all) == 2
        go_on.set()
        assert "'nowhere'" in slow.result()


@pytest.mark.slow
def test_a_judge_that_failed_is_used_again(
    pool: JudgePool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "COMPARE_SECONDS", 0.0)
    answer(pool)
    child = pool._all[0]._child
    assert child is not None
    process = child.process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)  # it does not answer in no time at all
    with pytest.raises(ProgramError, match=r"^[0-9.]+ s$"):
        pool.ask(NO_RUBRIC, [b""], seconds=0.0)
    assert "'nowhere'" in answer(pool)
    assert len(pool._all) == 1
