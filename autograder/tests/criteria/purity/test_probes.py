"""Watched calls: what is noted, by which rule, and what is not."""

from __future__ import annotations

import contextlib
import io

import pytest

from autograder.criteria.purity.probes import Calls, TooLongError, audit, profile
from autograder.criteria.purity.student import StudentModule
from autograder.tests.helpers.student_modules import make_module

IMPORTS = "import atexit, datetime, inspect, io, logging, os, random, sys, time, warnings\n"
CALLS = {
    "time.perf_counter()": "reads-clock",
    "datetime.datetime.now()": "reads-clock",
    "time.sleep(0)": "sleeps",
    "random.random()": "random-state",
    "random.uniform(0, 1)": "random-state",
    "os.urandom(1)": "random-state",
    "print('x')": "prints",
    "sys.__stdout__.write('')": "prints",
    "logging.debug('x')": "logs",
    "logging.getLogger('x').debug('x')": "logs",
    "os.listdir()": "file-access",
    "os.stat('.')": "file-access",
    "open(os.devnull).close()": "file-access",
    "os.getpid()": "reads-environment",
    "os.environ.get('x')": "reads-environment",
    "gc.get_objects()": "inspects-interpreter",
    "inspect.currentframe()": "inspects-interpreter",
    "sys._getframe()": "inspects-interpreter",
    "random.Random(0).uniform(0, 1)": None,
    "os.fspath('x')": None,
    "time.mktime(time.localtime(0))": "reads-clock",
    "time.mktime((2000, 1, 1, 0, 0, 0, 0, 0, 0))": None,
    "print('x', file=out)": None,
    "len('x')": None,
}


def watched(body: str, stops: bool = False) -> Calls:
    module = make_module(f"{IMPORTS}import gc\ndef f():\n    out = io.StringIO()\n    {body}\n")
    calls = Calls(StudentModule.of(module, module.f), stops)
    with contextlib.redirect_stdout(io.StringIO()), audit(calls), profile(calls):
        module.f()
    return calls


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_noted_by_its_rule_and_line(call: str) -> None:
    found = {(rule, line) for rule, line, _ in watched(call).found}
    assert found == ({(CALLS[call], 5)} if CALLS[call] else set())


def test_the_code_that_ran_is_kept() -> None:
    assert [code.co_name for code in watched("pass").codes] == ["f"]


@pytest.mark.parametrize("call", ["open('x.txt', 'w')", "os.mkdir('x')"])
def test_a_made_up_call_ends_before_it_touches_the_system(call: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TooLongError):
        watched(call, stops=True)
    assert not list(tmp_path.iterdir())
