"""What a function can reach: nothing hides in an object, and an equal value is no change."""

from __future__ import annotations

import collections
import functools
import itertools
import operator
import types
import weakref
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.criteria.purity import check_purity
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.walk import changes, snapshot_values
from autograder.model.finding import Finding
from autograder.tests.helpers.student_modules import make_module

IMPORTS = "import itertools\nimport numpy as np\nimport jax, jax.numpy as jnp\n"


def generator(kept: list):
    inside = (kept,)
    yield from inside
    yield inside


def started(kept: list):
    made = generator(kept)
    next(made)
    return made


class Own:
    __slots__ = ("kept",)

    def __init__(self, kept: object) -> None:
        self.kept = kept


HOLDERS: dict[str, Callable[[list], object]] = {
    "view_of_a_dict": lambda kept: {1: kept}.values(),
    "items_of_a_dict": lambda kept: {1: kept}.items(),
    "slice": lambda kept: slice(kept),
    "partial": lambda kept: functools.partial(len, kept),
    "mapping_proxy": lambda kept: types.MappingProxyType({1: kept}),
    "iterator": lambda kept: iter([kept]),
    "zip": lambda kept: zip([kept], strict=True),
    "chain": lambda kept: itertools.chain([1], [kept]),
    "map": lambda kept: map(len, [kept]),
    "method": lambda kept: kept.append,
    "method_caller": lambda kept: operator.methodcaller("f", kept),
    "cell": lambda kept: types.CellType(kept),
    "closure": lambda kept: lambda: kept,
    "property": lambda kept: property(kept.append),
    "started_generator": started,
    "namespace": lambda kept: types.SimpleNamespace(kept=kept),
    "slots": Own,
    "named_tuple": lambda kept: collections.namedtuple("T", "kept")(kept),
    "set_of_functions": lambda kept: {kept.append},
    "weak_reference": lambda kept: [weakref.ref(other := collections.UserList([kept])), other],
    "array_of_objects": lambda kept: np.array([kept, None], dtype=object),
    "tree_definition": lambda kept: jax.tree.structure(jax.tree_util.Partial(kept.append)),
    "deep": lambda kept: functools.reduce(lambda inner, _: [inner], range(5000), kept),
    "many": lambda kept: [*map(str, range(30_000)), kept],
}


@pytest.mark.slow
@pytest.mark.parametrize("holder", HOLDERS)
def test_a_list_that_an_object_leads_to(holder: str) -> None:
    module = types.ModuleType("student")
    student = StudentModule.of(module, test_a_list_that_an_object_leads_to)
    kept: list[int] = []
    held = HOLDERS[holder](kept)
    before = snapshot_values(student, [("held", held)], "global")
    assert changes(before, snapshot_values(student, [("held", held)], "global")) == []
    kept.append(1)
    assert changes(before, snapshot_values(student, [("held", held)], "global"))


def check(source: str) -> list[Finding]:
    module = make_module(IMPORTS + source)
    found = check_purity(module.f, lambda: (jnp.arange(3.0),), module)
    return [f for f in found if f.severity == "error"]


@pytest.mark.parametrize(
    ("source", "rule", "code"),
    [
        (
            "jnp.of_mine = 0\ndef f(x):\n    jnp.of_mine += 1\n    return x\n",
            "module-patched",
            "jnp.of_mine += 1",
        ),
        (
            "np.of_mine = {}\ndef f(x):\n    np.of_mine[len(np.of_mine)] = 1\n    return x\n",
            "global-mutated",
            "np.of_mine[len(np.of_mine)] = 1",
        ),
        (
            "jnp.sin.of_mine = 0\ndef f(x):\n    jnp.sin.of_mine += 1\n    return jnp.sin(x)\n",
            "attribute-mutated",
            "jnp.sin.of_mine += 1",
        ),
        (
            "def count():\n    n = 0\n    while True:\n        yield n\n        n += 1\n"
            "numbers = count()\ndef f(x):\n    return x * next(numbers)\n",
            "iterator-advanced",
            "return x * next(numbers)",
        ),
        (
            "def three():\n    yield from [1.0] * 9\n"
            "numbers = three()\n@jax.jit\ndef f(x):\n    return x * next(numbers)\n",
            "iterator-advanced",
            "return x * next(numbers)",
        ),
    ],
    ids=["module", "content_of_a_module", "function_of_a_library", "generator", "of_a_list"],
)
def test_state_in_libraries_and_generators(source: str, rule: str, code: str) -> None:
    try:
        assert (rule, code) in [(f.rule, f.code) for f in check(source)]
    finally:
        for owner in (jnp, np, jnp.sin):
            vars(owner).pop("of_mine", None)


EQUAL = {
    "set_and_restored": "    before, model.w = model.w, x\n    model.w = before\n",
    "replaced_by_an_equal_array": "    model.w = jnp.array(np.asarray(model.w))\n",
    "replaced_by_an_equal_list": "    model.layers = list(model.layers)\n",
    "an_alias_is_replaced": "    model.alias = jnp.array(np.asarray(W))\n",
}


@pytest.mark.parametrize("way", EQUAL)
def test_equal_values_are_no_change(way: str) -> None:
    """So do libraries that take a module apart and put it together again around each call."""
    source = (
        "W = jnp.ones(3)\nlayers = [1, 2]\nclass Model:\n    pass\nmodel = Model()\n"
        "model.w, model.alias, model.layers, other = jnp.ones(3), W, layers, layers\n"
        f"def f(x):\n    with jax.ensure_compile_time_eval():\n    {EQUAL[way][4:]}"
    )
    body = EQUAL[way].replace("    ", "        ")
    source = source.rpartition("with")[0] + "with jax.ensure_compile_time_eval():\n" + body
    assert check(source + "    return x * model.w\n") == []


@pytest.mark.slow
def test_a_function_of_a_library_that_a_cache_keeps() -> None:
    source = (
        "import functools\n@functools.lru_cache\ndef formula(power):\n    return jnp.log\n"
        "@jax.jit\ndef f(x):\n    return formula(0)(x + 1)\n"
    )
    assert check(source) == []
