"""A worker gets what it needs of a rubric, and no right answers."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from autograder.criteria.outputs.references import reference_results
from autograder.lessons.course import find_course
from autograder.model.exercise import Draws, Exercise, Predictions
from autograder.model.rubric import PUBLIC_KEY
from autograder.sandbox.worker_part import pack, unpack
from autograder.tests.helpers.grading_steps import write_rubric
from autograder.tests.sandbox.reachable import reachable

FAST = ("tracing", "static_branch", "early_stop", "pytree_class", "static_self", "many_devices")
EXERCISES = [
    pytest.param(
        rubric,
        exercise,
        id=exercise.name,
        marks=() if rubric.lesson in FAST and not rubric.practice else pytest.mark.slow,
    )
    for lesson in find_course().lessons()
    for rubric in (lesson.rubric, lesson.drills)
    if rubric is not None
    for exercise in rubric.exercises
]

READ_ALL = """
import json, pathlib, sys
from autograder.sandbox.worker_part import unpack
from autograder.tests.sandbox.reachable import reachable
found = {}
for path in pathlib.Path(sys.argv[1]).iterdir():
    ((name, part),) = unpack(path.read_bytes()).items()
    functions, values = reachable(part)
    exercise = part.exercise
    found[name] = {
        "calls": repr(part.watched_calls),
        "entry_points": list(exercise.entry_points),
        "points": sorted(exercise.points),
        "has": sorted(name for name, value in vars(exercise).items() if value),
        "functions": sorted(functions),
        "values": sorted(values),
    }
modules = [name for name in sys.modules if name.startswith("autograder.rubrics.")]
print(json.dumps({"found": found, "modules": modules}))
"""


@pytest.mark.slow
def test_threads_pack_side_by_side() -> None:
    """As a class is graded: cloudpickle has one list of modules for all of them."""
    drawn = find_course().rubric("static_branch").draw("static_branch", PUBLIC_KEY)
    with ThreadPoolExecutor(8) as pool:
        packed = list(pool.map(lambda _: pack.__wrapped__((drawn,)), range(64)))
    assert len(set(packed)) == 1


@pytest.fixture(scope="module")
def read(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What another process finds in the parts of the exercises that are tried."""
    folder: Path = tmp_path_factory.mktemp("parts")
    for item in request.session.items:
        given = item.callspec.params if hasattr(item, "callspec") else {}  # pyright: ignore[reportAttributeAccessIssue]
        if "exercise" in given:
            drawn = given["rubric"].draw(given["exercise"].name, PUBLIC_KEY)
            (folder / drawn.name).write_bytes(pack((drawn,)))
    command = [sys.executable, "-c", READ_ALL, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


WORKERS = {"draws", "adapter", "probe"}
"""The functions of an exercise that a worker runs."""


def functions_of(settings: Any) -> dict[str, Any]:
    """The functions of an exercise, also those of its settings, by name."""
    found = {}
    for name, value in vars(settings).items():
        if dataclasses.is_dataclass(value):
            found |= {f"{name}.{inner}": one for inner, one in functions_of(value).items()}
        elif callable(value):
            found[name] = value
    return found


@pytest.mark.gate
@pytest.mark.parametrize(("rubric", "exercise"), EXERCISES)
def test_no_function_of_the_graders_is_in_it(rubric: Any, exercise: Exercise, read: Any) -> None:
    part = read["found"][exercise.name]
    graders = functions_of(exercise)
    wanted, _ = reachable(*(graders.pop(name, None) for name in WORKERS))
    assert set(part["functions"]) == wanted
    if "speed" in exercise.points:
        assert {"speed.baseline", "speed.draw"} <= set(graders)
    functions = (getattr(one, "func", one) for one in graders.values())  # of a partial
    names = {f"{function.__module__}.{function.__qualname__}" for function in functions}
    assert not names & set(part["functions"])
    kept_back = {"reference", "answers", "decide", "loop", "memory", "speed", "curve", "hints"}
    assert not set(part["has"]) & kept_back


@pytest.mark.gate
@pytest.mark.parametrize(("rubric", "exercise"), EXERCISES)
def test_no_right_answer_and_no_hint_is_in_it(rubric: Any, exercise: Exercise, read: Any) -> None:
    values = set(read["found"][exercise.name]["values"])
    for hints in exercise.hints.values():
        assert not values.intersection(map(repr, hints))
    if isinstance(exercise, Predictions):
        texts = {a for a in exercise.answers().values() if isinstance(a, str)}
        assert not values.intersection(map(repr, [*exercise.questions.values(), *texts]))
    elif rubric.draw(exercise.name, PUBLIC_KEY).calls:
        known = reference_results(rubric.draw(exercise.name, PUBLIC_KEY), Draws(PUBLIC_KEY))
        right = [leaf.exact for _, expected in known for leaf in expected or ()]
        assert not values.intersection(repr(leaf.tolist()) for leaf in right if leaf.size > 1)


@pytest.mark.parametrize(("rubric", "exercise"), EXERCISES)
def test_it_makes_the_same_public_calls(rubric: Any, exercise: Exercise, read: Any) -> None:
    part = read["found"][exercise.name]
    assert part["calls"] == repr(rubric.draw(exercise.name, PUBLIC_KEY).calls)
    assert part["entry_points"] == list(exercise.entry_points)
    assert part["points"] == sorted(exercise.points)


def test_reading_it_imports_no_rubric(read: Any) -> None:
    assert read["modules"] == []


LEAKS = """
from autograder import BehaviourExercise, Rubric


def helper():
    return 123456789.5


def right(x):
    return x * helper()


def probe(namespace):
    yield namespace["leaks"](1.0) == right(1.0)


leaks = BehaviourExercise(
    name="leaks",
    probe=probe,
    decide=lambda seen: {} if seen[0] else {"outputs": "It is wrong."},
    points={"outputs": 1},
)
rubric = Rubric(lesson="leaks", exercises=(leaks,))
"""


def test_a_probe_that_uses_what_is_right_is_seen(tmp_path: Path) -> None:
    rubric = write_rubric(tmp_path, "leaks", LEAKS)
    functions, values = reachable(unpack(pack((rubric.draw("leaks", 5),)))["leaks"])
    assert {name.split(".")[-1] for name in functions} == {"probe", "right", "helper"}
    assert "123456789.5" in values
