"""Exercises judged by answers and by behaviour, from the student's namespace to the points."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import jax.numpy as jnp
import numpy as np
import pytest

from autograder.grading.pipeline import grade_observation
from autograder.model.exercise import (
    BehaviourExercise,
    Comparison,
    Predictions,
    ProgramExercise,
    RubricError,
)
from autograder.model.finding import Finding
from autograder.model.observation import Observation, Probed
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.terms import Terms
from autograder.sandbox.exercise_observation import observe
from autograder.tests.helpers.grading_steps import report_on, write_rubric

RUBRIC = '''
"""A rubric with one exercise of each kind that is not judged by its program."""

import numpy as np
from autograder import BehaviourExercise, Predictions, Rubric


def draws(rng):
    return [(rng.normal(size=4).astype(np.float32),) for _ in range(2)]


def probe(namespace):
    yield {"doc": namespace["centred"].__doc__}
    yield namespace["centred"](np.zeros(3, np.float32))


def decide(seen):
    about, zeros = seen
    wrong = {}
    if about["doc"] is None:
        wrong["purity"] = "It has no docstring. Write one."
    if zeros.shape != (3,):
        wrong["outputs"] = "It has another shape."
    return wrong


answers = Predictions(
    name="answers",
    questions={"prints": "Count again.", "primitive": "", "shapes": "", "traced": ""},
    answers=lambda: {"prints": 2, "primitive": "dot_general", "shapes": [3, 2], "traced": True},
    points={"outputs": 4},
)
centred = BehaviourExercise(
    name="centred",
    draws=draws,
    reference=lambda x: x - x.mean(),
    probe=probe,
    decide=decide,
    points={"outputs": 2, "purity": 1},
)
rubric = Rubric(lesson="kinds", exercises=(answers, centred))
'''


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    return write_rubric(tmp_path_factory.mktemp("rubric"), "kinds", RUBRIC)


@pytest.fixture
def report(rubric, judge):
    def report(name, **namespace):
        module = ModuleType("student")
        vars(module).update(namespace)
        exercise = rubric.exercise(name)
        return report_on(rubric, exercise, module, judge)

    return report


RIGHT = {"prints": 2, "primitive": "dot_general", "shapes": [3, 2], "traced": True}


@pytest.mark.parametrize("same", [{}, {"prints": 2.0}, {"shapes": (3, 2)}])
def test_right_answers(report, same):
    assert report("answers", answers=RIGHT | same).status is Status.PASSED


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (
            {"prints": 3},
            "`answers['prints']` is 3, and running the code shows something else. Count",
        ),
        ({"prints": None}, "`answers['prints']` has no answer yet"),
        ({"traced": 1}, "`answers['traced']` is 1, and running"),
        ({"shapes": (3, 2, 1)}, "`answers['shapes']` is [3, 2, 1]"),
        ({"primitive": object()}, "`answers['primitive']` is of type object. Write a plain"),
    ],
)
def test_each_wrong_answer_loses_its_share(report, wrong, says):
    outputs = report("answers", answers=RIGHT | wrong).criterion("outputs")
    assert (outputs.status, outputs.earned) == (Status.PARTIAL, 3)
    (finding,) = outputs.findings
    assert says in finding.message


def test_answers_that_are_no_dictionary(report):
    got = report("answers", answers=[1, 2])
    assert got.status is Status.NOT_GRADED
    assert "`answers` is a list, not a dictionary" in got.criteria[0].findings[0].message


def centred(x):
    """Deviations from the mean."""
    return x - x.mean()


def test_right_behaviour_is_observed(report):
    got = report("centred", centred=centred)
    assert got.status is Status.PASSED
    assert {c.evidence for c in got.criteria} == {"observed"}


def test_wrong_values(report):
    got = report("centred", centred=lambda x: x)
    assert got.criterion("outputs").status is Status.FAILED
    assert "expected" in got.criterion("outputs").findings[0].message
    assert got.criterion("purity").reason == "outputs-first"


def test_what_a_probe_says_costs_the_criterion(report):
    got = report("centred", centred=lambda x: x - x.mean())
    assert got.criterion("outputs").status is Status.PASSED
    assert got.criterion("purity").status is Status.FAILED
    assert got.criterion("purity").findings[0].message == "It has no docstring. Write one."


def test_a_call_that_fails(report):
    def centred(x):
        raise ValueError("no idea")

    got = report("centred", centred=centred)
    for finding in got.criterion("outputs").findings:  # of the call, and of the probe
        assert finding.message.startswith("ValueError: no idea")


def probed(rubric, judge, *seen, failure=None):
    """The report on a right function, with what the worker says about the probe."""
    drawn = rubric.draw("centred", PUBLIC_KEY)
    module = ModuleType("student")
    vars(module)["centred"] = centred
    honest = observe(drawn, module, [])
    got = replace(honest, probed=Probed(seen, failure) if seen or failure else None)
    return grade_observation(drawn, got, Terms(rubric, judge))


ABOUT, ZEROS = {"doc": "text"}, np.zeros(3, np.float32)
FAILED = Finding.error("error", "ValueError: no idea")


@pytest.mark.slow
def test_what_the_probe_saw_is_decided_on_by_the_judge(rubric, judge):
    assert probed(rubric, judge, ABOUT, ZEROS).status is Status.PASSED
    got = probed(rubric, judge, {"doc": None}, np.zeros(2, np.float32))
    assert got.criterion("outputs").findings[0].message == "It has another shape."
    assert got.earned == 0


def test_a_probe_that_saw_nothing_earns_nothing(rubric, judge):
    got = probed(rubric, judge)
    assert got.criterion("outputs").status is Status.FAILED
    assert "did not report" in got.criterion("outputs").findings[0].message
    assert got.earned == 0


def test_a_failure_of_the_students_within_a_probe(rubric, judge):
    got = probed(rubric, judge, ABOUT, failure=FAILED)
    assert [f.message for f in got.criterion("outputs").findings] == [FAILED.message]


@pytest.mark.gate
@pytest.mark.parametrize("seen", [[ABOUT], ["text", ZEROS], [ABOUT, "text"], [{}, {}]])
def test_what_no_probe_yields_has_no_mark(rubric, judge, seen):
    got = probed(rubric, judge, *seen)
    assert got.earned == 0
    assert got.criterion("outputs").reason == KIT_ERROR


def test_nothing_observed_earns_nothing(rubric, judge):
    seen = Observation(observed={"outputs": (), "purity": ()})
    got = grade_observation(rubric.draw("centred", PUBLIC_KEY), seen, Terms(rubric, judge))
    assert got.earned == 0


FIT = {"draws": lambda rng: [(np.ones(2, np.float32),)], "reference": jnp.sum}
PROBE = {"probe": lambda namespace: [], "decide": lambda seen: {}}
ASKED = {"questions": {"how many": ""}, "answers": lambda: {"how many": 1}}


@pytest.mark.parametrize(
    ("kind", "parts", "words"),
    [
        (Predictions, ASKED | {"questions": {}}, "it needs `questions`"),
        (Predictions, ASKED | {"points": {"purity": 1}}, "its points are all for outputs"),
        (BehaviourExercise, {}, "it needs `draws` or `probe`"),
        (BehaviourExercise, {"probe": PROBE["probe"]}, "`probe` and `decide` go together"),
        (BehaviourExercise, FIT | {"decide": PROBE["decide"]}, "`probe` and `decide` go together"),
        (BehaviourExercise, PROBE | {"points": {"speed": 1}}, "no program whose speed can be"),
        (BehaviourExercise, PROBE | {"points": {"memory": 1}}, "no program whose memory can be"),
        (ProgramExercise, {}, "it needs `draws`"),
        (ProgramExercise, {"draws": FIT["draws"]}, "`draws` and `reference` go together"),
        (ProgramExercise, {"reference": FIT["reference"]}, "`draws` and `reference` go together"),
        (ProgramExercise, {"reference": Comparison(lambda args, got: None)}, "go together"),
    ],
)
def test_exercises_that_cannot_be_judged(kind, parts, words):
    with pytest.raises(RubricError, match=rf"exercise 'fit' \({kind.__name__}\): .*{words}"):
        kind(**{"name": "fit", "points": {"outputs": 1}, **parts})


@pytest.mark.parametrize(
    ("kind", "parts"),
    [
        (ProgramExercise, FIT | PROBE),
        (Predictions, ASKED | FIT),
        (BehaviourExercise, FIT | {"gradient": 0}),
        (ProgramExercise, FIT | {"agree": lambda args, *fits: True}),
    ],
)
def test_a_kind_has_no_settings_of_another(kind, parts):
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        kind(name="fit", points={"outputs": 1}, **parts)
