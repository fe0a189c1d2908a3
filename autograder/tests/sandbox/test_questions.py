"""What students are asked about their own programs, and that it is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.lessons.verification.in_process import as_notebook
from autograder.model.exercise import Exercise, ProgramExercise
from autograder.model.notebook import Cell
from autograder.model.observation import Blobs, Observation, decode, encode
from autograder.model.questions import Kind, Question, Questions
from autograder.model.rubric_files import load_lesson
from autograder.processes.frames import FrameError
from autograder.sandbox.cells import run_cells
from autograder.sandbox.exercise_observation import ask_about
from autograder.tests.helpers.drawn import drawn_of

IMPORTS = "from functools import partial\nimport jax\nimport jax.numpy as jnp\n"
SETTLED = """
LIMIT = 3

def shift(counts):
    return counts + 1

@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    '''The transform.'''
    unused = jnp.exp(counts)
    ones = jnp.ones(3)
    sizes = counts.shape
    shifted = shift(counts)
    if power == 0:
        shown = jnp.log(shifted)
    else:
        shown = (shifted**power - 1) / power
    return shown
"""


def ask(source: str, folder: Path, exercise: Exercise | None = None) -> Questions:
    drawn = drawn_of(exercise or load_lesson("static_branch").exercises[0])
    with as_notebook():
        module, errors = run_cells([Cell("a", IMPORTS + source, "")], folder)
        assert not errors
        seen = ask_about(drawn, module)
    assert seen.questions is not None, seen.refused
    return seen.questions


def of_kind(questions: Questions, kind: Kind) -> Question:
    return next(question for question in questions.asked if question.kind is kind)


def test_lines_that_run_at_every_call(tmp_path: Path) -> None:
    question = of_kind(ask(SETTLED, tmp_path), Kind.LINES)
    right = dict(zip(question.options, question.right, strict=True))
    # What nothing needs, and what depends on no input, is left out by compilers: not asked about.
    assert not {"unused = jnp.exp(counts)", "ones = jnp.ones(3)", "return shown"} & set(right)
    of_zero = question.call.endswith(", 0)")
    known = {
        "sizes = counts.shape": False,
        "if power == 0:": False,
        "return counts + 1": True,
        "shifted = shift(counts)": True,
        "shown = jnp.log(shifted)": of_zero,
        "shown = (shifted**power - 1) / power": not of_zero,
    }
    assert right.items() <= known.items()
    assert len(right) >= 3


@pytest.mark.slow
def test_the_digest_is_of_the_source_that_is_used(tmp_path: Path) -> None:
    asked = ask(SETTLED, tmp_path)
    assert ask(SETTLED, tmp_path) == asked  # the same program, the same questions
    commented = SETTLED.replace("    unused", "    # nothing\n\n    unused")
    assert ask(commented + "\nprint('done')\n", tmp_path) == asked
    for old, new in (("counts + 1", "1 + counts"), ('static_argnames="power"', "static_argnums=1")):
        assert ask(SETTLED.replace(old, new), tmp_path).program != asked.program


def right_options(question: Question) -> set[str]:
    return {o for o, right in zip(question.options, question.right, strict=True) if right}


@pytest.mark.slow
def test_each_kind_about_calls(tmp_path: Path) -> None:
    """Which of them is asked depends on the digest: other names, other questions."""
    seen: dict[Kind, Question] = {}
    for name in "abcdefghijklmnop":
        for question in ask(SETTLED.replace("shown", f"shown_{name}"), tmp_path).asked:
            seen[question.kind] = question
        if len(seen) == len(Kind):
            break
    assert set(seen) == set(Kind)
    assert right_options(seen[Kind.ARGUMENTS]) == {"power"}
    assert set(seen[Kind.ARGUMENTS].options) == {"counts", "power"}
    # A static value for each power: as many programs as there are different calls.
    assert seen[Kind.PROGRAMS].count == len(set(seen[Kind.PROGRAMS].options))
    calls = seen[Kind.CALLS]
    assert right_options(calls) == set(calls.options) - {calls.call}


def test_what_is_trivial_is_not_asked(tmp_path: Path) -> None:
    one = ProgramExercise(
        name="double",
        points={"outputs": 1},
        draws=lambda rng: [(rng.integers(1, 9, 3),)],
        reference=lambda x: 2 * x,
    )
    questions = ask("@jax.jit\ndef double(x):\n    return 2 * x\n", tmp_path, one)
    assert questions.asked == ()


def test_what_a_worker_sends_is_cut_and_checked() -> None:
    question = Question(Kind.LINES, "f(x)", ("a = 1", "b = x"), (False, True))
    sent = encode(Observation(questions=Questions("0" * 8, (question,))), Blobs())
    assert decode(sent, [], ()).questions == Questions("0" * 8, (question,))
    sent["questions"]["asked"][0]["right"] = [True]
    with pytest.raises(FrameError, match="malformed"):
        decode(sent, [], ())
