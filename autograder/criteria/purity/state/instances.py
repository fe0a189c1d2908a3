"""Objects and classes: the student's own are walked whole, a library's as far as they must be."""

from __future__ import annotations

import contextlib
import functools
import types

from autograder.criteria.purity import trusted
from autograder.criteria.purity.state import undo
from autograder.criteria.purity.state.reading import instance_dict, members, slots
from autograder.criteria.purity.state.walk import Walk
from autograder.criteria.purity.values import is_array, is_tracer, leaf_token

# A figure leads to the notebook's front end and from there to event loops, which other threads run:
# what these change meanwhile is nobody's impurity, and putting it back would break them.
_FRONT_END = """
    IPython ipykernel ipywidgets comm jupyter_client traitlets zmq tornado asyncio _asyncio
    selectors concurrent socket matplotlib mpl_toolkits matplotlib_inline PIL pytest _pytest rich
"""
_MACHINERY = frozenset(_FRONT_END.split())


def instance(walk: Walk, path: str, value: object, kind: str, depth: int) -> None:
    real = type(value)
    if is_array(value):
        return
    if walk.student.owns_type(real):
        walk.token(path, ("object", real.__qualname__), kind)
        walk.into(f"<class {real.__qualname__}>", real, "class", depth)
        attributes(walk, path, value, "instance", depth)
        if any("__dict__" in members(c) for c in real.__mro__ if walk.student.owns_type(c)):
            for i, held in enumerate(trusted.referents(value)):
                if held is not real:
                    walk.into(f"{path}.<held {i}>", held, "instance", depth)
        return
    home = (real.__module__ or "").split(".")[0]
    if home in _MACHINERY:
        walk.token(path, ("library object", real.__qualname__), kind)
    elif home in ("jax", "jaxlib", "numpy", "optax", "logging", "re", "typing"):
        walk.token(path, ("library object", real.__qualname__), kind)
        _library(walk, path, value, depth)
    else:
        walk.token(path, ("object", real.__qualname__), kind)
        attributes(walk, path, value, "instance", depth)


def _library(walk: Walk, path: str, value: object, depth: int) -> None:
    """A jitted function, custom_vjp, ...: what it holds of the student's."""
    inner = getattr(value, "__wrapped__", None)
    if inner is not None:
        walk.into(f"{path}.__wrapped__", inner, "global", depth)
    found = instance_dict(value) or {}
    callable_too = callable(value)
    for name, item in list(found.items()):
        public = callable_too and not name.startswith("_")
        mine = public and (leaf_token(item) is not None or type(item) in (dict, list, set))
        if mine or type(item) is types.FunctionType or is_tracer(item):
            walk.into(f"{path}.{name}", item, "function attribute", depth)
    if callable_too and inner is not None:
        walk.on_undo(undo.of_dict(found))


def attributes(walk: Walk, path: str, value: object, kind: str, depth: int) -> None:
    """What any object holds in its `__dict__` and its slots."""
    found = instance_dict(value)
    if found:
        for name, item in list(found.items()):
            if name != "__wrapped__":
                walk.shot.homes[f"{path}.{name}"] = (value, name)
                walk.into(f"{path}.{name}", item, kind, depth)
    if found is not None:
        walk.on_undo(undo.of_dict(found))
    for name, slot in slots(type(value)):
        with contextlib.suppress(AttributeError):
            item = slot.__get__(value)
            walk.into(f"{path}.{name}", item, kind, depth)
            walk.on_undo(lambda s=slot, i=item: s.__set__(value, i))


def a_class(walk: Walk, path: str, value: type, depth: int) -> None:
    walk.token(path, ("class", type.__dict__["__qualname__"].__get__(value)), "class")  # type: ignore[attr-defined]
    if not walk.student.owns_type(value):
        return
    walk.on_undo(undo.of_class(value))
    for name, item in members(value).items():
        if issubclass(type(item), (staticmethod, classmethod)):
            item = item.__func__  # type: ignore[attr-defined]
        elif type(item) is property:
            item = (item.fget, item.fset)
        elif type(item) is functools.cached_property:
            item = item.func
        elif type(item) in (types.MemberDescriptorType, types.GetSetDescriptorType):
            continue
        walk.into(f"{path}.{name}", item, "class", depth)
    for base in value.__mro__[1:-1]:
        if walk.student.owns_type(base):
            walk.into(f"{path}.<base {base.__qualname__}>", base, "class", depth)
