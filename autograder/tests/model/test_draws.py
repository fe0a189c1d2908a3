"""No draw of any key ends a class: what the reference cannot judge with is drawn again."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.criteria.outputs.references import redraws_needed
from autograder.grading.pipeline import grade_notebook
from autograder.grading.run import find_draws
from autograder.judge.client import Judge
from autograder.model.exercise import Draws, RubricError
from autograder.model.kit_fault import CannotJudge
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report, Status
from autograder.model.rubric import MOST_REDRAWS, PUBLIC_KEY, watch_key
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import Processes, shared_zygotes
from autograder.sandbox.worker_part import unpack

RUBRIC = """
import numpy as np
from autograder import ProgramExercise, Rubric, Speed

def draws(rng):
    n, power = int(rng.integers(2, 9)), int(rng.integers(0, 8))
    return [(rng.normal(size=n).astype(np.float32), 10.0**power)]

rubric = Rubric("shifts", (ProgramExercise(
    name={name!r},
    entry_points=("shift",),
    draws=draws,
    reference={reference},
    points={{"outputs": 2, "purity": 1, "compilations": 1, "speed": 1}},
    speed=Speed(lambda x, by: x, 2.0, lambda rng: (rng.normal(size=3), 1.0)),
),))
"""
SHIFTS = "lambda x, by: (x + by) - by"  # nothing is left of x where `by` is large
RIGHT = """
import jax
from functools import partial
@partial(jax.jit, static_argnums=1)
def shift(x, by):
    return (x + by) - by
