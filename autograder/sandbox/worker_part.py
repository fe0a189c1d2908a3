"""What a worker gets of a rubric: what it needs to run and observe, and nothing worth stealing.

References, right answers, hints, the number of points and what is timed stay with the grader. The
functions that a worker runs (draws, adapter, probe) travel by value, each with the globals that it
uses and no others, so that a worker imports no rubric. (A module among these globals travels whole:
rubrics import names.)
"""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Sequence
from types import ModuleType

import cloudpickle

from autograder.model.rubric import KITS_FOLDER, Exercise

_KEPT_BACK = {
    "reference": None,
    "compare": None,
    "agree": None,
    "decide": None,
    "hints": {},
    "speed": None,
    "memory": None,
    "scratch": None,
    "curve": None,
    "jaxpr": False,
    "loops": None,
    "scales": {},
    "yardstick": (),
    "known": None,
}
_registering = threading.Lock()
"""Held while modules are registered with cloudpickle, which has one list of them."""


def worker_part(exercise: Exercise) -> Exercise:
    """Return an exercise without what a worker must not see."""
    part = copy.copy(exercise)  # not checked again: it is no whole exercise any more
    kept_back = {
        **_KEPT_BACK,
        "points": dict.fromkeys(exercise.points, 1.0),
        "questions": tuple(exercise.questions),
        # Of the watched key only: a worker makes these calls, and must not learn another key.
        "redraws": {exercise.watched: exercise.redraws.get(exercise.watched, 0)},
    }
    for name, value in kept_back.items():
        object.__setattr__(part, name, value)
    return part


def pack(exercises: Sequence[Exercise]) -> bytes:
    """Return the workers' parts of exercises as bytes that `unpack` reads."""
    with _registering:
        modules = [module for module in list(sys.modules.values()) if _is_of_rubrics(module)]
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            return cloudpickle.dumps({e.name: worker_part(e) for e in exercises})
        finally:
            for module in modules:
                cloudpickle.unregister_pickle_by_value(module)


def unpack(packed: bytes) -> dict[str, Exercise]:
    """Return the exercises by name. Only for bytes from the grader: reading them runs code."""
    return pickle.loads(packed)


def _is_of_rubrics(module: object) -> bool:
    """Whether a module is a rubric, or one that the kit's rubrics share."""
    if not isinstance(module, ModuleType):
        return False
    is_file = module.__name__.startswith("_rubric_")
    return is_file or module.__name__.startswith(f"autograder.{KITS_FOLDER.name}.")
