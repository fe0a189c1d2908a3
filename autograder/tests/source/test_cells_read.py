"""Cells are read once, whatever is in them."""

import pytest

from autograder.source.cells_read import DEEPEST, Place, read_source


def only(text: str):
    source = read_source([("a", text)])
    assert len(source.statements) == 1
    return source.statements[0]


@pytest.mark.parametrize(
    ("text", "binds", "now", "later"),
    [
        ("x = y + z", {"x"}, {"x", "y", "z"}, set()),
        ("def f(a, b=c): return a + d", {"f"}, {"c"}, {"d"}),
        ("def f(a):\n    e = a\n    def g(): return e + h\n    return g", {"f"}, set(), {"h"}),
        ("f = lambda a: a + b", {"f"}, {"f"}, {"b"}),
        ("xs = [i * k for i in n]", {"xs"}, {"xs", "k", "n"}, set()),
        ("import jax.numpy as jnp, jax.lax", {"jnp", "jax"}, set(), set()),
        (
            "class C(B):\n    a: T = d\n    def m(self): return a",
            {"C"},
            {"B", "T", "d", "a"},
            {"a"},
        ),
        ("for i, j in p: pass", {"i", "j"}, {"i", "j", "p"}, set()),
        ("xs = [(last := i) for i in n]", {"xs", "last"}, {"xs", "last", "n"}, set()),
    ],
)
def test_names(text, binds, now, later):
    found = only(text)
    assert (found.binds, found.now, found.later) == (binds, now, later)


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("f.defvjp(g, h)", {("f", "f.defvjp"), ("g", "f.defvjp"), ("h", "f.defvjp")}),
        ("@f.defjvp\ndef g(): pass", {("f", "f.defjvp")}),
        ("register(C, g)", {("C", "register"), ("g", "register")}),
        ("for c in (A, [B]): pass", {("A", ""), ("B", "")}),
        ("t = {'a': u.v}", {("u", "")}),
        ("def f(x=t): pass", {("t", "")}),
        ("d = (t, 0)[0] or [u][0] if v else w[i]", {("t", ""), ("u", ""), ("w", "")}),
        ("n = 2 * t['a'] + u.b[v]", set()),
        ("t.x[u] = 1", set()),
        ("def f(t: C) -> D:\n    return t", set()),
        ("print(2, f(x))", {("x", "f"), ("f()", "print")}),
        ("t = f()", {("f()", "")}),
        ("f()['a'] = 1", {("f()", "")}),
        ("u = 2 * f()", set()),
    ],
)
def test_what_a_statement_gives_away(text, gives):
    assert {(name, taker, False) for name, taker in gives} == only(text).gives


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("def f(): fill(t)", {("t", "fill")}),
        ("fill = lambda: g(t)", {("t", "g"), ("g()", "return")}),
        ("def f():\n    d = t\n    d['a'] = 1", {("t", "")}),
        ("def f():\n    return t", {("t", "return")}),
        ("f = lambda: (t, 0)", {("t", "return")}),
        ("def f(t):\n    return 2 * g(t)", set()),
        ("def f(x):\n    return x * t['a']", set()),
    ],
)
def test_what_a_function_gives_away_when_it_is_called(text, gives):
    assert {(name, taker, True) for name, taker in gives} == only(text).gives


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f():\n    d['a'] = 1", {"d"}),
        ("def f(d):\n    d['a'] = 1", set()),
        ("def f():\n    global n\n    n = 1", {"n"}),
        ("def f():\n    xs.append(1)", {"xs"}),
        ("def f(x):\n    return x.at[0].add(1)", set()),
        ("import jax.numpy as jnp\ny = jnp.append(x, 1)", set()),
        ("o.n += 1", {"o"}),
        ("def f():\n    register_static(C)", {"C"}),
        ("register_static(C)", set()),
        ("tx.update(g, s)", set()),
        ("d.update(*[a], *[])", {"d"}),
    ],
)
def test_names_whose_objects_the_text_changes(text, names):
    assert set(read_source([("a", text)]).changed) == names


def test_an_attribute_of_a_module_is_noticed():
    source = read_source([("a", "import jax\n"), ("b", "x = 1\njax.jit = None")])
    assert source.patched == (Place("b", 2), "jax")


def test_settings_in_a_dictionary_of_a_module_are_not():
    assert read_source([("a", "import os\nos.environ['A'] = '1'")]).patched is None


def test_a_cell_that_is_no_python_leaves_the_others():
    source = read_source([("a", "x = ("), ("b", "%matplotlib inline\ny = 1")])
    assert source.unread == Place("a", 1)
    assert [i for i, s in enumerate(source.statements) if "y" in s.binds] == [1]


@pytest.mark.parametrize(
    "text",
    [
        "(" * 500,
        "x = " + "(" * 150 + ")" * 150,
        "x = " + "-" * 100_000 + "1",
        "x = 1" + " + 1" * 50_000,
        "x" + ".a" * 50_000,
        "if 1:\n" + "\n".join(" " * i + "if 1:" for i in range(1, 99)) + "\n" + " " * 99 + "x = 1",
        "x = '\ud800'",
        "x = 1\0",
        "nonlocal x",
        "await f()",
        "def f(): return await g()",
        "x = " + "lambda: " * 1000 + "1",
        "f'{" * 100,
        "\N{BYTE ORDER MARK}x = 1",
        "x: int = 1; x: int; del x; global x",
        "x = " + "[lambda: 1, " * 60 + "]" * 60,
        "x = 1\n" * 100_000,
    ],
    ids=range(17),
)
def test_any_text_is_read(text):
    read_source([("a", text)])


def test_deep_nesting_is_not_read():
    source = read_source([("a", "x = " + "[" * DEEPEST + "]" * DEEPEST)])
    assert source.unread == Place("a", 1)
    assert not source.statements[0].is_read
    assert source.statements[0].binds == {"x"}


def test_top_level_await_is_kept_but_not_understood():
    source = read_source([("a", "x = await f()")])
    assert [i for i, s in enumerate(source.statements) if "x" in s.binds] == [0]
