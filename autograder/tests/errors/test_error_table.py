"""The table of errors: each example raises its error, and its own entry explains it, no other."""

from __future__ import annotations

import linecache
from typing import Any

import pytest

from autograder.errors.error_finding import error_finding
from autograder.model.error_table import ERROR_RULES, ERRORS, EXAMPLES_BEGIN, IndexRow
from autograder.model.finding import Finding
from autograder.model.rubric_files import rubric_names
from autograder.model.student_code import called
from autograder.model.templates import recipe_of
from autograder.programs.jax_private import whole_tracebacks

ENTRIES = {name: entry for name, entry in ERRORS.items() if entry.text}
INDEX = [row for entry in ERRORS.values() for row in entry.listed]
EXAMPLES = [
    *((name, row.example, row) for name, entry in ENTRIES.items() for row in entry.listed),
    *(
        (name, entry.example, None)
        for name, entry in ENTRIES.items()
        if entry.example not in [row.example for row in entry.listed]
    ),
]

pytestmark = pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")


def raise_error(code: str, file: str) -> Exception:
    """Run an example and return what it raises."""
    names: dict[str, Any] = {}
    exec(EXAMPLES_BEGIN, names)
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    with whole_tracebacks(), pytest.raises(Exception) as error:
        exec(compile(code, file, "exec"), names)
    return error.value


def entry_of(found: Finding) -> str:
    """Return the name of the entry that a finding's text is from."""
    recipe = recipe_of(found.message)
    assert recipe is not None, found.message
    _, (_, _, (template, _)) = recipe
    return template.removeprefix("model.error_table:TEXTS.")


@pytest.mark.parametrize(("name", "code", "row"), EXAMPLES, ids=lambda value: str(value)[:40])
def test_each_example_is_explained_by_its_own_entry(
    name: str, code: str, row: IndexRow | None
) -> None:
    if name == "static-array":
        return  # below: JAX names no argument, so it is only known where the kit calls the function
    file = f"<example {name}>"
    error = raise_error(code, file)
    if row is not None:
        assert type(error).__name__ == row.error
        assert row.says in str(error) or (row.newer and row.newer in str(error))
    found = error_finding(error, {file})
    if ENTRIES[name].signs:
        explained = entry_of(found)
        # A newer message may say which argument it is about: a finer entry then explains it.
        is_newer = row is not None and row.newer and row.newer in str(error)
        assert explained == name or (is_newer and name in ENTRIES[explained].of)
        assert not ENTRIES[name].rule or found.rule == ENTRIES[name].rule
    else:
        assert found.rule == "error"


@pytest.mark.parametrize(
    "code",
    sorted({row.repaired for row in (*ENTRIES.values(), *INDEX)}),
    ids=lambda code: code[:40],
)
def test_each_repair_raises_nothing(code: str) -> None:
    names: dict[str, Any] = {}
    exec(EXAMPLES_BEGIN, names)
    exec(compile(code, "<repair>", "exec"), names)


def test_each_example_has_a_repair() -> None:
    for row in (*ENTRIES.values(), *INDEX):
        assert row.example and row.repaired and row.repaired != row.example


def test_a_static_array_is_named_where_the_kit_calls_the_function() -> None:
    *definition, call = ENTRIES["static-array"].example.splitlines()
    assert call == "scaled(x, 2)"
    names: dict[str, Any] = {}
    exec("\n".join([EXAMPLES_BEGIN, *definition]), names)
    with whole_tracebacks(), pytest.raises(ValueError, match="Non-hashable") as error:
        called(names["scaled"], names["x"], 2)
    found = error_finding(error.value, set())
    assert (entry_of(found), found.rule) == ("static-array", "non-hashable-static")
    assert "`x` is static, but holds an array" in found.message


def test_the_index_lists_many_messages_each_once_with_a_cause_and_a_lesson() -> None:
    assert len({row.says for row in INDEX}) == len(INDEX) >= 36
    for row in INDEX:
        assert row.cause.endswith(".") and "|" not in row.says and "{" not in row.cause
        assert set(row.lessons) <= set(rubric_names()) and row.lessons, row.says


def test_an_entry_replaces_only_entries_that_there_are() -> None:
    for name, entry in ERRORS.items():
        assert all(not ERRORS[general].of for general in entry.of), name
        assert bool(entry.rule) or entry.of, name
        assert not entry.hints or len(entry.hints) == 3, name
    assert set(ERRORS) >= ERROR_RULES
