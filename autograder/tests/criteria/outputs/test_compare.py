import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.criteria.outputs.compare import compare_paths, compare_results, why_ill_conditioned
from autograder.model.exercise import RubricError
from autograder.programs.reference import expected_results, moved_results

X = np.random.default_rng(0).gamma(1.0, 10.0, (40, 30)).astype(np.float32)


def log_sum(x):
    return np.sum(np.log(x) * x), x - x.mean()


def verdict(reference, got, *args, names=None, scales=None):
    expected = expected_results(reference, args, scales)
    leaves = [np.asarray(leaf) for leaf in got]
    paths = names or tuple(leaf.path for leaf in expected)
    return compare_results(paths, leaves, expected, args, "f")


def complaint(reference, *args, scales=None):
    expected = expected_results(reference, args, scales)
    return why_ill_conditioned(expected, args, moved_results(reference, args))


def single(function, x):
    return [np.asarray(r, np.float32) for r in function(x)]


def test_equivalent_formulation_passes():
    other = (jnp.sum(jnp.log(X**2) * X) / 2, X - jnp.sum(X) / X.size)
    assert verdict(log_sum, other, X) is None


@pytest.mark.parametrize("factor", [1 + 1e-4, 1 - 1e-4, 2.0, -1.0])
def test_small_mistakes_fail(factor):
    right = single(log_sum, X)
    finding = verdict(log_sum, [right[0] * np.float32(factor), right[1]], X)
    assert finding is not None and finding.rule == "wrong-output"
    assert "f(float32[40,30]): result[0] is" in finding.message


def test_one_wrong_cell_is_named():
    right = single(log_sum, X)
    right[1][3, 7] += 1
    finding = verdict(log_sum, right, X)
    assert finding is not None
    assert "result[1][3, 7] is" in finding.message
    assert "(1 of 1200 values differ)" in finding.message


def test_a_named_tuple_is_a_tuple():
    right = single(log_sum, X)
    assert verdict(log_sum, right, X, names=(".total", ".rest")) is None
    for names in (("['total']", "['rest']"), (".fit.total", ".fit.rest"), (".total", ".total")):
        finding = verdict(log_sum, right, X, names=names)
        assert finding is not None and finding.rule == "wrong-structure", names


def test_a_path_that_was_cut_is_not_the_whole_result():
    cut = f"['{'x' * 200}"
    finding = verdict(np.square, [np.square(X)], X, names=(cut,))
    assert finding is not None and finding.rule == "wrong-structure"


def test_nan_is_no_wildcard():
    right = single(log_sum, X)
    right[0] = np.array(np.nan, np.float32)
    finding = verdict(log_sum, right, X)
    assert finding is not None and "result[0] is nan" in finding.message
    assert "keep bad inputs out before they are used" in finding.message


def test_nan_where_the_reference_has_nan_passes():
    x = np.array([0.0, 1.0, np.inf, np.nan], np.float32)
    reference = lambda x: (x * 1, np.where(x > 0, x, np.nan))
    assert verdict(reference, single(reference, x), x) is None
    swapped = [single(reference, x)[0][::-1], single(reference, x)[1]]
    assert verdict(reference, swapped, x) is not None


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (np.zeros((2, 3), np.float32), r"result has shape (2, 3), expected (3, 2)"),
        (np.zeros((3, 2), np.int32), "result is int32, expected float32"),
        (np.ones((3, 2), np.float32), "result[0, 0] is 1, expected 0 (6 of 6 values differ)"),
    ],
)
def test_sentences(got, words):
    x = np.zeros((2, 3), np.float32)
    finding = verdict(lambda x: x.T, [got], x)
    assert finding is not None and words in finding.message


def test_structure():
    finding = verdict(log_sum, [X], X, names=("",))
    assert finding is not None and finding.rule == "wrong-structure"
    assert "returns one array, expected arrays at result[0], result[1]" in finding.message


def test_a_list_where_one_array_is_expected_is_named():
    names = ("[0]", *(f"[10][{i}]" for i in range(2)))
    finding = compare_paths(names, [f"[{i}]" for i in range(11)], len(names), "fit(x)")
    assert finding is not None
    wrong = "arrays at result[10][0], result[10][1], expected one array at result[10]"
    assert wrong in finding.message


def test_hints_on_order_sign_and_zeros():
    x = np.arange(1, 5, dtype=np.float32)
    for got, hint in (
        (x[::-1], "another order"),
        (-x, "sign is wrong"),
        (0 * x, "zero everywhere"),
    ):
        finding = verdict(lambda x: x * 1, [got], x)
        assert finding is not None and hint in finding.message


