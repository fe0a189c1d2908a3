"""Names are found as Python finds them."""

import ast
import symtable

import pytest

from autograder.source.scopes import SCOPES, bound_names, local_names, placed


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("def f(x): return x + y", {"x"}),
        ("def f():\n    x = 1\n    def g(): return x", {"x", "g"}),
        ("def f():\n    global x\n    x = y = 1", {"y"}),
        ("def f(xs): return [y for x in xs]", {"xs"}),
        ("def f(xs): return [[(y := x) for x in z] for z in xs]", {"xs", "y"}),
        ("def f(xs): return [(lambda: (y := x)) for x in xs]", {"xs"}),
        ("def f():\n    import x.y, z as w", {"x", "w"}),
        ("def f(v):\n    match v:\n        case [x, *y]: return x", {"v", "x", "y"}),
        ("def f(a, /, b, *c, d=e, **g): pass", {"a", "b", "c", "d", "g"}),
        ("class C:\n    x = 1\n    def m(self): pass", {"x", "m"}),
        ("[x for x, y in z for w in v]", {"x", "y", "w"}),
    ],
)
def test_names_of_a_scope(text, names):
    node = next(x for x in ast.walk(ast.parse(text)) if isinstance(x, SCOPES))
    assert local_names(node) == names


@pytest.mark.parametrize("inner", ["return x", "x = 1", "return [y for y in z]", "global x"])
@pytest.mark.parametrize("outer", ["pass", "x = 1", "z = 1", "global z; z = 1"])
def test_pythons_tables_say_the_same(inner, outer):
    text = f"def f(y):\n    {outer}\n    def g(z):\n        {inner}\n"
    nodes = [x for x in ast.walk(ast.parse(text)) if isinstance(x, ast.FunctionDef)]
    table = symtable.symtable(text, "", "exec")
    for node in nodes:
        table = next(t for t in table.get_children() if t.get_name() == node.name)
        # Python 3.12 counts the names of a comprehension as those of the function around it.
        of_comprehensions = {"y"} if "for y" in inner and node.name == "g" else set()
        found = {s.get_name() for s in table.get_symbols() if s.is_local()}
        assert local_names(node) - of_comprehensions == found - of_comprehensions


@pytest.mark.parametrize(
    ("text", "hidden", "is_later"),
    [
        ("here", set(), False),
        ("def f(x): return here", {"x"}, True),
        ("def f(x, y=here): pass", set(), False),
        ("def f(x):\n    return lambda y: here", {"x", "y"}, True),
        ("def f(x):\n    def g():\n        global x\n        return here", {"g"}, True),
        ("[here for x in y]", {"x"}, False),
        ("[x for x in here]", set(), False),
        ("(here for x in y)", {"x"}, True),
        ("class C:\n    x = 1\n    def m(self): return here", {"self"}, True),
    ],
)
def test_where_a_name_stands(text, hidden, is_later):
    every = placed(ast.parse(text))
    found = next(at for at in every if isinstance(at.node, ast.Name) and at.node.id == "here")
    assert (found.hidden, found.is_later) == (hidden, is_later)


def test_a_functions_own_names_are_not_bound_outside():
    node = ast.parse("def f(x=(d := 1)):\n    y = 1\n    def g(): pass").body[0]
    assert bound_names(node) == {"f", "d"}
