"""In a quiz, the card says why only after as many different programs as the rubric asks for."""

from __future__ import annotations

import linecache

import pytest

from autograder import check
from autograder.learner import kernel

RUBRIC = """
from autograder import ProgramExercise, Rubric

double = ProgramExercise(
    name="double",
    points={"outputs": 1},
    draws=lambda rng: [(rng.normal(size=3).astype("float32"),)],
    reference=lambda x: 2 * x,
    hints={"outputs": ("Add.", "Add x.", "x + x")},
)
rubric = Rubric(lesson="mine", exercises=(double,), quiz=True, tries=2)
"""


@pytest.fixture
def check_source(tmp_path, monkeypatch):
    monkeypatch.setattr(kernel, "_tried", {})
    (tmp_path / "mine.py").write_text(RUBRIC)

    def check_source(source):
        name = f"<cell {abs(hash(source))}>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        exec(compile(source, name, "exec"), globals())
        return check("double", rubric=tmp_path / "mine.py")._repr_html_()

    return check_source


def test_the_cause_waits_for_two_different_tries(check_source):
    wrong = "def double(x):\n    return x * {}\n"
    first, again, second = (check_source(wrong.format(by)) for by in ("3", "3", "0"))
    for card in (first, again, second):
        assert "expected" in card and "hint 1" not in card and "why?" not in card
        assert "once you have checked 2 different programs" in card
    third = check_source(wrong.format("-2"))
    assert "hint 1" in third and "why?" in third and "different programs" not in third


def test_what_passes_says_nothing_of_tries(check_source):
    assert "different programs" not in check_source("def double(x):\n    return x + x\n")
