"""What a class definition says of its objects: members, methods that change them, jit's key."""

import ast

from autograder.source.own_classes import OwnClass, aux_data, read_class


def own(text: str) -> OwnClass:
    (node,) = ast.parse(text).body
    assert isinstance(node, ast.ClassDef)
    return read_class(node)


def test_fields_are_members_and_parameters_in_order():
    found = own("class Fit(NamedTuple):\n    B: Array\n    n: int = 0")
    assert found.members == {"B", "n"} and found.shared == {"n"}
    assert found.parameters == (("B", "B"), ("n", "n")) and found.compared == frozenset()


def test_what_init_keeps_is_found_under_another_name():
    found = own("class Fit:\n    def __init__(self, Y, n):\n        self.counts, self.n = Y, n")
    assert found.members == {"counts", "n"}
    assert found.parameters == (("Y", "counts"), ("n", "n"))


def test_a_method_that_calls_a_changing_one_changes_its_object_too():
    found = own(
        "class Fit:\n"
        "    def total(self):\n        return self.n\n"
        "    def add(self):\n        self.n += 1\n"
        "    def twice(self):\n        self.add()\n"
        "    def much(self):\n        self.twice()\n"
    )
    assert found.changing == {"add", "twice", "much"}


def test_static_fields_and_aux_data_are_compared():
    static = own("class Fit:\n    Y: Array\n    kind: str = field(metadata=dict(static=True))")
    assert static.compared == {"kind"}
    flatten = "def tree_flatten(self):\n        return (self.Y,), (self.kind, (self.n, 2))"
    assert own(f"class Fit:\n    {flatten}").compared == {"kind", "n"}


def test_aux_data_of_a_lambda_are_its_second_part():
    flatten = ast.parse("lambda fit: ((fit.Y,), fit.kind)", mode="eval").body
    assert isinstance(flatten, ast.Lambda)
    assert [ast.unparse(x) for x in aux_data(flatten)] == ["fit.kind"]
