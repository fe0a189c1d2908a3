"""Pictures of the process, what differs between two of them, and the way back."""

from __future__ import annotations

import contextlib
import importlib
import sys
import types
from dataclasses import dataclass

from autograder.criteria.purity import trusted
from autograder.criteria.purity.process.modules import public_names
from autograder.criteria.purity.process.reading import Key, random_states, simple_values
from autograder.criteria.purity.process.undo import Step, steps

_UNSET = object()


@dataclass
class ProcessState:
    """A picture of the process; `namespaces` keeps the modules' values themselves."""

    values: dict[Key, object]
    namespaces: dict[str, tuple[types.ModuleType, dict[str, object]]]
    threads: set[int | None]
    undo: list[Step]

    def restore(self) -> None:
        for step in self.undo:
            with contextlib.suppress(Exception):
                step()
        for module, names in self.namespaces.values():
            now = public_names(module)
            for name in now.keys() - names.keys():
                if name in vars(module):
                    del vars(module)[name]
            for name, value in names.items():
                if now.get(name, _UNSET) is not value:
                    vars(module)[name] = value


def picture(modules: list[types.ModuleType], saving: bool = False) -> ProcessState:
    return ProcessState(
        simple_values(),
        {m.__name__: (m, public_names(m)) for m in modules},
        {t.ident for t in trusted.live_threads()},
        steps() if saving else [],
    )


def changed_keys(before: ProcessState, after: ProcessState) -> list[Key]:
    """What differs, in a fixed order."""
    keys = [
        k for k in {**before.values, **after.values} if before.values.get(k) != after.values.get(k)
    ]
    for name, (_, old) in before.namespaces.items():
        new = after.namespaces.get(name, (None, {}))[1]
        keys += [
            Key(name, n) for n in {**old, **new} if old.get(n, _UNSET) is not new.get(n, _UNSET)
        ]
    if after.threads - before.threads:
        keys.append(Key("threads", "a thread"))
    return sorted(keys, key=lambda k: (k.group, k.name))


def value_of(key: Key) -> object:
    """One item of the picture, read anew."""
    if key.group in sys.modules and key.group not in ("sys", "random", "warnings", "logging", "gc"):
        return vars(importlib.import_module(key.group)).get(key.name)
    if key.group == "random" and key.name in ("random", "numpy.random"):
        return random_states()[key]
    simple = simple_values()
    if key in simple:
        return simple[key]
    module = sys.modules.get(key.group)
    return vars(module).get(key.name) if module else None
