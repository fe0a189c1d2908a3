"""Whose code, class or frame it is, and which names of modules hold the student's things."""

from __future__ import annotations

import collections
import dataclasses
import sys

import jax.numpy as jnp

from autograder.criteria.purity.student import StudentModule
from autograder.tests.helpers.student_modules import make_module

SOURCE = """
import collections, dataclasses, sys
import jax.numpy as jnp
@dataclasses.dataclass
class Own:
    n: int = 0
Point = collections.namedtuple("Point", "x")
class Disguised:
    __module__ = "collections"
def frame():
    return sys._getframe()
kept = []
def f(x):
    return jnp.sin(x)
"""


def student_of(source: str) -> StudentModule:
    module = make_module(source)
    return StudentModule.of(module, module.f)


def test_classes_are_the_students_whatever_they_claim() -> None:
    student = student_of(SOURCE)
    space = student.namespace
    own = (space["Own"], space["Point"], space["Disguised"])
    assert all(map(student.owns_type, own))
    others = (int, collections.OrderedDict, dataclasses.Field, type(jnp.ones(1)))
    assert not any(map(student.owns_type, others))


def test_frames_and_what_causes_them() -> None:
    student = student_of(SOURCE)
    frame = student.namespace["frame"]()
    assert student.owns_frame(frame) and student.cause(frame) is frame
    here = sys._getframe()
    assert not student.owns_frame(here) and student.cause(here) is None


def test_names_are_globals_and_what_was_added_to_modules() -> None:
    jnp.of_mine = 1  # type: ignore[attr-defined]
    try:
        paths = {path for _, _, path in student_of(SOURCE).names()}
    finally:
        del jnp.of_mine  # type: ignore[attr-defined]
    assert {"Own", "kept", "f", "jax.numpy.of_mine<value>"} <= paths
    assert "__builtins__" not in paths and "jax.numpy.cos" not in paths
