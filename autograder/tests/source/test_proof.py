"""Slices of computation are proved; the first line of any other is named."""

import ast
import time
import tokenize
from io import StringIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from autograder.source import Place, prove_cells

HEAD = """\
import dataclasses
import functools
from functools import partial
from typing import NamedTuple
import jax
import jax.numpy as jnp
import numpy as np
import optax
"""


def prove(text: str, *entries: str):
    return prove_cells([("head", HEAD), ("a", text)], entries or ("f",))


PURE = [
    "@jax.jit\ndef f(x):\n    return x * 2",
    "f = jax.jit(lambda x: x)",
    "SCALE = 2.0\nTABLE = {'a': 1}\ndef f(x):\n    return x * SCALE + TABLE['a']",
    "def f(x):\n    def body(c, _):\n        return c + x, c\n"
    "    return jax.lax.scan(body, 0.0, None, length=3)",
    "class State(NamedTuple):\n    x: jax.Array\n    n: int = 0\n"
    "def f(x):\n    return State(x)._replace(n=1)",
    "@jax.tree_util.register_dataclass\n@dataclasses.dataclass(frozen=True)\nclass P:\n"
    "    x: jax.Array\n    kind: str = dataclasses.field(metadata=dict(static=True))\n"
    "    @jax.jit\n    def total(self):\n        return self.x.sum()\n"
    "def f(x):\n    return dataclasses.replace(P(x, 'a'), kind='b').total()",
    "@jax.tree_util.register_pytree_node_class\nclass P:\n    def __init__(self, x):\n"
    "        self.x = x\n    def tree_flatten(self):\n        return (self.x,), None\n"
    "    @classmethod\n    def tree_unflatten(cls, aux, children):\n"
    "        p = object.__new__(cls)\n        p.x, = children\n        return p\n"
    "def f(x):\n    return P(x).x",
    "@jax.custom_vjp\ndef g(x):\n    return x\ndef forward(x):\n    return x, None\n"
    "def backward(_, t):\n    return (t,)\ng.defvjp(forward, backward)\ndef f(x):\n    return g(x)",
    "optimizer = optax.adam(0.1)\ndef f(x):\n    updates, state = optimizer.update(x, "
    "optimizer.init(x))\n    return optax.apply_updates(x, updates)",
    "def twice(function):\n    @functools.wraps(function)\n    def run(x):\n"
    "        return function(function(x))\n    return run\n@twice\ndef f(x):\n    return x + 1",
    "def f(x):\n    if x.ndim > 2:\n        raise ValueError(f'{x}: {x.ndim} axes')\n    return x",
    "@partial(jax.jit, static_argnames='n')\ndef f(x, n):\n"
    "    return x * n if isinstance(n, int) else x",
    "def f(x):\n    match x.ndim:\n        case 1:\n            return x\n        case _:\n"
    "            return x.sum(0)",
    "def f(x):\n    return np.add(np.zeros(3), 1).sum(0) + x.clip(0, 1)",
]


@pytest.mark.parametrize("text", PURE)
def test_computation_is_proved(text):
    assert prove(text).unproved is None


