"""Says why a program was compiled: in which parts its key differs from the nearest earlier one."""

from __future__ import annotations

import functools
import linecache
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType
from typing import Any

import jax
import numpy as np

from autograder.core.student_code import Line
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.key import Part, is_installed, is_jaxs, is_plain, library_of
from autograder.criteria.compilations.watch import Compilation

Change = tuple[Part | None, Part | None]
"""A part of the key, before and now; None where it has no such part."""


@dataclass(frozen=True)
class Cause:
    """Why a program was compiled: the name of the fix, and a sentence; empty for a library's."""

    fix: str = ""
    text: str = ""


def _def_line(file: str, line: int | None) -> int | None:
    """Return the line of the `def`; to Python, a function begins at its first decorator."""
    if line is None:
        return None
    for offset in range(20):
        text = linecache.getline(file, line + offset).strip()
        if text.startswith(("def ", "async def ")):
            return Line(line + offset, file)
        if not text or not (text.startswith(("@", "#")) or offset):
            break
    return Line(line, file)


def blamed_line(compilation: Compilation) -> int | None:
    """Return the student's line that caused a compilation, else where the function is defined."""
    return compilation.line or _def_line(compilation.file, compilation.def_line)


def explain(compilations: Sequence[Compilation]) -> list[Cause]:
    """Return the cause of each compilation, in order; an empty one for library operations."""
    earlier: dict[tuple, list[Compilation]] = {}
    causes = []
    for compilation in compilations:
        if not compilation.own or not compilation.name:
            causes.append(Cause())
            continue
        known = earlier.setdefault((compilation.file, compilation.def_line, compilation.name), [])
        causes.append(_explain_one(compilation, known))
        known.append(compilation)
    return causes


def _explain_one(compilation: Compilation, earlier: Sequence[Compilation]) -> Cause:
    is_library = is_installed(compilation.file)
    line = None if is_library else _def_line(compilation.file, compilation.def_line)
    where = f"`{compilation.name}`" + (f" (line {line})" if line else "")
    if not earlier:
        return Cause("FIRST", messages.FIRST.format(where=where))
    found = [(known, _differing(known, compilation)) for known in reversed(earlier)]
    before, differing = min(found, key=lambda one: len(one[1]))
    changes = [
        (before.key.parts.get(at), compilation.key.parts.get(at))
        for at in differing
        if not _is_inside(at, differing)
    ]
    if not changes:
        return Cause("UNKNOWN", messages.CAUSES["UNKNOWN"].format(where=where))
    (old, new), *others = changes
    fix, (old, new), more = _find_fix(old, new)
    others = [*more, *others]
    if fix in messages.CAUSES:
        lines = before.line, compilation.line
        moved = fix == "FORM" and None not in lines and lines[0] != lines[1]
        at = messages.CALL_LINES.format(before=lines[0], now=lines[1]) if moved else ""
        text = messages.CAUSES[fix].format(
            where=where,
            seen="" if others else messages.SEEN,
            lines=at,
            name=_name(old, new),
            old=old.text if old else "",
            new=new.text if new else "",
            operation=compilation.key.operation,
        )
        return Cause(fix, text)
    change = _spell_change(fix, old, new)
    if others:
        change = join_texts("", (change, messages.MORE_CHANGES.format(count=len(others))))
    repair = messages.REPAIRS[fix]
    return Cause(fix, messages.AGAIN.format(where=where, change=change, repair=repair))


def _differing(before: Compilation, compilation: Compilation) -> list[object]:
    """Return which parts of two keys differ."""
    old, new = before.key.parts, compilation.key.parts
    return [at for at in {**new, **old} if at not in new or new[at].differs(old.get(at))]


def _is_inside(at: object, others: Sequence[object]) -> bool:
    """Whether a part lies inside of one that has another structure."""
    while isinstance(at, tuple):
        at = at[0]
        if at in others:
            return True
    return False


