"""Messages that remember how they were made."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.criteria.purity import messages as purity
from autograder.model import templates as texts
from autograder.model.finding import Finding
from autograder.model.report import CRITERIA
from autograder.model.templates import (
    MODULES,
    Template,
    join_texts,
    make_templates,
    recipe_of,
    remake,
)


@pytest.fixture
def module(monkeypatch):
    """A module of messages, as they are found by name."""
    namespace = {
        "__name__": "autograder.criteria.outputs.messages",
        "HELLO": "Hello {name}, you are {age:.1f} and {what!r}.",
        "INSIDE": "({inner} twice: {inner})",
        "RULES": {"a-rule": "The rule of {x}."},
        "small": "not a {message}",
    }
    known = dict(texts._known)
    make_templates(namespace)
    yield namespace
    texts._known.clear()
    texts._known.update(known)


def test_they_read_as_str_format_has_them(module):
    hello = module["HELLO"].format(name="Ada", age=36.05, what=[1])
    assert hello == "Hello Ada, you are 36.0 and [1]."
    assert module["INSIDE"].format(inner=hello) == f"({hello} twice: {hello})"
    assert module["RULES"]["a-rule"].format(x=3) == "The rule of 3."
    assert module["small"] == "not a {message}" and not isinstance(module["small"], Template)


def edited(module, old, new):
    template = module["HELLO"]
    name = template.recipe[0]
    texts._known[name] = Template(template.replace(old, new), [name, {}])


def test_a_message_that_was_edited_is_shown_in_its_new_words(module):
    hello = module["HELLO"].format(name="Ada", age=36, what="x")
    nested = join_texts(" / ", [module["INSIDE"].format(inner=hello), "plain", hello])
    sent = json.loads(json.dumps(recipe_of(nested)))
    assert remake(sent, str) == nested
    edited(module, "Hello", "Good day")
    again = "Good day Ada, you are 36.0 and 'x'."
    assert remake(sent, str) == f"({again} twice: {again}) / plain / {again}"
    assert recipe_of(remake(sent, str)) == sent


def test_a_finding_keeps_how_its_message_was_made(module):
    message = module["HELLO"].format(name="Ada", age=36, what="x")
    stored = json.loads(json.dumps(Finding.error("a-rule", message).to_json()))
    assert stored["message"] == message
    assert Finding.from_json(stored).message == message
    edited(module, "Hello", "Good day")
    assert Finding.from_json(stored).message == "Good day Ada, you are 36.0 and 'x'."
    del texts._known[message.recipe[0]]  # a message that is no longer there
    assert Finding.from_json(stored).message == message


def test_only_fields_of_the_message_are_kept(module):
    recipe = recipe_of(module["HELLO"].format(name="Ada", age=36, what="x"))
    assert recipe is not None
    more = [recipe[0], {**recipe[1], "\ud800": "x", "many": ["", ["y"] * 10**6]}]
    assert recipe_of(remake(more, str)) == recipe


def test_arguments_of_untrusted_recipes_are_cleaned(module):
    message = module["HELLO"].format(name="\x1b[31m\ud800/tmp/autograder-x/a.py", age=1, what=2)
    made = Finding.from_json(Finding.error("a-rule", message).to_json()).message
    assert made == "Hello [31m?a.py, you are 1.0 and 2."


@pytest.mark.parametrize(
    "recipe",
    [
        3,
        None,
        [],
        ["os:path", {}],
        ["criteria.nothing.messages:X", {}],
        ["criteria.outputs.messages:NONE", {}],
        ["criteria.outputs.messages:HELLO", []],
        ["criteria.outputs.messages:HELLO", {"name": "x"}],
        ["", ["x"] * 1000],
        [[[[]]]],
        ["criteria.outputs.messages:HELLO", {"name": 3, "age": "1", "what": "2"}],
    ],
)
def test_what_is_no_recipe_falls_back_to_the_text(module, recipe):
    with pytest.raises(ValueError, match=r"recipe|parts|field"):
        remake(recipe, str)
    assert Finding.from_json({"message": "as it was", "made_of": recipe}).message == "as it was"


def test_a_recipe_that_goes_too_deep(module):
    recipe: object = "x"
    for _ in range(50):
        recipe = ["", [recipe]]
    assert Finding.from_json({"message": "as it was", "made_of": recipe}).message == "as it was"


def test_a_long_message_is_cut(module):
    recipe = recipe_of(module["INSIDE"].format(inner="x" * 3000))
    made = Finding.from_json({"message": "y" * 9000, "made_of": recipe}).message
    assert made == "y" * 4000


def test_texts_survive_pickling(module):
    hello = module["HELLO"].format(name="Ada", age=36, what="x")
    copy = pickle.loads(pickle.dumps(hello))
    assert copy == hello and copy.recipe == hello.recipe


@given(st.text(), st.floats(allow_nan=False), st.integers())
def test_any_argument(name, age, what):
    template = Template("{name}|{age:.3g}|{what!r}|{{}}", ["x:Y", {}])
    assert template.format(name=name, age=age, what=what) == str(template).format(
        name=name, age=age, what=what
    )


def test_messages_are_found_by_name_and_nothing_else_is_imported(monkeypatch):
    monkeypatch.setattr(texts, "_known", {})
    imported = []
    monkeypatch.setattr(texts, "import_module", imported.append)
    ours = [f"criteria.{criterion}.messages" for criterion in CRITERIA]
    for module in (*MODULES, *ours, "criteria.outputs.judge", "os", "criteria..messages", "cli"):
        with pytest.raises(ValueError, match="not the recipe"):
            remake([f"{module}:X", {}], str)
    assert imported == [f"autograder.{module}" for module in (*MODULES, *ours)]


def test_the_whole_of_a_purity_message_follows_its_parts():
    message = purity.text("prints", "`print` is called", 3)
    recipe = recipe_of(message)
    assert recipe is not None and remake(recipe, str) == message
    assert recipe[1]["why"][0].startswith("criteria.purity.messages:LESSONS.prints")
