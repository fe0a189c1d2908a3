"""What `names.toml` lists."""

from __future__ import annotations

import builtins
import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Listed:
    """The listed names.

    Attributes:
        public: names by module.
        builtins: built-in names.
        methods: special methods that a class may define.
        class_names: special names that a class body may set.
        members: attributes of values.
        kit_members: attributes of what the kit's own model returns.
        reserved: attributes that lead further than to data.
        settable: other attributes that can be set on objects of a library.
        for_own_classes: functions that change the class that they are given.
        bases: classes to derive from.
        settings: of JAX.
        shown: modules and names by which something is only shown.
    """

    public: dict[str, frozenset[str]]
    builtins: frozenset[str]
    methods: frozenset[str]
    class_names: frozenset[str]
    members: frozenset[str]
    kit_members: frozenset[str]
    reserved: frozenset[str]
    settable: frozenset[str]
    for_own_classes: frozenset[str]
    bases: frozenset[str]
    settings: frozenset[str]
    shown: frozenset[str]

    @functools.cached_property
    def _modules(self) -> frozenset[str]:
        paths = [name.split(".") for name in self.public]
        return frozenset(".".join(path[: i + 1]) for path in paths for i in range(len(path)))

    def is_module(self, dotted: str) -> bool:
        """Whether this is a listed module or a package that one is in."""
        return dotted in self._modules

    def is_public(self, dotted: str) -> bool:
        """Whether this is a listed name of a module."""
        module, _, name = dotted.rpartition(".")
        return name in self.public.get(module, ())

    def is_refused_builtin(self, name: str) -> bool:
        """Whether this is a built-in name that is not listed."""
        return name in vars(builtins) and name not in self.builtins


@functools.cache
def read_list() -> Listed:
    """Read the list."""
    text = Path(__file__).with_name("names.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    public = {name: frozenset(value.split()) for name, value in data["names"].items()}
    words = {name: frozenset(value.split()) for name, value in data["python"].items()}
    return Listed(public, **words)
