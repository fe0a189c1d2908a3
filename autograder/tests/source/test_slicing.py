"""A slice holds what the entry points need, as bound where their check stands."""

import pytest

from autograder.source import make_slice, read_source


def positions(text: str, *entries: str) -> tuple[int, ...]:
    return make_slice(read_source([("a", text)]), entries or ("f",)).positions


def unclear(text: str) -> str:
    found = make_slice(read_source([("a", text)]), ["f"]).unclear
    return found.reason if found else ""


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("a = 1\nb = 2\ndef f(): return a", (0, 2)),
        ("def f(): return g()\nplot()\ndef g(): return h\nh = 1", (0, 2, 3)),
        ("def f(): return 1\ndef f(): return 2", (1,)),
        ("a = 1\nb = a\na = 2\ndef f(): return b", (0, 1, 3)),
        ("def f(x): pass\nf.defvjp(g)\ndef g(): pass", (0, 1)),
        ("g = 1\ndef f(x): pass\nf.defvjp(g)\nprint(f(1))", (0, 1, 2)),
        ("class f: pass\nregister_pytree_node(f, a, b)", (0, 1)),
        ("class f: pass\nfor c in (f, g): register(c)", (0, 1)),
        ("class f: pass\nevery = [f]\nfor c in every: register(c)", (0, 1, 2)),
        ("t = {}\ndef fill(t): pass\nfill(t)\ndef f(): return t", (0, 1, 2, 3)),
        ("t = {}\ndef f(): return t\nprint(t)\nprint(t.get(1), f(t))", (0, 1)),
        ("import numpy as np\nt = []\nnp.put(t, 0, 1)\ndef f(): return t", (0, 1, 2, 3)),
        ("import numpy as np\nt = []\nnp.sum(t)\ndef f(): return t", (1, 3)),
        ("t = 1\nfill(t)\ndef f(): return t", (0, 2)),
        ("import jax\njax.config.update('jax_enable_x64', True)\ndef f(): pass", (0, 1, 2)),
    ],
)
def test_what_is_needed(text, chosen):
    assert positions(text) == chosen


def test_a_name_that_gets_another_value_later_is_unclear():
    reason = unclear("a = 1\ndef f(): return a\nf()\na = 2")
    assert reason == "`a` gets another value after a function that reads it."


@pytest.mark.parametrize(
    "text",
    [
        "a = 1\na = 2\ndef f(): return a",
        "def f(): return a\na = 1",
        "import jax\ndef f(): return jax\nimport jax",
        "import jax.numpy as a\ndef f(): return a\nfrom jax import numpy as a",
    ],
)
def test_a_name_that_does_not_is_clear(text):
    assert unclear(text) == ""


def test_an_entry_point_that_is_missing():
    assert unclear("g = 1") == "`f` is not defined."


def test_imports_of_all_names():
    assert "any name" in unclear("from math import *\ndef f(): return 1")
