"""Dicts, sequences, sets and arrays of objects, and their subclasses."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

from autograder.criteria.purity.state import undo
from autograder.criteria.purity.state.instances import attributes
from autograder.criteria.purity.state.reading import class_dict
from autograder.criteria.purity.state.walk import Walk
from autograder.criteria.purity.values import digest, is_tracer, leaf_token


def mapping(walk: Walk, path: str, value: dict, kind: str, depth: int) -> None:
    walk.on_undo(undo.of_dict(value))
    walk.token(path, ("dict", dict.__len__(value)), kind)
    for i, (key, item) in enumerate(list(dict.items(value))):
        plain = type(key) in (str, int, float, bool, bytes, type(None)) or (
            type(key) is tuple and all(type(k) in (str, int, float, bool) for k in key)
        )
        place = f"{path}[{repr(key) if plain else f'key {i}'}]"
        walk.shot.homes[place] = (value, key)
        walk.into(place, item, kind, depth)
        if not plain:
            walk.into(f"{path}<key {i}>", key, kind, depth)
    attributes(walk, path, value, "instance", depth)


def sequence(walk: Walk, path: str, value: Any, kind: str, depth: int) -> None:
    base = next(b for b in (list, tuple, collections.deque) if issubclass(type(value), b))
    if base is not tuple:
        walk.on_undo(undo.of_sequence(value))
    walk.token(path, (base.__name__, base.__len__(value)), kind)
    names: Any = class_dict(type(value)).get("_fields", ())
    for i, item in enumerate(list(base.__iter__(value))):
        step = f".{names[i]}" if i < len(names) and type(names) is tuple else f"[{i}]"
        walk.into(path + step, item, kind, depth)
    attributes(walk, path, value, "instance", depth)


def elements(walk: Walk, path: str, value: Any, kind: str, depth: int) -> None:
    base = set if issubclass(type(value), set) else frozenset
    if base is set:
        walk.on_undo(undo.of_set(value))
    items = list(base.__iter__(value))
    leaves = sorted(repr(leaf_token(item)) for item in items)
    walk.token(path, (base.__name__, len(items), digest("".join(leaves).encode())), kind)
    for i, item in enumerate(items):
        if is_tracer(item) or leaf_token(item) is None:
            walk.into(f"{path}{{{i}}}", item, kind, depth)


def objects(walk: Walk, path: str, value: np.ndarray, kind: str, depth: int) -> None:
    walk.on_undo(undo.of_objects(value))
    walk.token(path, ("array", "object", value.shape), kind)
    for i, item in enumerate(value.flat):
        walk.into(f"{path}.flat[{i}]", item, kind, depth)
