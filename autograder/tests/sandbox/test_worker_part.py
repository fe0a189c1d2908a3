"""A worker gets what it needs of a rubric, and no right answers."""

from __future__ import annotations

import json
import pickletools
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from autograder.core.rubric import PUBLIC_KEY, Exercise
from autograder.lessons.course import find_course
from autograder.sandbox.worker_part import pack

WITH_A_PROBE = {"ahead_of_time", "recompile_hunt", "recompile_hunt_calls"}
"""Their probes compare with right results, which are NumPy's: nobody can export them."""

EXERCISES = [
    pytest.param(exercise, id=exercise.name)
    for lesson in find_course().lessons()
    for exercise in lesson.rubric.exercises
]

READ_ALL = """
import json, pathlib, sys
from autograder.core.rubric import PUBLIC_KEY
from autograder.sandbox.worker_part import unpack
found = {}
for path in pathlib.Path(sys.argv[1]).iterdir():
    ((name, part),) = unpack(path.read_bytes()).items()
    secrets = part.reference, part.compare, part.speed, part.curve, part.hints, part.yardstick
    found[name] = {
        "secrets": [bool(secret) for secret in secrets],
        "calls": repr(part.calls(PUBLIC_KEY)),
        "entry_points": list(part.entry_points),
        "points": sorted(part.points),
        "functions": [part.adapter is not None, part.probe is not None],
    }
modules = [name for name in sys.modules if name.startswith("autograder.rubrics.")]
print(json.dumps({"found": found, "modules": modules}))
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What another process finds in the parts of all exercises."""
    folder: Path = tmp_path_factory.mktemp("parts")
    for parameter in EXERCISES:
        (exercise,) = parameter.values
        assert isinstance(exercise, Exercise)
        (folder / exercise.name).write_bytes(pack([exercise]))
    command = [sys.executable, "-c", READ_ALL, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_nothing_worth_stealing_is_in_it(exercise: Exercise, read: Any) -> None:
    assert not any(read["found"][exercise.name]["secrets"])
    packed = pack([exercise])
    for function in (exercise.reference, exercise.compare):
        if isinstance(function, types.FunctionType) and exercise.name not in WITH_A_PROBE:
            assert function.__code__.co_code not in packed
    texts = {str(arg) for _, arg, _ in pickletools.genops(packed) if isinstance(arg, str)}
    assert not any(text in texts for hints in exercise.hints.values() for text in hints)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_it_makes_the_same_public_calls(exercise: Exercise, read: Any) -> None:
    part = read["found"][exercise.name]
    assert part["calls"] == repr(exercise.calls(PUBLIC_KEY))
    assert part["entry_points"] == list(exercise.entry_points)
    assert part["points"] == sorted(exercise.points)
    assert part["functions"] == [exercise.adapter is not None, exercise.probe is not None]


def test_reading_it_imports_no_rubric(read: Any) -> None:
    assert read["modules"] == []
