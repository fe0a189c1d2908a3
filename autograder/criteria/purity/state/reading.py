"""What objects and classes really hold, past any `__getattribute__`, property or `__class__`."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Iterator

_CLASS_MACHINERY = """
    __weakref__ __doc__ __module__ __annotations__ __abstractmethods__ _abc_impl
    __dataclass_params__ __dataclass_fields__ __match_args__ __parameters__ __orig_bases__
    __annotate__ __annotate_func__ __annotations_cache__ __firstlineno__ __static_attributes__
    __qualname__ __slots__
"""
_SKIP_MEMBERS = frozenset(_CLASS_MACHINERY.split())


def class_dict(cls: type) -> types.MappingProxyType[str, object]:
    return type.__dict__["__dict__"].__get__(cls)  # type: ignore[attr-defined]


def instance_dict(value: object) -> dict | None:
    """The real `__dict__` of an object, past any `__getattribute__` or property."""
    for cls in type(value).__mro__:
        slot = class_dict(cls).get("__dict__")
        if type(slot) is types.GetSetDescriptorType:
            found = slot.__get__(value)
            return found if issubclass(type(found), dict) else None
    with contextlib.suppress(Exception):
        found = object.__getattribute__(value, "__dict__")
        return found if type(found) is dict else None
    return None


def members(cls: type) -> dict[str, object]:
    """What a class itself defines, without what Python adds."""
    return {
        k: v
        for k, v in class_dict(cls).items()
        if k not in _SKIP_MEMBERS and type(v) is not types.GetSetDescriptorType
    }


def slots(cls: type) -> Iterator[tuple[str, types.MemberDescriptorType]]:
    for base in cls.__mro__:
        if type(base.__dict__.get("__slots__")) in (tuple, list, str):
            for name, slot in base.__dict__.items():
                if type(slot) is types.MemberDescriptorType:
                    yield name, slot
