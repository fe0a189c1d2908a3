import os
import signal
import threading
from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from autograder.judge.client import Judge, judge_programs
from autograder.model.kit_fault import CannotJudge, KitFault
from autograder.model.observation import Observation, Returned
from autograder.model.program import ProgramError
from autograder.model.reasons import JUDGE_DIED
from autograder.model.report import CRITERIA
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.programs.exported import export_program

LESSON = "static_reshape"


def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)


def returned(value):
    return Returned(("",), (np.asarray(value),))


def ask(judge, function, watched=None, seconds=60.0, others=()):
    drawn = load_rubric(LESSON).draw(LESSON, PUBLIC_KEY)
    calls = drawn.calls
    programs = tuple(export_program(jax.jit(function), args) for args in calls) * 2
    shown = [returned(function(*args)) for args in calls] if watched is None else watched(calls)
    observation = Observation(programs=programs, second_process=others, watched=tuple(shown))
    return judge_programs(judge, drawn, observation, seconds)


def test_right_program(judge):
    verdict = ask(judge, rank_abundance)
    assert verdict == dict.fromkeys(CRITERIA, ())


def test_wrong_program(judge):
    verdict = ask(judge, lambda counts: rank_abundance(counts)[::-1])
    (finding,) = verdict["outputs"]
    assert finding.rule == "wrong-output"
    assert "rank_abundance(float32[4,3])" in finding.message
    assert "another order" in finding.message


def test_other_results_in_the_notebook_than_in_the_program(judge):
    public = lambda calls: [returned(rank_abundance(*args) + 1) for args in calls]
    verdict = ask(judge, rank_abundance, public)
    assert verdict["outputs"] == ()
    (finding,) = verdict["purity"]
    assert finding.rule == "disagrees-with-program"


def endless(counts):
    never = lax.while_loop(lambda s: s[1] < 1, lambda s: (s[0] + 1, s[1] * 1), (0, 0))
    return rank_abundance(counts) + never[0]


@pytest.mark.slow
def test_endless_program_is_killed_and_the_next_one_judged(judge):
    public = lambda calls: [None] * len(calls)
    with pytest.raises(ProgramError, match=r"^2 s$") as ended:
        ask(judge, endless, public, seconds=2.0)
    assert ended.value.rule == "run-timeout"
    assert ask(judge, rank_abundance)["outputs"] == ()


@pytest.mark.gate
def test_a_program_that_had_to_wait_for_the_processor_is_no_endless_one(judge):
    assert ask(judge, rank_abundance)["outputs"] == ()
    child = judge._child.process.pid
    os.kill(child, signal.SIGSTOP)  # as a busy machine would, only longer
    timer = threading.Timer(3.0, os.kill, (child, signal.SIGCONT))
    timer.start()
    try:
        assert ask(judge, rank_abundance, seconds=2.0)["outputs"] == ()
    finally:
        timer.join()


@pytest.mark.slow
def test_a_program_that_never_gets_the_processor_is_not_endless(judge, monkeypatch):
    monkeypatch.setattr("autograder.processes.usage.PATIENCE", 1.5)
    assert ask(judge, rank_abundance)["outputs"] == ()
    os.kill(judge._child.process.pid, signal.SIGSTOP)
    with pytest.raises(KitFault, match="processors busy"):
        ask(judge, rank_abundance, seconds=1.0)
    assert ask(judge, rank_abundance)["outputs"] == ()


def greedy(counts):
    tall = jnp.broadcast_to(counts.sum(), (2**14, 8))
    return rank_abundance(counts) + jnp.max(tall @ tall.T)  # 1 GiB


@pytest.mark.slow
def test_memory_is_limited_by_what_is_used():
    judge = Judge(memory_bytes=2**30)
    nothing = lambda calls: [None] * len(calls)
    try:
        with pytest.raises(ProgramError, match="more than 1 GiB of memory") as ended:
            ask(judge, jax.jit(greedy), nothing)
        assert ended.value.rule == "run-failed"
        assert ask(judge, rank_abundance)["outputs"] == ()
    finally:
        judge.close()


def test_a_program_that_asks_for_more_than_there_is(judge):
    def immense(counts):
        return rank_abundance(counts) + jnp.sort(lax.iota(jnp.float32, 2**40) % counts.sum())[0]

    try:
        verdict = ask(judge, jax.jit(immense), lambda calls: [None] * len(calls))
        assert [f.rule for f in verdict["outputs"]] == ["run-failed"]
    except ProgramError as error:
        assert error.rule == JUDGE_DIED


def test_faulty_rubric_is_nobodys_submission(judge, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("rubric = 3")
    with pytest.raises(CannotJudge, match=r"at fault: .*must define `rubric"):
        drawn = replace(load_rubric(LESSON).draw(LESSON, PUBLIC_KEY), rubric=str(file))
        judge_programs(judge, drawn, Observation())


@pytest.mark.slow
def test_a_judge_that_cannot_start(monkeypatch):
    monkeypatch.setattr("autograder.judge.client._ENVIRONMENT", {"XLA_FLAGS": "--no_such_flag=1"})
    with pytest.raises(CannotJudge, match="judge process did not start"):
        Judge().ask({})


@pytest.mark.gate
def test_outputs_are_judged_on_a_cpu_whatever_the_notebook_uses(monkeypatch):
    """Whoever asked JAX for these devices would fail; and without jit, no program can be run."""
    environment = {
        **os.environ,
        "JAX_PLATFORMS": "abacus",
        "JAX_PLATFORM_NAME": "gpu",
        "JAX_DEFAULT_DEVICE": "gpu",
        "JAX_DISABLE_JIT": "1",
        "JAX_TRANSFER_GUARD": "disallow",
        "CUDA_VISIBLE_DEVICES": "0",
        "XLA_PYTHON_CLIENT_PREALLOCATE": "true",
    }
    monkeypatch.setattr("autograder.judge.client._ENVIRONMENT", environment)
    judge = Judge()
    try:
        assert ask(judge, rank_abundance)["outputs"] == ()
    finally:
        judge.close()


@pytest.mark.slow
def test_a_child_is_replaced_after_some_requests(judge, monkeypatch):
    """Its memory would grow with the class; nobody notices, but for the second that it takes."""
    ask(judge, rank_abundance)
    first = judge._child.process.pid
    monkeypatch.setattr("autograder.judge.client.REQUESTS", judge._answered + 1)
    ask(judge, rank_abundance)
    second = judge._child.process.pid
    assert second != first and judge._answered == 0
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)
    verdict = ask(judge, lambda counts: rank_abundance(counts)[::-1])
    assert verdict["outputs"]
    assert judge._child.process.pid == second
