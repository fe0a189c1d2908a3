"""The table of modules means what it says of the modules that are installed."""

import inspect
import pkgutil

import numpy as np
import pytest

from autograder.source import grammar


@pytest.mark.parametrize(
    "dotted",
    ["jax.numpy.exp", "jax.scipy.stats.norm.pdf", "numpy.add", "numpy.linalg.inv", "optax.adam"],
)
def test_computation_is_known(dotted):
    assert grammar.is_known(dotted)


@pytest.mark.parametrize(
    "dotted",
    [
        *("os", "time.time", "numpy.random.normal", "numpy.add.at", "numpy.copyto", "numpy.empty"),
        *("jax.debug.print", "jax.pure_callback", "jax.config.update", "jax.core.Tracer"),
        *("jax._src", "jax.scipy._src", "jax.numpy.save", "functools.cache", "itertools.count"),
        *("operator.iadd", "operator.attrgetter", "jax.lax.platform_dependent"),
    ],
)
def test_what_does_more_is_not(dotted):
    assert not grammar.is_known(dotted)


@pytest.mark.parametrize("module", [m for m in grammar.MODULES if m != "builtins.object"])
def test_words_of_the_table_exist(module):
    words = grammar.words(grammar.MODULES[module])
    if "*" not in words and module not in ("jax.sharding.AxisType", "__future__"):
        found = pkgutil.resolve_name(module)  # a module, or an object that computes
        others = {"P", "reshard", "ds", "AxisType", "shard_map", "NamedSharding"}  # newer ones
        others |= {"checkpoint", "checkify"}  # older ones, and a module
        assert [n for n in words - others if not hasattr(found, n)] == []


@pytest.mark.parametrize(
    ("dotted", "before_dtype", "before_out"),
    [
        ("numpy.add", 2, 2),
        ("numpy.exp", 1, 1),
        ("numpy.zeros", 1, 2),
        ("numpy.linspace", 3, 3),
        ("numpy.sum", 2, 2),
    ],
)
def test_arguments_before_a_type_and_before_an_array_written_to(dotted, before_dtype, before_out):
    assert grammar.numpy_arguments(dotted) == (before_dtype, before_out)


def test_no_function_of_numpy_may_be_given_a_type_or_an_array_to_write_to():
    known = [n for n in dir(np) if grammar.is_known(f"numpy.{n}")]
    for name in known:
        function = getattr(np, name)
        if isinstance(function, type) or not callable(function) or name == "einsum":
            continue  # whose `out` is given by name only
        try:
            every = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            continue
        order = [p.name for p in every if p.kind is not p.KEYWORD_ONLY]
        before_dtype, before_out = grammar.numpy_arguments(f"numpy.{name}")
        assert "dtype" not in order[:before_dtype], name
        assert not {"out", "copy", "overwrite_input"} & {*order[:before_out]}, name


def test_no_function_of_numpy_is_given_more_than_it_reads():
    writing = [
        f"numpy.{name}"
        for name in dir(np)
        if grammar.is_known(f"numpy.{name}") and isinstance(getattr(np, name), np.ufunc)
    ]
    assert len(writing) > 60
    for dotted in writing:
        assert grammar.numpy_arguments(dotted)[1] == getattr(np, dotted[6:]).nin
        assert not grammar.is_callable_value(dotted)