@pytest.mark.parametrize(
    ("line", "text", "reason"),
    [
        (2, "def f(x):\n    print(x)", "`print` is not known to compute only."),
        (
            1,
            "import time\ndef f(x):\n    return time.time()",
            "`time` is not known to compute only.",
        ),
        (2, "def f(x):\n    global n\n    n = 1", "A function assigns `n` outside of itself."),
        (2, "def f(x):\n    yield x", "`yield` is not proved."),
        (2, "def f(x):\n    try:\n        pass\n    finally:\n        pass", "`try`"),
        (2, "def f(x):\n    return np.random.normal()", "`numpy.random.normal` is not known"),
        (2, "def f(x):\n    return np.add(x, 1, x)", "may write to one of these arguments"),
        (2, "def f(x):\n    return np.add(x, 1, out=x)", "`out=` lets a call change"),
        (2, "def f(x):\n    return functools.reduce(np.add, [x])", "`numpy.add` is passed on"),
        (2, "def f(x):\n    return x.astype('M8[s]')", "data type is not written out"),
        (2, "def f(x):\n    return np.array('now', 'M8[s]')", "data type is not written out"),
        (1, "@partial(jax.jit, donate_argnums=0)\ndef f(x):\n    return x", "`donate_argnums=`"),
        (1, "@functools.cache\ndef f(x):\n    return x", "makes something else of a function"),
        (2, "def f(x):\n    jax.debug.print('x')", "`jax.debug.print` is not known"),
        (2, "def f(x):\n    return isinstance(x, float)", "another when it is traced"),
        (
            2,
            "class C:\n    def m(self):\n        self.n = 1\ndef f(x):\n    return C().n",
            "changes `self`",
        ),
        (
            5,
            "class C:\n    def m(self):\n        self.n = 1\ndef f(x):\n    C().m()",
            "changes an object",
        ),
        (
            2,
            "class C:\n    def __eq__(self, o):\n        return True\ndef f(x):\n    C()",
            "`__eq__`",
        ),
        (1, "for i in range(3):\n    def f(x):\n        return i", "statement `for`"),
        (1, "f = zip([1], [2])", "An iterator is kept"),
        (2, "def f(x):\n    return x.delete()", "What `.delete(...)` does is not known."),
        (2, "def f(x):\n    return x.__class__", "What `.__class__` is"),
    ],
)
def test_what_is_not_is_named_with_its_line(line, text, reason):
    unproved = prove(text).unproved
    assert unproved is not None
    assert reason in unproved.reason
    assert unproved.place == Place("a", line)


def test_the_line_is_that_of_the_cell_it_stands_in():
    cells = [
        ("helper", "\n\ndef helper():\n    open('x')"),
        ("a", "def f(x):\n    return helper()"),
    ]
    unproved = prove_cells(cells, ["f"]).unproved
    assert unproved is not None and unproved.place == Place("helper", 4)


def test_what_is_not_in_the_slice_does_not_matter():
    text = "import turtle\nopen('x')\n@jax.jit\ndef f(x):\n    return x\nprint(f(1))"
    assert prove(text).is_pure


def test_a_name_that_other_lines_change_is_named():
    text = "n = {'a': 1}\ndef setter():\n    n['a'] = 2\ndef f(x):\n    return n['a']"
    unproved = prove(text).unproved
    assert unproved is not None and unproved.reason == "`n` is changed on line 3."


_WORDS = sorted(
    {
        token.string
        for text in PURE
        for token in tokenize.generate_tokens(StringIO(HEAD + text).readline)
        if token.string.strip()
    }
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from([*_WORDS, "\n", "\n    ", ":", "(", ")"]), max_size=40))
def test_any_text_gets_an_answer(words):
    text = "def f(x):\n    return " + " ".join(words)
    proof = prove(text)
    assert proof.is_pure or proof.unproved is not None


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(PURE), st.data())
def test_a_statement_less_is_no_error(text, data):
    tree = ast.parse(text)
    every = (getattr(x, "body", None) for x in ast.walk(tree))
    blocks = [body for body in every if isinstance(body, list)]
    block = data.draw(st.sampled_from(blocks))
    block[data.draw(st.integers(0, len(block) - 1))] = ast.Pass()
    prove(ast.unparse(tree))


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x" + ".copy()" * 38,
        "def f(x):\n    return " + "jnp.sin(" * 38 + "x" + ")" * 38,
        "def f(x):\n    y = x * 2\n" + "    y += 1\n" * 200 + "    return y",
    ],
)
def test_reading_takes_no_longer_than_the_text_is(text):
    before = time.process_time()
    assert prove(text).is_pure
    assert time.process_time() - before < 2
