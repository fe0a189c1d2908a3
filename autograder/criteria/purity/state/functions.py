"""Functions, methods, partials, caches and generators: closures, defaults, kept results."""

from __future__ import annotations

import functools
import types
from typing import Any

from autograder.criteria.purity import trusted
from autograder.criteria.purity.state import undo
from autograder.criteria.purity.state.instances import attributes
from autograder.criteria.purity.state.walk import Walk
from autograder.criteria.purity.values import is_tracer


def function(walk: Walk, path: str, value: types.FunctionType, kind: str, depth: int) -> None:
    own = walk.student.owns_function(value)
    if own:
        walk.on_undo(undo.of_function(value))
        walk.token(path, ("function", id(value.__code__)), kind)
        for i, item in enumerate(value.__defaults__ or ()):
            walk.into(f"{path}.<default {i}>", item, "default", depth)
        for name, item in (value.__kwdefaults__ or {}).items():
            walk.into(f"{path}.<default {name}>", item, "default", depth)
    names = value.__code__.co_freevars
    for name, cell in zip(names, value.__closure__ or (), strict=True):
        if own or _holds_student(walk, cell):
            walk.into(f"{path}.<closure {name}>", cell, "closure", depth)
    for name, item in list(value.__dict__.items()):
        if own or name == "__wrapped__" or is_tracer(item):
            walk.shot.homes[f"{path}.{name}"] = (value.__dict__, name)
            walk.into(f"{path}.{name}", item, "function attribute", depth)
    if own:
        walk.on_undo(undo.of_dict(value.__dict__))


def _holds_student(walk: Walk, cell: types.CellType) -> bool:
    try:
        inner = cell.cell_contents
    except ValueError:
        return False
    if type(inner) is types.FunctionType:
        return walk.student.owns_function(inner)
    return is_tracer(inner) or walk.student.owns_type(type(inner))


def cell(walk: Walk, path: str, value: types.CellType, depth: int) -> None:
    try:
        inner = value.cell_contents
    except ValueError:
        return
    walk.on_undo(undo.of_cell(value))
    walk.into(path, inner, "closure", depth)


def method(walk: Walk, path: str, value: types.MethodType, kind: str, depth: int) -> None:
    walk.into(f"{path}.__self__", value.__self__, "instance", depth)
    walk.into(f"{path}.__func__", value.__func__, kind, depth)


def partial(walk: Walk, path: str, value: functools.partial, kind: str, depth: int) -> None:
    walk.into(f"{path}.func", value.func, kind, depth)
    walk.into(f"{path}.args", value.args, kind, depth)
    walk.into(f"{path}.keywords", value.keywords, kind, depth)


def lru_cache(walk: Walk, path: str, value: Any, depth: int) -> None:
    size = value.cache_info().currsize
    walk.token(path, ("lru_cache", size), "cache")
    number = 0
    for held in trusted.referents(value):
        if type(held) is dict:
            if "__wrapped__" in held or "__builtins__" in held:
                continue
            for key, item in list(held.items()):
                if not type(item).__name__.startswith("_lru_list"):
                    walk.into(f"{path}<result {number}>", item, "cache", depth)
                    walk.into(f"{path}<call {number}>", key, "cache", depth)
                    number += 1
        elif held is not value.__wrapped__ and type(held) is not type:
            walk.into(f"{path}<result {number}>", held, "cache", depth)
            number += 1
    walk.on_undo(lambda: value.cache_clear() if value.cache_info().currsize != size else None)
    walk.into(f"{path}.__wrapped__", value.__wrapped__, "global", depth)
    attributes(walk, path, value, "function attribute", depth)


def generator(walk: Walk, path: str, value: types.GeneratorType, depth: int) -> None:
    frame = value.gi_frame
    walk.token(path, ("generator", frame.f_lasti if frame else -1), "iterator")
    if frame is not None and walk.student.owns_code(value.gi_code):
        for name, item in list(frame.f_locals.items()):
            walk.into(f"{path}.<local {name}>", item, "iterator", depth)