"""
WRONG = RIGHT.replace("- by", "- 1.01 * by")


def write(folder, reference=SHIFTS, name="shift"):
    file = folder / "shifts.py"
    file.write_text(RUBRIC.format(reference=reference, name=name))
    return load_rubric(file)


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    """A rubric of which even the public draw is ill-conditioned; the name decides what is drawn."""
    folder = tmp_path_factory.mktemp("shifts")
    for i in range(50):
        rubric = write(folder, name=f"shift_{i}")
        if redraws_needed(rubric.draw(f"shift_{i}", PUBLIC_KEY), PUBLIC_KEY):
            return rubric
    raise AssertionError("no draw is ill-conditioned")


@pytest.fixture(scope="module")
def key(rubric):
    """A key whose first draws are ill-conditioned, and whose shapes and statics change then."""
    (exercise,) = rubric.exercises
    for key in range(1, 100):
        again = redraws_needed(rubric.draw(exercise.name, key), key)
        (x, by), (other, shift) = (exercise.calls(Draws(key, n))[0] for n in (0, again))
        if again > 1 and x.shape != other.shape and by != shift:
            return key
    raise AssertionError("no key is redrawn")


def grade(rubric, source, judge, key, zygotes=None):
    notebook = Notebook("shifts", (Cell("solution", source, "solution"),))
    terms, worker = Terms(rubric, judge, key), Processes(workers=zygotes or shared_zygotes())
    return grade_notebook(notebook, "shifts.ipynb", terms, worker).reports[0]


def find(rubric, judge, key):
    """The only exercise with the draws that count."""
    (exercise,) = rubric.exercises
    return find_draws(Terms(rubric, judge, key), exercise.name)


@pytest.mark.slow
def test_an_ill_conditioned_draw_is_drawn_again(rubric, key, judge):
    report = grade(rubric, RIGHT, judge, key)
    assert report.mark() == "4 / 4 (+1 pending)"
    outputs = grade(rubric, WRONG, judge, key).criterion("outputs")
    assert outputs.status is Status.FAILED
    (finding,) = outputs.findings
    ((x, by),) = find(rubric, judge, key).calls
    assert f"{by}): result[" in finding.message
    assert f"of {x.size} values differ" in finding.message


UNPROVED = RIGHT.replace(
    "    return (x", "    try:\n        pass\n    finally:\n        y = x\n    return (y"
)


@pytest.mark.gate
@pytest.mark.parametrize("source, second", [(RIGHT, [False]), (UNPROVED, [False, True])])
def test_every_submission_is_observed_once_and_the_worker_learns_no_key(
    rubric, key, judge, source, second
):
    """A second process is saved where the source is proved."""
    asked = []

    class Watched:
        def ask(self, request, part, limits, *, second):
            asked.append((request, part, second))
            return shared_zygotes().ask(request, part, limits, second=second)

    drawn = find(rubric, judge, key)
    assert grade(rubric, source, judge, key, Watched()).earned == 4
    assert sorted(is_second for *_, is_second in asked) == second
    for request, part, _ in asked:
        (learned,) = unpack(part).values()
        assert learned.judged == learned.watched == drawn.watched
        assert not {"redraws", "judged", "key"} & set(request)
    assert (drawn.judged.key, drawn.watched.key) == (key, watch_key(key))
    assert drawn.judged.redraws


def test_the_judge_is_asked_once(rubric, judge):
    asked = []

    class Counting:
        launch = judge.launch

        def ask(self, header, blobs=(), seconds=30.0):
            asked.append(header["settle"])
            return judge.ask(header, blobs, seconds)

    first, second = (find(rubric, Counting(), 71) for _ in range(2))
    assert first == second
    assert sorted(asked) == sorted([71, watch_key(71)])


@pytest.mark.slow
def test_check_shows_the_draw_that_counts(rubric, tmp_path):
    (exercise,) = rubric.exercises
    script = tmp_path / "mine.py"
    script.write_text(
        f"{RIGHT}\nimport json\nfrom autograder import check\n"
        f"card = check({exercise.name!r}, rubric={rubric.source!r})\n"
        "print(json.dumps(card.report.to_json()))\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stderr == ""
    assert Report.from_json(json.loads(done.stdout)).earned == 4


@pytest.mark.parametrize(
    ("reference", "why"),
    [
        ("lambda x, by: (x + 1e9) - 1e9", "the calibrated tolerance"),
        ("lambda x, by: x / 0", "not finite in float64"),
        ("lambda x, by: np.linalg.inv(x)", "the reference fails: LinAlgError"),
    ],
)
def test_after_twenty_it_is_the_rubrics_error(reference, why, tmp_path, judge):
    rubric = write(tmp_path, reference, "never")
    with pytest.raises(RubricError, match="ill-conditioned, and so are the 20 drawn after it"):
        redraws_needed(rubric.draw("never", 5), 5)
    with pytest.raises(CannotJudge, match=rf"(?s)the rubric of .*'never': .*{why}"):
        grade(rubric, RIGHT, judge, 5)


@pytest.mark.slow
def test_a_reference_that_never_ends_is_the_rubrics_error(tmp_path, monkeypatch):
    rubric = write(tmp_path, "lambda x, by: [None for _ in iter(int, 1)]", "endless")
    judge = Judge()
    ask = judge.ask
    monkeypatch.setattr(judge, "ask", lambda header, blobs, seconds: ask(header, blobs, 1.0))
    with pytest.raises(CannotJudge, match="reference of exercise 'endless' did not finish"):
        find(rubric, judge, 5)
    judge.close()


def stream(seed):
    """The random numbers of a seed, as they have always been."""
    digest = hashlib.sha256(seed.encode()).digest()
    return np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


@pytest.mark.gate
@settings(max_examples=40, deadline=None)
@given(key=st.integers(0, 2**31), again=st.integers(1, MOST_REDRAWS))
def test_streams(key, again):
    """The first draw is what it has always been; each other is one of its own; speed stays."""
    rubric = load_rubric("jitted_step")
    exercise = rubric.exercise("jitted_step")
    first = rubric.draw("jitted_step", key).redrawn({key + 1: again}).calls
    same = exercise.draws(stream(f"jitted_step:{key}:"))
    other = rubric.draw("jitted_step", key).redrawn({key: again}).calls
    for x, y in zip(jax.tree.leaves(first), jax.tree.leaves(same), strict=True):
        np.testing.assert_array_equal(x, y)
    assert not np.array_equal(jax.tree.leaves(first)[0], jax.tree.leaves(other)[0])
    rubric = load_rubric("scan_fit")
    once, later = (rubric.draw("scan_fit", key).redrawn({key: n}) for n in (0, again))
    assert not np.array_equal(once.unrolling_calls[0][0], later.unrolling_calls[0][0])
    speed = later.exercise.speed
    sizes = speed.sizes(stream(f"scan_fit:{key}:speed sizes"))
    was = speed.draw(stream(f"scan_fit:{key}:speed 0"), *sizes)
    for before, now in zip(was, later.exercise.speed_calls(key)[0], strict=True):
        np.testing.assert_array_equal(before, now)


ENDED_A_CLASS = (1342382292, 1469265226, 1790251937, 644602189, 1959843384, 1711693564)


@pytest.mark.gate
@pytest.mark.parametrize("key", ENDED_A_CLASS)
def test_keys_with_which_pytree_class_could_not_be_graded(key):
    """A few more draws are enough. Adam's steps magnify rounding errors at some loop lengths."""
    drawn = load_rubric("pytree_class").draw("pytree_class", key)
    assert redraws_needed(drawn, key) <= 5


@pytest.mark.slow
def test_loops_of_a_lessons_own_are_drawn_again_too():
    key = 211153653774210971109914025755747265475
    assert redraws_needed(load_rubric("scan_fit").draw("scan_fit", key), key) == 1
