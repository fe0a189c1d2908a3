import jax
import numpy as np
import pytest

from autograder.model.exercise import Draws, ProgramExercise, RubricError
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import find_exercise, load_rubric, rubric_names


def exercise(**changes) -> ProgramExercise:
    parts = {
        "name": "double",
        "draws": lambda rng: [(rng.normal(size=3),)],
        "reference": lambda x: x,
    }
    return ProgramExercise(**{**parts, "points": {"outputs": 1}, **changes})


def test_same_key_same_calls():
    first, second, other = (exercise().calls(Draws(key))[0][0] for key in (5, 5, 6))
    np.testing.assert_array_equal(first, second)
    assert not np.array_equal(first, other)


def test_exercises_of_one_key_draw_differently():
    draws = Draws(PUBLIC_KEY)
    assert not np.array_equal(
        exercise().calls(draws)[0][0], exercise(name="other").calls(draws)[0][0]
    )


def test_not_all_calls_are_long():
    """Nothing would be observed on which purity and compilations could be judged."""
    count = len(exercise().calls(Draws(PUBLIC_KEY)))
    with pytest.raises(RubricError, match=f"of {count} calls, {count} are long; at least one must"):
        exercise(long_calls=count).calls(Draws(PUBLIC_KEY))
    with pytest.raises(RubricError, match="`long_calls` is a number of calls"):
        exercise(long_calls=-1)


def test_a_call_is_a_tuple():
    with pytest.raises(RubricError, match="'double': `draws` must return a list of tuples"):
        exercise(draws=lambda rng: [rng.normal(size=3)]).calls(Draws(PUBLIC_KEY))


def test_unknown_criterion():
    with pytest.raises(
        RubricError, match=r"'double' .*there are no criteria \['style'\]; they are \['outputs',"
    ):
        exercise(points={"style": 1})


def test_needs_points():
    with pytest.raises(RubricError, match="positive number of points"):
        exercise(points={})


def test_entry_point_is_the_name_unless_given():
    assert exercise().entry_points == ("double",)
    assert exercise(entry_points=("fit",)).entry_points == ("fit",)


def test_unknown_exercise_lists_the_lessons():
    with pytest.raises(RubricError, match=r"no exercise 'static_brunch'.*static_branch"):
        find_exercise("static_brunch")


def test_rubric_file_of_ones_own(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("rubric = 3")
    with pytest.raises(RubricError, match=r"must define `rubric = Rubric"):
        load_rubric(file)
    with pytest.raises(RubricError, match="there is no rubric file"):
        load_rubric(tmp_path / "absent.py")


@pytest.mark.parametrize("lesson", rubric_names())
def test_every_rubric_of_the_kit(lesson):
    rubric = load_rubric(lesson)
    assert rubric.lesson == lesson
    assert len(rubric.digest) == 64
    for found in rubric.exercises:
        for key in (0, 1):
            leaves = jax.tree.leaves(rubric.draw(found.name, key).calls)
            arrays = [leaf for leaf in leaves if isinstance(leaf, np.ndarray)]
            assert arrays or not isinstance(found, ProgramExercise)
            assert all(a.dtype != np.float64 for a in arrays)


RUBRIC = """
from autograder import ProgramExercise, Rubric

rubric = Rubric(
    lesson="mine",
    exercises=(
        ProgramExercise(
            name="double",
            draws=lambda rng: [(rng.normal(size=3),)],
            reference=lambda x: 2 * x,
            points={"outputs": 1, "purity": 1},
            hints={"purity": ("Own.",)},
        ),
    ),
)
"""
HINTS = """
# double

## outputs, wrong-output
1. What is twice
   three?
2. Six.

## purity
1. From the file.
"""


def test_hints_beside_a_rubric(tmp_path):
    file, hints = tmp_path / "mine.py", tmp_path / "hints" / "mine.md"
    file.write_text(RUBRIC)
    hints.parent.mkdir()
    hints.write_text(HINTS)
    rubric = load_rubric(file)
    given = rubric.exercise("double").hints
    assert given["outputs"] == given["wrong-output"] == ("What is twice three?", "Six.")
    assert given["purity"] == ("Own.",)
    before = rubric.digest
    hints.write_text(HINTS.replace("Six", "Seven"))
    assert rubric.digest != before


def test_hidden_files_are_no_lessons(tmp_path):
    for name in ("mine.py", "._mine.py", ".#mine.py", "_shared.py", "mine.old.py", "notes.txt"):
        (tmp_path / name).touch()
    assert rubric_names(tmp_path) == ["mine"]
    assert rubric_names(tmp_path / "absent") == []
