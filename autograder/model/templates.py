"""Messages that remember how they were made, so that a stored result is shown in today's words.

A `Template` is a message with fields; its name says where it is defined. Its `format` gives a
`Text`: a string with a recipe, which is the template's name and its formatted arguments. A finding
keeps the recipe, and its text is made again from today's template whenever it is read. So after
a typo is fixed in a message, nothing must be graded again.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from string import Formatter
from typing import Any, Self

Recipe = list[Any]
"""``[template's name, {field: text or recipe}]``, or ``["", [part, ...]]`` for joined texts."""

MODULES = (
    "errors.jax_errors",
    "model.error_table",
    "model.messages",
    "grading.defence_messages",
    "grading.messages",
    "sandbox.messages",
)
"""The modules with messages of findings, besides those of the criteria. Recipes are untrusted: if
one names another module, nothing is imported."""

_OF_CRITERION = re.compile(r"criteria\.[a-z_]+\.messages")
_MAX_PARTS = 200
_MAX_DEPTH = 6

_known: dict[str, Template] = {}
_parse = Formatter().parse


class Text(str):
    """A message, and the recipe that it was made by; None for a plain string."""

    recipe: Recipe | None

    def __new__(cls, text: str, recipe: Recipe | None = None) -> Self:
        self = super().__new__(cls, text)
        self.recipe = recipe
        return self


class Template(Text):
    """A message with fields, as in ``"{name} is {kind}"``; without fields it is its own text."""

    def format(self, *_: Any, **arguments: Any) -> Text:
        """Fill in the fields, like `str.format`, but by keyword only."""
        fields: dict[str, Any] = {}
        for _literal, name, spec, conversion in _parse(self):
            if name is not None:
                value = arguments[name]
                if spec or conversion or recipe_of(value) is None:
                    value = format(Formatter().convert_field(value, conversion), spec or "")
                fields[name] = value
        assert self.recipe is not None
        return _fill(self, self.recipe[0], fields)


def _fill(template: str, name: str, fields: Mapping[str, str]) -> Text:
    parts = [
        literal + ("" if field is None else fields[field])
        for literal, field, _, _ in _parse(template)
    ]
    return Text("".join(parts), [name, {key: recipe_of(t) or str(t) for key, t in fields.items()}])


def recipe_of(text: object) -> Recipe | None:
    """Return how a text was made; None for a plain string."""
    return text.recipe if isinstance(text, Text) else None


def join_texts(separator: str, texts: Iterable[str]) -> Text:
    """Join texts, and keep the recipe of each."""
    parts: list[str] = []
    for text in texts:
        parts += [separator, text] if parts and separator else [text]
    return Text("".join(parts), ["", [recipe_of(part) or part for part in parts]])


def make_templates(namespace: dict[str, Any]) -> None:
    """Make templates of a module's messages: its constants, alone or in dicts and tuples."""
    module = namespace["__name__"].removeprefix("autograder.")
    for name, value in list(namespace.items()):
        if name.isupper():
            namespace[name] = _make_template(value, f"{module}:{name}")


def _make_template(value: Any, name: str) -> Any:
    if isinstance(value, str) and " " in value:  # a rule has no space; a pattern is never formatted
        _known[name] = Template(str(value), [name, {}])
        return _known[name]
    if isinstance(value, dict):
        return {key: _make_template(part, f"{name}.{key}") for key, part in value.items()}
    if isinstance(value, tuple):
        parts = [_make_template(part, f"{name}.{i}") for i, part in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def remake(recipe: object, clean: Callable[[str], str]) -> Text:
    """Make the text of a stored or sent recipe, in the words of today's templates.

    Args:
        recipe: of unknown origin.
        clean: makes an argument safe to show.

    Raises:
        ValueError: it is not a recipe, or it names a message that no longer exists.
    """
    count = itertools.count(1)

    def make(recipe: object, depth: int) -> Text:
        if next(count) > _MAX_PARTS or depth > _MAX_DEPTH:
            raise ValueError("too many parts")
        if isinstance(recipe, str):
            return Text(clean(recipe))
        if not isinstance(recipe, list) or len(recipe) != 2:
            raise ValueError("not a recipe")
        name, arguments = recipe
        if name == "" and isinstance(arguments, list):
            return join_texts("", [make(part, depth + 1) for part in arguments])
        template = _find(name)
        if template is None or not isinstance(arguments, dict):
            raise ValueError("not the recipe of a message")
        fields: dict[str, Text] = {}
        for _, field, _, _ in _parse(template):
            if field is not None and field not in arguments:
                raise ValueError(f"the message has a new field {field!r}")
            if field is not None and field not in fields:
                fields[field] = make(arguments[field], depth + 1)
        return _fill(template, name, fields)

    return make(recipe, 0)


def _find(name: object) -> Template | None:
    if not isinstance(name, str):
        return None
    module = name.partition(":")[0]
    if name not in _known and (module in MODULES or _OF_CRITERION.fullmatch(module)):
        try:
            import_module(f"autograder.{module}")
        except ModuleNotFoundError:
            return None
    return _known.get(name)
