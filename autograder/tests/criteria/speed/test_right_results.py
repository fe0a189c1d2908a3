"""What is timed is judged on what rounding does not decide, on draws that can be judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from autograder.criteria.speed import messages
from autograder.criteria.speed.right_results import (
    DRAWS,
    Arrays,
    Judge,
    Unjudgeable,
    as_arrays,
    choose_draws,
    judge_by_results,
    judge_by_rubric,
)
from autograder.model.exercise import Comparison, ProgramExercise
from autograder.model.expected import ExpectedLeaf

SIZE = 400
OFF = "its time does not count, since for the call that is timed "


def first_step(gradient: np.ndarray) -> np.ndarray:
    """Adam's first step: a gradient divided by its size."""
    return -0.2 * gradient / (np.abs(gradient) + 1e-8)


def gradient(x: np.ndarray) -> np.ndarray:
    """exp(x) - 3, in the dtype of x."""
    return np.exp(x) - x.dtype.type(3)


def inputs(*, near: int, seed: int = 0) -> np.ndarray:
    """Values of x of which the first `near` have a gradient that is nothing but rounding."""
    x = np.random.default_rng(seed).normal(size=SIZE).astype(np.float32)
    x[:near] = np.log(np.float32(3))
    return x


def expected(x: np.ndarray, program: Callable[[np.ndarray], np.ndarray]) -> list[np.ndarray]:
    return as_arrays((ExpectedLeaf("", program(x.astype(np.float64)), program(x)),))


def right(x: np.ndarray) -> np.ndarray:
    return first_step(gradient(x))


def another_right(x: np.ndarray) -> np.ndarray:
    """The same in another formulation, whose rounding is another."""
    return first_step(np.exp(x - np.float32(1)) * np.float32(np.e) - np.float32(3))


def own(draw: Arrays) -> list[np.ndarray]:
    return [right(draw[0])]


def judge(x: np.ndarray, run_own: Callable[[Arrays], list[np.ndarray]] | None = own) -> Judge:
    return judge_by_results(("",), expected(x, right), [x], run_own)


def test_a_sign_that_rounding_decides_is_not_judged() -> None:
    x = inputs(near=3)
    turned = right(x)
    turned[[1, 7, 8, 9, 10]] *= -1  # four others are spared
    assert judge(x)([turned]) is None
    assert judge(x)([another_right(x)]) is None
    assert judge(inputs(near=0))([another_right(inputs(near=0))]) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_other_values_are_judged(seed: int) -> None:
    x = inputs(near=3, seed=seed)
    wrong = right(x)
    wrong[7:11] *= -1
    assert judge(x)([wrong]) is None  # one in a hundred
    wrong[11] *= -5
    assert judge(x)([wrong]) == (
        OFF + "5 of the 400 values of result are wrong, by more than rounding explains: the "
        f"farthest off is {wrong[11]:.6g}, and {-wrong[11] / 5:.6g} is right."
    )
    assert judge(x)([right(x) * np.float32(1.001)]) is not None
    assert judge(x)([0 * right(x)]) is not None


def test_a_value_that_rounding_decides_is_a_number() -> None:
    x = inputs(near=3)
    lost = right(x)
    lost[1] = np.nan
    assert "1 of the 400 values of result are wrong" in str(judge(x)([lost]))


def test_another_kind_of_result_is_reported() -> None:
    x = inputs(near=0)
    of_shape = judge(x)([right(x)[1:]])
    assert of_shape == (
        "for the call that is timed, result of the program is float32[399], and float32[400] is "
        "right."
    )
    assert judge(x)([]) == (
        "for the call that is timed, the program returns 0 arrays, and 1 are right."
    )


def test_a_draw_that_rounding_decides_too_much_of_is_not_judged() -> None:
    with pytest.raises(Unjudgeable, match="the rounding errors of result are as large as its"):
        judge(inputs(near=40))


def test_whole_numbers_that_rounding_decides_are_not_judged() -> None:
    def signs(x: np.ndarray) -> np.ndarray:
        return np.sign(gradient(x)).astype(np.int32)

    x = inputs(near=2)
    judged = judge_by_results(("",), expected(x, signs), [x], lambda draw: [signs(draw[0])])
    turned = signs(x)
    turned[:6] = -turned[:6] - (turned[:6] == 0)
    assert judged([turned]) is None  # two by the inputs' last bits, four that are spared
    turned[9] *= -1
    assert str(judged([turned])).startswith(OFF + "5 of the 400 values of result are wrong")


def test_what_is_not_finite_must_be_the_same() -> None:
    x = np.array([-1, 0, 2, np.nan], np.float32)

    def logs(x: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.log(x)

    judged = judge_by_results(("[0]",), expected(x, logs), [x], lambda draw: [logs(draw[0])])
    assert judged([logs(x)]) is None
    finite = np.nan_to_num(logs(x))
    assert str(judged([finite])).startswith(OFF + "3 of the 4 values of result[0] are wrong")


def test_a_draw_on_which_the_lessons_own_solution_is_wrong_is_not_timed() -> None:
    """Three others are, in their order; the program is not to blame."""
    xs = [inputs(near=0, seed=seed) for seed in range(6)]

    def breaks(draw: Arrays) -> list[np.ndarray]:
        wrong = any(np.allclose(draw[0], x, atol=1e-4) for x in (xs[0], xs[2]))
        return [right(draw[0]) * np.float32(2 if wrong else 1)]

    draws = choose_draws([[x] for x in xs], lambda i: judge(xs[i], breaks))
    assert [id(draw.arrays[0]) for draw in draws] == [id(xs[i]) for i in (1, 3, 4)]
    assert len(draws) == DRAWS
    assert not any(draw.judge([right(draw.arrays[0])]) for draw in draws)
    with pytest.raises(Unjudgeable) as error:
        choose_draws([[xs[0]]], lambda i: judge(xs[i], breaks))
    assert str(error.value) == messages.WRONG_SOLUTION
    with pytest.raises(Unjudgeable, match="own solution gives wrong results here"):
        judge(xs[1], lambda draw: [right(draw[0]), right(draw[0])])


def test_a_rubric_that_compares_does_so_for_the_lessons_own_solution_too() -> None:
    def compare(call: tuple, results: list[np.ndarray]) -> str | None:
        return None if results[0].sum() >= 0 else "the sum is negative"

    exercise = ProgramExercise(
        name="sums",
        points={"outputs": 1},
        draws=lambda rng: [],
        reference=Comparison(compare),
    )
    one = [np.ones(3)]
    judged = judge_by_rubric(exercise, (one[0],), one, lambda draw: [draw[0]])
    assert judged(one) is None
    assert judged([-one[0]]) == (
        "what the program returned for the call that is timed is wrong: the sum is negative"
    )
    with pytest.raises(Unjudgeable, match="own solution gives wrong results here"):
        judge_by_rubric(exercise, (one[0],), one, lambda draw: [-draw[0]])
    with pytest.raises(Unjudgeable, match=r"comparison failed \(IndexError: list index"):
        judged([])


def test_without_the_lessons_own_solution_rounding_is_known_from_the_reference_alone() -> None:
    x = inputs(near=0)
    assert judge(x, None)([right(x)]) is None
    assert judge(x, None)([right(x) * np.float32(1.01)]) is not None
