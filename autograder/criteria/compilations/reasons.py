"""Why a program was compiled, told by comparing how its function was traced before and now."""

from __future__ import annotations

import linecache

from autograder.core.student_code import Line
from autograder.core.templates import join_texts
from autograder.criteria.compilations import messages
from autograder.criteria.compilations.records import Compilation, Trace
from autograder.criteria.compilations.signatures import changes, spelled

# What a structure of JAX is called when it is compiled by itself.
_LOOPS = {"scan", "while", "while_loop", "cond", "switch", "fori_loop", "map", "associative_scan"}


def def_line(file: str, line: int | None) -> int | None:
    """The line of the `def`: Python counts a decorated function from its first decorator."""
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
    """The student's line that set off a compilation, else where the function is defined."""
    return compilation.line or def_line(compilation.file, compilation.def_line)


def _where(compilation: Compilation) -> str:
    line = def_line(compilation.file, compilation.def_line)
    return f"`{compilation.name}`" + (f" (line {line})" if line else "")


def _repair(old: tuple | None, new: tuple | None, name: str) -> str:
    if name.endswith("(closed over)"):
        return messages.CLOSURE
    kinds = {leaf[0] for leaf in (old, new) if leaf}
    if old is None or new is None or len(kinds) > 1:
        return messages.STRUCTURE
    kind = kinds.pop()
    if kind == "array":
        if old[2] != new[2]:
            return messages.SHAPE
        return messages.DTYPE if old[1] != new[1] else messages.WEAK
    if kind == "static":
        return messages.STATIC
    if kind == "function":
        return messages.FUNCTION
    return messages.OBJECT if kind == "object" else messages.STRUCTURE


def _spell_change(name: str, old: tuple | None, new: tuple | None) -> str:
    was, now = spelled(old), spelled(new)
    if was == now:  # two objects told apart by identity only
        now = "another one"
    return messages.CHANGE.format(name=name.removesuffix(" (closed over)"), old=was, new=now)


def _closest(trace: Trace, earlier: list[Compilation]) -> Compilation:
    """The earlier compilation whose signature differs least, the latest of these."""
    known = [c for c in earlier if c.trace is not None]
    return min(
        reversed(known),
        key=lambda c: len(changes(c.trace.signature, trace.signature)),  # type: ignore[union-attr]
    )


def _made_anew(before: Trace, trace: Trace, name: str) -> bool:
    """Whether a variable closed over differs only because its object is made at each call."""
    leaves = before.signature.get(name), trace.signature.get(name)
    kinds = {leaf[0] for leaf in leaves if leaf}
    return name.endswith("(closed over)") and kinds <= {"object", "function"}


def _why(compilation: Compilation, earlier: list[Compilation]) -> str:
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
    if trace is None or all(c.trace is None for c in earlier):
        return messages.PLACEMENT.format(where=where)
    before = _closest(trace, earlier).trace
    assert before is not None
    names = changes(before.signature, trace.signature)
    in_loop = compilation.operation in _LOOPS
    if names and not (in_loop and all(_made_anew(before, trace, name) for name in names)):
        old, new = before.signature.get(names[0]), trace.signature.get(names[0])
        change = _spell_change(names[0], old, new)
        if len(names) > 1:
            more = messages.MORE_CHANGES.format(count=len(names) - 1)
            change = join_texts("", (change, more))
        repair = _repair(old, new, names[0])
        return messages.AGAIN.format(where=where, change=change, repair=repair)
    if in_loop:
        return messages.EAGER_LOOP.format(where=where, operation=compilation.operation)
    if trace.nested:
        return messages.NEW_FUNCTION.format(where=where)
    if before.caller != trace.caller:
        return messages.CALL_FORM.format(where=where, before=before.caller, now=trace.caller)
    return messages.NEW_WRAPPER.format(where=where)


def explain(compilations: list[Compilation]) -> list[str]:
    """One sentence for each compilation, in order; library operations get an empty one."""
    earlier: dict[tuple, list[Compilation]] = {}
    sentences = []
    for compilation in compilations:
        if not compilation.own:
            sentences.append("")
            continue
        known = earlier.setdefault((compilation.file, compilation.def_line, compilation.name), [])
        sentences.append(_why(compilation, known))
        known.append(compilation)
    return sentences