def _name(old: Part | None, new: Part | None) -> str:
    part = new or old
    return part.name if part else ""


def _find_fix(old: Part | None, new: Part | None) -> tuple[str, Change, list[Change]]:
    """Return the fix of a difference, the innermost part that differs, and the other such parts."""
    kind = (new or old).kind  # type: ignore[union-attr]
    if old is None or new is None or old.kind != new.kind:
        return "PLACEMENT" if kind == "placement" else "STRUCTURE", (old, new), []
    if kind == "array":
        at = next(i for i in (1, 0, 2) if old.value[i] != new.value[i])
        return ("DTYPE", "SHAPE", "WEAK")[at], (old, new), []
    if kind == "function":
        closed = [pair for pair in _inner_changes(old, new) if pair[1] and is_plain(pair[1].value)]
        if closed:
            return "CLOSURE", closed[0], closed[1:]
        inner = isinstance(new.value, FunctionType) and "<locals>" in new.value.__code__.co_qualname
        is_own = not hasattr(new.value, "__wrapped__") and not library_of(new.value)
        return "NEW_FUNCTION" if inner and is_own else "NEW_WRAPPER", (old, new), []
    if kind not in ("static", "field"):
        return kind.upper(), (old, new), []
    found = list(_narrow(old, new))
    if len(found) > 1 and all(_is_function(n.value) for _, n in found):
        return "MADE_ANEW", (old, new), []
    (was, now), *more = found
    return _fix_of_static(new, was, now), (was, now), [*more]


def _inner_changes(old: Part, new: Part) -> list[Change]:
    """Return the parts inside of two static values that differ."""
    known = {part.name: part for part in old.inner}
    return [
        (known[part.name], part)
        for part in new.inner
        if part.name in known and part.differs(known[part.name])
    ]


def _narrow(old: Part, new: Part) -> Iterator[tuple[Part, Part]]:
    """Yield the innermost parts in which two static values differ, where their parts decide."""
    by_parts = type(new.value).__eq__ is not object.__eq__ and not _is_function(new.value)
    inner = _inner_changes(old, new) if type(old.value) is type(new.value) else []
    is_shown = is_plain(new.value) and old.text != new.text
    if inner and by_parts and not is_shown:
        for was, now in inner:
            assert was is not None and now is not None
            yield from _narrow(was, now)
    else:
        yield old, new


def _is_function(value: Any) -> bool:
    kinds = FunctionType | BuiltinFunctionType | functools.partial
    return isinstance(value, kinds) or hasattr(value, "__wrapped__")


def _fix_of_static(whole: Part, old: Part, new: Part) -> str:
    if new.text == old.text == "the static value nan":
        return "NAN"
    if isinstance(new.value, jax.Array | np.ndarray):
        return "STATIC_ARRAY"
    if is_plain(new.value) or type(old.value) is not type(new.value):
        in_object = new is not whole and not isinstance(whole.value, tuple)
        return "STATIC_FIELD" if whole.kind == "field" else "UNEQUAL" if in_object else "STATIC"
    if _is_function(new.value):
        return "FUNCTION"
    if is_jaxs(new.value):
        return "LIBRARY_OBJECT"
    return "OBJECT" if type(new.value).__eq__ is object.__eq__ else "UNEQUAL"


def _spell_change(fix: str, old: Part | None, new: Part | None) -> str:
    absent = messages.NOT_PLACED if fix == "PLACEMENT" else messages.ABSENT
    was, now = (part.text if part else absent for part in (old, new))
    if fix == "MADE_ANEW":
        assert new is not None
        names = [part.name.removeprefix(new.name).lstrip(".") for part in new.inner]
        now = messages.WITH_NEW_FUNCTIONS.format(names=", ".join(f"`{name}`" for name in names))
    elif was == now:  # two objects of one class
        now = "another one"
    return messages.CHANGE.format(name=_name(old, new), old=was, new=now)
