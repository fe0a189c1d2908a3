"""What an expression gives, told from the text: how new it is, what it may be, what it names."""

import ast

import pytest

from autograder.source.cells_read import read_source
from autograder.source.evaluation import Evaluator
from autograder.source.known_values import ANY, NEW, OWN, Value, ValueKind

TEXT = """\
import jax.numpy as jnp
import numpy as np
kept = [0]
def f(x):
    empty, pair, array = [], (x, kept), np.zeros(3)
    alias = kept
    total = 0.0
    for item in x:
        total += item
    return {}
"""


def value(expression: str) -> Value:
    """Return what an expression in `f` gives."""
    source = read_source([("a", TEXT)])
    known = Evaluator(source.statements, [])
    known.names |= {"jnp": Value(dotted="jax.numpy"), "np": Value(dotted="numpy")}
    (function,) = (s.node for s in source.statements if isinstance(s.node, ast.FunctionDef))
    return known.value(ast.parse(expression, mode="eval").body, known.scope_of(function, None))


@pytest.mark.parametrize(
    ("expression", "fresh"),
    [
        ("x", ANY),
        ("alias", ANY),
        ("kept", ANY),
        ("x[0]", ANY),
        ("empty", NEW),  # `total += item` may add to what is held in it
        ("pair", NEW),
        ("pair[0]", ANY),
        ("[x]", NEW),
        ("[1, 2]", OWN),
        ("[1, [2]][1]", OWN),
        ("{**kept}", NEW),
        ("jnp.exp(x)", OWN),
        ("np.asarray(x)", ANY),
        ("empty if x else kept", ANY),
    ],
)
def test_how_new_it_is(expression, fresh):
    assert value(expression).fresh == fresh


@pytest.mark.parametrize(
    ("expression", "may_be"),
    [
        ("zip(x, x)", ValueKind.ITERATOR),
        ("{1, 2}", ValueKind.SET),
        ("array", ValueKind.ARRAY),
        ("[array][0]", ValueKind.ARRAY),
        ("jnp.exp(array)", ValueKind(0)),
        ("total", ValueKind.ARRAY),
    ],
)
def test_what_it_may_be(expression, may_be):
    assert value(expression).may_be == may_be


@pytest.mark.parametrize(
    ("expression", "is_plain"),
    [("x.shape", True), ("len(x)", True), ("x.ndim + 1", True), ("x + 1", False), ("x > 0", False)],
)
def test_whether_tracing_changes_it(expression, is_plain):
    assert value(expression).is_plain is is_plain


def test_a_name_of_a_library_is_followed():
    assert value("jnp.linalg.inv").dotted == "jax.numpy.linalg.inv"
    assert value("len").dotted == "builtins.len"
