"""A seal names what was replaced, and puts it back."""

import sys
from types import ModuleType

import pytest

from autograder.core.seal import Seal

SOURCE = """
LIMIT = 3
counter = 0

def grade(x):
    return x

class Judge:
    def judge(self):
        return True
"""


@pytest.fixture
def module(monkeypatch):
    module = ModuleType("sealed.part")
    exec(SOURCE, vars(module))
    monkeypatch.setitem(sys.modules, "sealed.part", module)
    return module


def test_what_was_replaced_is_named_and_put_back(module):
    seal = Seal("sealed")
    grade, judge, code = module.grade, module.Judge.judge, module.grade.__code__
    module.counter += 1  # a variable may change
    assert seal.restore() == []

    grade.__code__ = (lambda x: 9).__code__
    module.grade = lambda x: 9
    module.LIMIT = 9
    module.Judge.judge = lambda self: False
    assert seal.restore() == [
        "sealed.part.Judge.judge",
        "sealed.part.LIMIT",
        "sealed.part.grade",
        "sealed.part.grade.__code__",
    ]
    assert (module.grade, module.LIMIT, module.Judge.judge) == (grade, 3, judge)
    assert (grade.__code__, module.counter) == (code, 1)
    assert seal.restore() == []


def test_a_module_that_was_replaced(module):
    seal = Seal("sealed")
    sys.modules["sealed.part"] = ModuleType("sealed.part")
    assert seal.restore() == ["sealed.part"]
    assert sys.modules["sealed.part"] is module


def test_single_names(module):
    seal = Seal(guarded=[(module, "counter", 0)])
    module.counter, module.LIMIT = 1, 9
    assert seal.restore() == ["sealed.part.counter"]
    assert (module.counter, module.LIMIT) == (0, 9)
