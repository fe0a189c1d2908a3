"""Names are found as Python finds them."""

import ast

import pytest

from autograder.source.symbol_tables import SCOPES, AmbiguousScope, SymbolTables, bound_names


def scopes(text: str):
    tree = ast.parse(text)
    return SymbolTables(text, tree), [x for x in ast.walk(tree) if isinstance(x, SCOPES)]


@pytest.mark.parametrize(
    ("text", "name", "where"),
    [
        ("def f(x): return x", "x", "here"),
        ("def f(): return x", "x", "global"),
        ("def f():\n    x = 1\n    return lambda: x", "x", "outside"),
        ("def f():\n    global x\n    x = 1", "x", "global"),
        ("def f(xs): return [x for x in xs]", "x", "here"),
        ("def f(xs): return [y for x in xs]", "y", "global"),
        ("def f(a): return [a for x in a]", "a", "outside"),
        ("def f(a): return [[a for x in y] for y in a]", "a", "outside"),
        ("def f(a): return [[y for x in y] for y in a]", "y", "outside"),
        ("class C:\n    x = [1]\n    y = [x for z in x]", "x", "global"),
        ("class C:\n    x = 1\n    def m(self): return x", "x", "global"),
        ("def f():\n    import x\n    return x", "x", "here"),
        ("def f(v):\n    match v:\n        case [x]: return x", "x", "here"),
    ],
)
def test_where(text, name, where):
    tables, nodes = scopes(text)
    assert tables.where(name, nodes[-1]) == where


def test_lambdas_of_one_line_are_told_apart():
    tables, nodes = scopes("def f(a): return (lambda x: a), (lambda y: b)")
    assert [tables.where("a", nodes[1]), tables.where("b", nodes[2])] == ["outside", "global"]


def test_what_cannot_be_told_apart_is_not_guessed():
    tables, nodes = scopes("fs = (lambda x: y), (lambda x: (y := x))")
    with pytest.raises(AmbiguousScope):
        tables.where("y", nodes[0])


def test_a_functions_own_names_are_not_bound_outside():
    node = ast.parse("def f(x=(d := 1)):\n    y = 1\n    def g(): pass").body[0]
    assert bound_names(node) == {"f", "d"}
