"""Messages that remember how they were made, so that a stored result is shown in today's words.

A `Template` is a message with fields, named by where it stands. Its `format` gives a `Text`, which
is a string with a recipe: the template's name and the arguments, already written out. A finding
keeps the recipe; whoever reads it makes the text again from the template as it is now. So a typo
fixed in a message changes what is shown, and has nothing graded again.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from string import Formatter
from typing import Any, Self

Recipe = list[Any]
"""``[template's name, {field: text or recipe}]``, or ``["", [part, ...]]`` for texts joined."""

MODULES = (
    "core.jax_errors",
    "core.jax_patterns",
    "core.kit_messages",
    "core.program_messages",
    "grading.messages",
    "sandbox.messages",
)
"""The modules whose messages findings are made of, beside those of the criteria; no other is ever
imported for a name."""

_CRITERIONS = re.compile(r"criteria\.[a-z_]+\.messages")

MAX_PARTS = 200
MAX_DEPTH = 6

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
        """The text with its fields filled in: as `str.format`, by keyword only."""
        fields: dict[str, Any] = {}
        for _literal, name, spec, conversion in _parse(self):
            if name is not None:
                value = arguments[name]
                plain = not spec and not conversion
                keeps = plain and recipe_of(value) is not None
                fields[name] = value if keeps else _written(value, spec or "", conversion)
        assert self.recipe is not None
        return Text(_filled(self, fields), [self.recipe[0], _recipes(fields)])


def _written(value: Any, spec: str, conversion: str | None) -> str:
    return format(Formatter().convert_field(value, conversion), spec)


def _filled(template: str, fields: Mapping[str, str]) -> str:
    parts = []
    for literal, name, _, _ in _parse(template):
        parts.append(literal)
        if name is not None:
            parts.append(str(fields[name]))
    return "".join(parts)


def _recipes(fields: Mapping[str, str]) -> dict[str, Any]:
    return {name: recipe_of(text) or str(text) for name, text in fields.items()}


def recipe_of(text: object) -> Recipe | None:
    """How a text was made; None for a plain string."""
    return text.recipe if isinstance(text, Text) else None


def joined(separator: str, texts: Iterable[str]) -> Text:
    """Texts one after the other, each with its recipe."""
    parts: list[str] = []
    for text in texts:
        parts += [separator, text] if parts and separator else [text]
    return Text("".join(parts), ["", [recipe_of(part) or part for part in parts]])


def templates(namespace: dict[str, Any]) -> None:
    """Make templates of all messages of a module: its constants, alone or in dicts and tuples."""
    module = namespace["__name__"].removeprefix("autograder.")
    for name, value in list(namespace.items()):
        if name.isupper():
            namespace[name] = _template(value, f"{module}:{name}")


def _template(value: Any, name: str) -> Any:
    if isinstance(value, str) and " " in value:  # rules and patterns have none, or do not care
        _known[name] = Template(str(value), [name, {}])
        return _known[name]
    if isinstance(value, dict):
        return {key: _template(part, f"{name}.{key}") for key, part in value.items()}
    if isinstance(value, tuple):
        parts = [_template(part, f"{name}.{i}") for i, part in enumerate(value)]
        return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)
    return value


def remake(recipe: object, clean: Callable[[str], str]) -> Text:
    """The text of a recipe that was stored or sent, in the words of today's templates.

    Args:
        recipe: of unknown origin.
        clean: makes an argument fit to be shown.

    Raises:
        ValueError: it is no recipe, or names a message that is no longer there.
    """
    return _remade(recipe, clean, 0, itertools.count(1))


def _remade(recipe: object, clean: Callable[[str], str], depth: int, parts: Iterator[int]) -> Text:
    if next(parts) > MAX_PARTS or depth > MAX_DEPTH:
        raise ValueError("too many parts")
    if isinstance(recipe, str):
        return Text(clean(recipe))
    if not isinstance(recipe, list) or len(recipe) != 2:
        raise ValueError("not a recipe")
    name, arguments = recipe
    if name == "" and isinstance(arguments, list):
        return joined("", [_remade(part, clean, depth + 1, parts) for part in arguments])
    template = _find(name)
    if template is None or not isinstance(arguments, dict):
        raise ValueError("not the recipe of a message")
    fields = {}
    for _, field, _, _ in _parse(template):
        if field is not None and field not in arguments:
            raise ValueError(f"the message has a new field {field!r}")
        if field is not None and field not in fields:
            fields[field] = _remade(arguments[field], clean, depth + 1, parts)
    return Text(_filled(template, fields), [name, _recipes(fields)])


def _find(name: object) -> Template | None:
    if not isinstance(name, str):
        return None
    module = name.partition(":")[0]
    if name not in _known and (module in MODULES or _CRITERIONS.fullmatch(module)):
        try:
            import_module(f"autograder.{module}")
        except ModuleNotFoundError:
            return None
    return _known.get(name)
