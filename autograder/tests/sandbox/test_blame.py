"""Which line of the student's is to blame: for an error, for a class, for an adapter's words."""

from __future__ import annotations

import sys
import textwrap

import pytest

from autograder.errors.error_finding import error_finding, find_location
from autograder.model.finding import AdapterError
from autograder.model.notebook import Cell
from autograder.model.observation import Location
from autograder.model.student_code import student_files
from autograder.sandbox.cells import run_cells


@pytest.fixture
def student(tmp_path):
    """The module of a cell, and the student's files."""

    def run(source):
        main = sys.modules["__main__"]
        module, errors = run_cells([Cell("f", textwrap.dedent(source), "solution")], tmp_path)
        sys.modules["__main__"] = main
        assert not errors
        return module, student_files(module)

    return run


CLASSES = """
    import functools, jax

    class PLN:
        def old(self):
            pass

    @jax.tree_util.register_pytree_node_class
    class PLN:
        def __init__(self, x):
            self.x = x

        def tree_flatten(self):
            return (self.x,), None

        @classmethod
        def tree_unflatten(cls, aux, children):
            return cls(*children)

    @functools.partial(jax.jit, static_argnames="n")
    def fit(x, n):
        return x
"""


@pytest.mark.parametrize(
    ("of", "location"),
    [
        (lambda m: m.PLN, Location(9, "class PLN:")),
        (lambda m: m.PLN.tree_flatten, Location(13, "def tree_flatten(self):")),
        (lambda m: m.PLN.tree_unflatten, Location(17, "def tree_unflatten(cls, aux, children):")),
        (lambda m: m.fit, Location(21, "def fit(x, n):")),
        (lambda m: m.functools.partial(m.fit, n=2), Location(21, "def fit(x, n):")),
        (lambda m: m.jax.jit, None),
        (lambda m: dict, None),
        (lambda m: None, None),
    ],
)
def test_where_something_begins(student, of, location):
    module, files = student(CLASSES)
    assert find_location(of(module), files) == location


def test_what_an_adapter_blames(student):
    module, files = student(CLASSES)
    finding = error_finding(AdapterError("It is lost.", module.PLN.tree_flatten), files)
    assert (finding.rule, finding.message) == ("adapter", "It is lost.")
    assert (finding.line, finding.code) == (13, "def tree_flatten(self):")
    assert error_finding(AdapterError("Who knows?"), files).line is None


def test_an_error_in_what_dataclass_wrote(student):
    """The traceback ends in generated code that has no text; the student's line is above it."""
    module, files = student(
        """
        from dataclasses import dataclass

        @dataclass(frozen=True)
        class State:
            x: float

        def f(state):
            state.x = 2.0
        """
    )
    with pytest.raises(AttributeError) as caught:
        module.f(module.State(1.0))
    finding = error_finding(caught.value, files)
    assert (finding.line, finding.code) == (9, "state.x = 2.0")
    assert "dataclasses.replace" in finding.message


def test_what_a_library_made_begins_where_it_is_named(student):
    source = """
        import jax
        from jax.experimental import checkify

        def look_up(x):
            checked = x
            return checked

        checked = jax.jit(checkify.checkify(look_up))
    """
    module, files = student(source)
    line = Location(9, "checked = jax.jit(checkify.checkify(look_up))")
    assert find_location(module.checked, files, "checked") == line
    assert find_location(module.checked, files) is None