def test_integers_and_booleans_are_exact():
    x = np.arange(4, dtype=np.int32)
    assert verdict(lambda x: (x + 1, x > 1), [x + 1, x > 1], x) is None
    assert verdict(lambda x: (x + 1, x > 1), [x + 1, x > 2], x) is not None


ONES = np.full((1000,), 0.1, np.float32)
noisy = lambda x: np.sum(x**2) - x[0] ** 2 * x.size + 1e-6  # all cancels


def logistic(x, steps=40):
    """Each step doubles a difference: of a rounding, a third is left after forty."""
    for _ in range(steps):
        x = 4 * x * (1 - x)
    return x


def lucky(x):
    """Chaos, but the reference's own float32 run on these very arguments is exact."""
    same = (x == np.float32(0.3)).all()
    return logistic(x.astype(np.float64)).astype(x.dtype) if same else logistic(x)


@pytest.mark.parametrize(
    ("reference", "x", "words"),
    [
        (noisy, ONES, "result: the calibrated tolerance"),
        (lambda x: (x, np.log(x - 1)), ONES, r"result[1]: the reference is not finite in float64"),
        (lambda x: x * 1e30 * 1e30, ONES, "result: the reference is not finite in float32"),
        (lambda x: x[0] + 1 == 1.1, ONES, "different integers or booleans in float32"),
        (lambda x: x[x > 0.1], ONES, "results of other shapes in float32"),
        (lucky, np.full(3, 0.3, np.float32), "result: a rounding of the arguments changes"),
        (lambda x: np.ceil(x * 2).astype(int), ONES * 5, "result: a rounding of the arguments"),
        (lambda x: x[x <= x.dtype.type(0.1)], ONES, "or after a rounding of the arguments"),
    ],
)
def test_draws_that_tell_nothing(reference, x, words):
    with np.errstate(all="ignore"):
        assert words in str(complaint(reference, x))


@pytest.mark.parametrize(
    ("reference", "x"),
    [
        (log_sum, X),
        (lambda x: x * 0, ONES),  # nothing cancels
        (lambda x: np.where(x > 0, x, np.nan), np.array([1, np.nan], np.float32)),  # meant
        (lambda x: (x > 1, x.astype(np.int32)), np.array([0.5, 2], np.float32)),
    ],
)
def test_draws_that_tell_something(reference, x):
    assert complaint(reference, x) is None


def test_the_scale_of_a_sum_that_cancels():
    """Errors are relative to the summands; a sum of nearly nothing is compared all the same."""
    assert complaint(noisy, ONES, scales={"": 10.0}) is None
    assert verdict(noisy, [np.float32(1e-6)], ONES, scales={"": 10.0}) is None
    assert verdict(noisy, [np.float32(2e-3)], ONES, scales={"": 10.0}) is not None
    with pytest.raises(RubricError, match=r"`scales` names \['.M'\], but the leaves of the res"):
        expected_results(log_sum, (X,), {".M": 1.0})


@pytest.mark.gate
@settings(max_examples=50, deadline=None)
@given(
    hnp.arrays(
        np.float32,
        hnp.array_shapes(max_dims=3, max_side=6),
        elements=st.floats(-1e6, 1e6, width=32, allow_nan=False),
    )
)
def test_the_references_own_float32_result_always_passes(x):
    reference = lambda x: (x * 3 + 1, np.sqrt(np.abs(x)))
    assert verdict(reference, single(reference, x), x) is None


@settings(max_examples=50, deadline=None)
@given(hnp.arrays(np.float32, (4, 3), elements=st.floats(-50, 50, width=32)))
def test_moved_arguments(x):
    """All fractions move by one rounding, equal ones alike; whole numbers and integers stay."""
    x[0, :2], counts = (0.3, 7), np.arange(3)
    calls = moved_results(lambda *args: args, (x, x.T.copy(), counts))
    assert len(calls) == 3
    for moved, flipped, same in calls:
        np.testing.assert_array_equal(moved, flipped.T)
        np.testing.assert_array_equal(same, counts)
        near = (moved == np.nextafter(x, np.float32(99))) | (
            moved == np.nextafter(x, -x.max() - 99)
        )
        np.testing.assert_array_equal(moved == x, x == np.round(x))
        assert (near | (moved == x)).all()


def test_arrays_of_jax_move_too():
    """A rubric's draws may hold them, and its reference then takes them."""
    x = np.asarray([0.3, 7.0], np.float32)
    of_numpy = moved_results(lambda x: x, (x,))
    of_jax = moved_results(lambda x: x.at[0].add(0), (jnp.asarray(x),))
    np.testing.assert_array_equal(of_jax, of_numpy)


def test_whole_numbers_stay():
    assert moved_results(lambda x: x, (np.arange(4, dtype=np.float32),)) == []
