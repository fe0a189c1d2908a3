"""What a call reads and other code changes, by any name, and the line that reads it."""

from __future__ import annotations

import jax.numpy as jnp
import pytest

from autograder.criteria.purity.experiments import Lab
from autograder.criteria.purity.lines import reader_line
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.writers import find_writers
from autograder.tests.helpers.student_modules import make_module

SOURCE = """import jax.numpy as jnp
scale, rate, unused, table = 2.0, 1.0, 0.0, {"n": 1}
class Model:
    def __init__(self):
        self.w = 1.0
    def fit(self, w):
        self.w = w
model = Model()
def make():
    shift = 0.0
    def move(by):
        nonlocal shift
        shift = by
    def shifted(x):
        return x + shift
    return move, shifted
move, shifted = make()
def setup(to):
    global scale
    scale = to
    table["n"] = 2
def f(x):
    count = scale * model.w
    return shifted(x) * count * table["n"] * rate
rate = 3.0
unused = 1.0
"""


def lab_of(source: str) -> Lab:
    module = make_module(source)
    lab = Lab(StudentModule.of(module, module.f), module.f, lambda: (jnp.arange(3.0),))
    lab.run("trace", watch=True)
    lab.restore()
    return lab


@pytest.mark.slow
def test_what_other_code_gives_another_value() -> None:
    lab = lab_of(SOURCE)
    found = {w.name: (w.line, w.paths) for w in find_writers(lab, lab.codes)}
    assert set(found) == {"scale", "table", "rate", "shift", "Model.w"}
    assert found["scale"] == (20, ("scale",)) and found["rate"] == (25, ("rate",))
    assert found["Model.w"] == (7, ("model.w",))
    assert found["shift"][0] == 13 and found["shift"][1][0].endswith(".<closure shift>")


def test_a_line_that_ran_is_no_other_code() -> None:
    lab = lab_of("seen = []\ndef f(x):\n    seen.append(1)\n    return x * len(seen)\n")
    assert find_writers(lab, lab.codes) == []
    (writer,) = find_writers(lab, lab.codes, running=True)
    assert (writer.name, writer.line) == ("seen", 3)


def test_the_first_line_that_reads_a_name_in_code_that_ran() -> None:
    lab = lab_of(SOURCE)
    assert reader_line(lab.student, lab.codes, "scale") == 23
    assert reader_line(lab.student, lab.codes, "w") == 23
    assert reader_line(lab.student, lab.codes, "to") is None  # in a function that did not run


ALIASES = """
class Model:
    w = 1.0
model, other, table, kept = Model(), Model(), {"n": 1}, {"n": 1}
def fill(t):
    t["n"] = 0
fill(kept)
def f(x):
    return x * model.w * table["n"] * kept["n"] * other.w
def step(m, rate):
    m.w = m.w - rate
def train(m):
    best = m
    step(best, rate=0.1)
train(m=model)
def reset(t=table):
    t = dict(t)
    t["n"] = 0
def clear(t=table):
    if (same := t):
        same["n"] = 0
"""


def test_a_name_of_other_code_is_followed_to_what_the_call_reads() -> None:
    """What is bound twice may be another object, and what is filled above the call is constant."""
    lab = lab_of(ALIASES)
    found = {w.name: w.line for w in find_writers(lab, lab.codes)}
    assert found == {"model": 11, "table": 21}
