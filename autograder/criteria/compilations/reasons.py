"""Explains why a program was compiled: compares how its function was traced before and now."""

from __future__ import annotations

import linecache

from autograder.core.student_code import Line
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.watch import Compilation, Trace

# The names of JAX's loops and branches when they are compiled by themselves.
_NAMELESS = "<unknown>"
"""The name of a wrapper that JAX makes around one operation outside of jit, such as `shard_map`."""
_LOOPS = {"scan", "while", "while_loop", "cond", "switch", "fori_loop", "map", "associative_scan"}


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


def _where(compilation: Compilation) -> str:
    line = _def_line(compilation.file, compilation.def_line)
    return f"`{compilation.name}`" + (f" (line {line})" if line else "")


def _changed_leaves(old: dict[str, tuple], new: dict[str, tuple]) -> list[str]:
    """Return the names of the leaves that differ, those that are gone last."""
    return [name for name in {**new, **old} if old.get(name) != new.get(name)]


def _spell_leaf(leaf: tuple | None) -> str:
    """Write a leaf as a student would name it."""
    if leaf is None:
        return "absent"
    kind, *rest = leaf
    if kind == "array":
        weak = " from a Python scalar (weak type)" if rest[2] else ""
        return f"{rest[0]}[{','.join(map(str, rest[1]))}]{weak}"
    if kind == "constant":
        return f"the fixed array {rest[0]}[{','.join(map(str, rest[1]))}]"
    if kind in ("static", "field"):
        return f"the static value {rest[0]}"
    if kind == "function":
        return f"the function `{rest[0]}`"
    if kind == "empty":
        return "None" if rest[0] == "None" else f"an empty {rest[0]}"
    return f"an object of class {rest[0]}"


_FIXES = {
    "static": messages.STATIC,
    "field": messages.STATIC_FIELD,
    "function": messages.FUNCTION,
    "object": messages.OBJECT,
    "comparable": messages.UNEQUAL,
}


def _find_fix(old: tuple | None, new: tuple | None, name: str) -> str:
    if name.endswith("(closed over)"):
        return messages.CLOSURE
    if old is None or new is None or old[0] != new[0]:
        return messages.STRUCTURE
    if old[0] != "array":
        return _FIXES.get(old[0], messages.STRUCTURE)
    if old[2] != new[2]:
        return messages.SHAPE
    return messages.DTYPE if old[1] != new[1] else messages.WEAK


def _spell_change(name: str, old: tuple | None, new: tuple | None) -> str:
    was, now = _spell_leaf(old), _spell_leaf(new)
    if was == now:  # two objects of one class
        now = "another one"
    return messages.CHANGE.format(name=name.removesuffix(" (closed over)"), old=was, new=now)


def _find_closest(trace: Trace, earlier: list[Compilation]) -> Compilation:
    """Return the earlier compilation whose signature differs least, the latest of several."""
    known = [c for c in earlier if c.trace is not None]
    return min(
        reversed(known),
        key=lambda c: len(_changed_leaves(c.trace.signature, trace.signature)),  # type: ignore[union-attr]
    )


def _is_made_anew(before: Trace, trace: Trace, name: str) -> bool:
    """Check whether a closed-over variable differs only because each call makes a new object."""
    leaves = before.signature.get(name), trace.signature.get(name)
    kinds = {leaf[0] for leaf in leaves if leaf}
    return name.endswith("(closed over)") and kinds <= {"object", "comparable", "function"}


def _explain_one(compilation: Compilation, earlier: list[Compilation]) -> str:
    where = _where(compilation)
    trace = compilation.trace
    if not earlier:
        return messages.FIRST.format(where=where)
    if compilation.transformed and trace is None:
        return messages.TRANSFORM.format(where=where)
    if compilation.clears > earlier[-1].clears:
        return messages.CLEARED.format(where=where)
    for name, now in compilation.options.items():
        if earlier[-1].options[name] != now:
            old = earlier[-1].options[name]
            return messages.OPTION.format(where=where, name=name, old=old, new=now)
    before = earlier[-1]
    if trace is not None and any(c.trace is not None for c in earlier):
        before = _find_closest(trace, earlier)
        changed = _explain_signature(compilation, before, where)
        if changed:
            return changed
    return _explain_key(compilation, before, where)


def _explain_signature(compilation: Compilation, before: Compilation, where: str) -> str:
    """Say which argument differs; empty if none does."""
    old_trace, trace = before.trace, compilation.trace
    assert old_trace is not None and trace is not None
    names = _changed_leaves(old_trace.signature, trace.signature)
    in_loop = compilation.operation in _LOOPS
    if not names or (in_loop and all(_is_made_anew(old_trace, trace, name) for name in names)):
        return ""
    old, new = old_trace.signature.get(names[0]), trace.signature.get(names[0])
    change = _spell_change(names[0], old, new)
    if len(names) > 1:
        more = messages.MORE_CHANGES.format(count=len(names) - 1)
        change = join_texts("", (change, more))
    repair = _find_fix(old, new, names[0])
    return messages.AGAIN.format(where=where, change=change, repair=repair)


def _explain_key(compilation: Compilation, before: Compilation, where: str) -> str:
    """Say what else in jit's key was seen to differ; where nothing was, say that."""
    if compilation.by_hand:
        return messages.BY_HAND.format(where=where)
    if compilation.operation in _LOOPS and compilation.handed:
        known = set(map(id, before.handed))
        if not known.issuperset(map(id, compilation.handed)):
            return messages.EAGER_LOOP.format(where=where, operation=compilation.operation)
    old, new = before.key, compilation.key
    if old is None or new is None:
        return messages.UNKNOWN.format(where=where)
    if old.identity != new.identity:
        nested = compilation.trace is not None and compilation.trace.nested
        made = messages.NEW_FUNCTION if nested else messages.NEW_WRAPPER
        return made.format(where=where)
    if (old.positional, old.keywords) != (new.positional, new.keywords):
        return _explain_call_form(compilation, before, where)
    if old.placements != new.placements:
        return messages.PLACEMENT.format(where=where)
    for name, now in new.options.items():
        if old.options[name] != now:
            was = old.options[name]
            return messages.JIT_OPTION.format(where=where, name=name, old=was, new=now)
    return messages.UNKNOWN.format(where=where)


def _explain_call_form(compilation: Compilation, before: Compilation, where: str) -> str:
    lines = before.line, compilation.line
    if None in lines or lines[0] == lines[1]:
        return messages.CALL_FORM.format(where=where, lines="")
    now = messages.CALL_LINES.format(before=lines[0], now=lines[1])
    return messages.CALL_FORM.format(where=where, lines=now)


def explain(compilations: list[Compilation]) -> list[str]:
    """Return one sentence for each compilation, in order; an empty one for library operations."""
    earlier: dict[tuple, list[Compilation]] = {}
    sentences = []
    for compilation in compilations:
        if not compilation.own or compilation.name == _NAMELESS:
            sentences.append("")
            continue
        known = earlier.setdefault((compilation.file, compilation.def_line, compilation.name), [])
        sentences.append(_explain_one(compilation, known))
        known.append(compilation)
    return sentences
