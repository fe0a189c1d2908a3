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
from functools import lru_cache
from types import ModuleType
from typing import Any

import cloudpickle

from autograder.model.exercise import Predictions
from autograder.model.rubric import KITS_FOLDER, Drawn

_KEPT_BACK: dict[str, Any] = {
    "reference": None,
    "answers": None,
    "decide": None,
    "hints": {},
    "loop": None,
    "memory": None,
    "speed": None,
    "curve": None,
    "jaxpr": False,
    "scales": {},
}
"""What stays with the grader, of exercises of any kind."""
_registering = threading.Lock()
"""Held while modules are registered with cloudpickle, which has one list of them."""


def worker_part(drawn: Drawn) -> Drawn:
    """Return an exercise without what a worker must not see.

    It has the watched draws only: a worker makes these calls, and must not learn another key.
    """
    part = copy.copy(drawn.exercise)  # not checked again: it is no whole exercise any more
    kept_back = {name: value for name, value in _KEPT_BACK.items() if hasattr(part, name)}
    kept_back["points"] = dict.fromkeys(part.points, 1.0)
    if isinstance(part, Predictions):
        kept_back["questions"] = dict.fromkeys(part.questions, "")
    for name, value in kept_back.items():
        object.__setattr__(part, name, value)
    draws = drawn.watched
    return Drawn("", "", drawn.name, draws, draws, drawn.devices, (), part)


@lru_cache(maxsize=64)
def pack(exercises: tuple[Drawn, ...]) -> bytes:
    """Return the workers' parts of exercises as bytes that `unpack` reads.

    A class gets the same for each submission, unless each student has draws of their own.
    """
    with _registering:
        modules = [module for module in list(sys.modules.values()) if _is_of_rubrics(module)]
        for module in modules:
            cloudpickle.register_pickle_by_value(module)
        try:
            return cloudpickle.dumps({drawn.name: worker_part(drawn) for drawn in exercises})
        finally:
            for module in modules:
                cloudpickle.unregister_pickle_by_value(module)


def unpack(packed: bytes) -> dict[str, Drawn]:
    """Return the exercises by name. Only for bytes from the grader: reading them runs code."""
    return pickle.loads(packed)


def _is_of_rubrics(module: object) -> bool:
    """Whether a module is a rubric, or one that the kit's rubrics share."""
    if not isinstance(module, ModuleType):
        return False
    is_file = module.__name__.startswith("_rubric_")
    return is_file or module.__name__.startswith(f"autograder.{KITS_FOLDER.name}.")
