"""Figures as data: what is read back is what was written, or nothing."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.criteria.rules import RULES
from autograder.model.figures import (
    MAX_CALLS,
    MAX_POINTS,
    CallEffect,
    CallSeen,
    Curve,
    JaxprDiff,
    JaxprLine,
    SpeedBars,
    Timeline,
    curve_points,
    cut_timeline,
    read_figure,
)
from autograder.model.observation import Blobs, Observation, decode, encode

TIMELINE = Timeline(
    (CallSeen("(float32[5,4], 0)", CallEffect.COMPILED, 1), CallSeen("(2)", CallEffect.REUSED)),
    repeats=1,
)
BARS = SpeedBars(14.5, 11.0, 16.0, 10.0, "CPU")
CURVE = Curve("ELBO", (-3.0, None, -1.0), (-3.0, -2.0, -1.0))
JAXPRS = JaxprDiff(
    (
        JaxprLine("both", "float32[] = cond"),
        JaxprLine("lesson", "  branch 0:"),
        JaxprLine("yours", "  float32[] = log"),
        JaxprLine("left out", ""),
    )
)

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)


@pytest.mark.parametrize("figure", [TIMELINE, BARS, CURVE, JAXPRS])
def test_round_trip(figure):
    assert read_figure(json.loads(json.dumps(figure.to_json()))) == figure


@pytest.mark.slow
@given(
    st.sampled_from([TIMELINE, BARS, CURVE, JAXPRS]),
    st.sampled_from(
        ["kind", "calls", "repeats", "ratio", "low", "where", "values", "reference", "lines"]
    ),
    anything,
)
def test_reading_what_a_process_made_up_never_fails(figure, field, value):
    read = read_figure({**figure.to_json(), field: value})
    assert read is None or len(json.dumps(read.to_json(), allow_nan=False)) < 20_000


@given(anything)
def test_reading_anything_else_gives_no_picture(data):
    assert read_figure(data) is None


@pytest.mark.parametrize(
    ("figure", "field", "value"),
    [
        (TIMELINE, "calls", [["f()", "cheated", 1]]),
        (TIMELINE, "calls", []),
        (BARS, "low", float("-inf")),
        (BARS, "low", 15.0),
        (BARS, "ratio", True),
        (CURVE, "values", [float("nan")]),
        (CURVE, "values", ["1; drop"]),
    ],
)
def test_nonsense_is_no_picture(figure, field, value):
    assert read_figure({**figure.to_json(), field: value}) is None


def test_long_pictures_are_cut():
    many = [CallSeen("f" * 1000, CallEffect.REUSED, 10**30)] * 1000
    read = read_figure({**Timeline(tuple(many), 990).to_json()})
    assert isinstance(read, Timeline)
    assert len(read.calls) == MAX_CALLS
    assert read.calls[0] == CallSeen("f" * 100, CallEffect.REUSED, 10_000)
    assert len(curve_points([0.0] * 1000)) == MAX_POINTS


def test_repeats_that_are_cut_off_do_not_count():
    seen = [CallSeen("", CallEffect.REUSED)] * (MAX_CALLS + 5)
    assert cut_timeline(seen, 8).repeats == 3
    assert cut_timeline(seen[:4], 9).repeats == 4


def test_points_are_rounded_and_finite():
    assert curve_points([1.23456789, float("nan"), float("inf")]) == (1.23457, None, None)


def test_a_timeline_crosses_between_processes():
    blobs = Blobs()
    sent = json.loads(json.dumps(encode(Observation(timeline=TIMELINE), blobs)))
    assert decode(sent, blobs.list, RULES).timeline == TIMELINE
    assert decode({**sent, "timeline": BARS.to_json()}, [], RULES).timeline is None
    assert decode({**sent, "timeline": "a lie"}, [], RULES).timeline is None
