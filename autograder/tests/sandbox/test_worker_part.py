"""A worker gets what it needs of a rubric, and no right answers."""

from __future__ import annotations

import pickletools
import subprocess
import sys
import types
from typing import Any

import pytest

from autograder.core.rubric import PUBLIC_KEY, Exercise
from autograder.core.rubric_files import load_rubric
from autograder.lessons.course import find_course
from autograder.sandbox.worker_part import pack, unpack

WITH_A_PROBE = {"ahead_of_time", "recompile_hunt", "recompile_hunt_calls"}
"""Their probes compare with right results, which are NumPy's: nobody can export them."""

EXERCISES = [
    pytest.param(lesson, exercise, id=exercise.name)
    for lesson in find_course().lessons()
    for exercise in lesson.rubric.exercises
]


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_nothing_worth_stealing_is_in_it(lesson: Any, exercise: Exercise) -> None:
    packed = pack([exercise])
    part = unpack(packed)[exercise.name]
    assert part.reference is part.compare is part.speed is part.curve is None
    assert not part.hints and not part.yardstick
    for function in (exercise.reference, exercise.compare):
        if isinstance(function, types.FunctionType) and exercise.name not in WITH_A_PROBE:
            assert function.__code__.co_code not in packed
    texts = {str(arg) for _, arg, _ in pickletools.genops(packed) if isinstance(arg, str)}
    assert not any(text in texts for hints in exercise.hints.values() for text in hints)


@pytest.mark.parametrize(("lesson", "exercise"), EXERCISES)
def test_it_makes_the_same_public_calls(lesson: Any, exercise: Exercise) -> None:
    part = unpack(pack([exercise]))[exercise.name]
    assert repr(part.calls(PUBLIC_KEY)) == repr(exercise.calls(PUBLIC_KEY))
    assert part.entry_points == exercise.entry_points
    assert set(part.points) == set(exercise.points)
    assert (part.adapter is None) == (exercise.adapter is None)
    assert (part.probe is None) == (exercise.probe is None)


def test_reading_it_imports_no_rubric(tmp_path: Any) -> None:

    rubric = load_rubric("timing")
    (tmp_path / "part").write_bytes(pack(rubric.exercises))
    code = (
        "import sys; from autograder.sandbox.worker_part import unpack; "
        f"unpack(open({str(tmp_path / 'part')!r}, 'rb').read()); "
        "print([m for m in sys.modules if m.startswith('autograder.rubrics.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
