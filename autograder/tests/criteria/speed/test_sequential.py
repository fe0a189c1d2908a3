"""The sequential rule: exact coverage, and verdicts that noise does not turn."""

from __future__ import annotations

import math
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.criteria.speed.pairs import CONFIDENCE, LOOKS, _rank, decide, median_interval

ratios = st.lists(st.floats(1e-3, 1e3), min_size=1, max_size=81)


@given(st.integers(1, 300), st.floats(0.5, 0.9999))
def test_rank_is_the_largest_with_that_coverage(n: int, confidence: float) -> None:
    def missed(k: int) -> float:
        """Probability that the median lies outside the k-th smallest and k-th largest."""
        return 2 * sum(comb(n, i) for i in range(k)) / 2**n

    k = _rank(n, confidence)
    assert missed(k) <= 1 - confidence + 1e-12
    assert missed(k + 1) > 1 - confidence - 1e-12


@pytest.mark.parametrize(("n", "k"), [(11, 1), (21, 4), (41, 11), (81, 27)])
def test_ranks_at_the_looks(n: int, k: int) -> None:
    interval = median_interval(list(range(1, n + 1)))
    assert (interval.low, interval.high) == (k, n + 1 - k)
    assert interval.median == (n + 1) / 2


def test_too_few_ratios_tell_nothing() -> None:
    assert median_interval([2.0] * 5).low == -math.inf
    assert median_interval([2.0] * 5).high == math.inf


@pytest.mark.slow
@given(ratios)
def test_interval_holds_the_sample_median(values: list[float]) -> None:
    interval = median_interval(values)
    assert interval.low <= interval.median <= interval.high
    assert interval.median == pytest.approx(np.median(values))


@given(ratios, st.floats(0.1, 10))
def test_decides_only_at_the_looks(values: list[float], threshold: float) -> None:
    verdict = decide(values, threshold)
    if len(values) not in LOOKS:
        assert verdict is None
    elif len(values) == LOOKS[-1]:
        assert verdict is not None
    if verdict == "passed":
        assert sum(v < threshold for v in values) < len(values) / 2
    if verdict == "failed":
        assert sum(v >= threshold for v in values) < len(values) / 2


def test_clear_ratios_are_decided_at_the_first_look() -> None:
    assert decide([3.1] * 11, 3.0) == "passed"
    assert decide([2.9] * 11, 3.0) == "failed"
    assert decide([2.9] * 5 + [3.1] * 6, 3.0) is None
    assert decide([2.9] * 40 + [3.1] * 41, 3.0) == "inconclusive"


@pytest.mark.parametrize("truth", [0.5, 0.8, 1.25, 2.0])
@pytest.mark.parametrize("spread", [0.1, 0.5])
def test_false_verdicts_are_rare_in_heavy_tailed_noise(truth: float, spread: float) -> None:
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(500):
        noise = np.exp(spread * rng.standard_t(2, size=LOOKS[-1]))
        values = list(truth * noise)
        verdict = next(filter(None, (decide(values[:n], 1.0) for n in LOOKS)))
        false += verdict == ("failed" if truth >= 1 else "passed")
    assert false <= 500 * len(LOOKS) * (1 - CONFIDENCE)
