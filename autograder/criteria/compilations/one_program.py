"""Is a function one jitted program? Told from the equations at the top of its jaxpr.

Being a `jit` equation is not enough: `jnp.where` is one itself. The jitted function must come
from the student's file.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from autograder.core.jaxprs import source_of, student_line_of

# Moving data compiles nothing.
_MOVES = {"device_put", "copy", "copy_p"}


@dataclass(frozen=True)
class TopEquation:
    """An equation at the top level of a jaxpr: its operation and the student's line, if any."""

    name: str
    line: int | None


def _name(eqn: Any) -> str:
    return str(eqn.params.get("name") or eqn.primitive.name)


def _is_program(eqn: Any, files: Collection[str], made: Collection[str]) -> bool:
    if eqn.primitive.name not in ("jit", "pjit"):
        return False
    name, file, _ = source_of(eqn.params["jaxpr"].jaxpr)
    return file in files or not file or name in made


def own_programs(
    jaxpr: Any, files: Collection[str], made: Collection[str] = ()
) -> list[TopEquation]:
    """Equations at the top of `jaxpr` that run a program the student jitted.

    Args:
        jaxpr: of the function, as from ``jax.make_jaxpr(f)(*args).jaxpr``.
        files: file names of the student's code (`autograder.core.student_code.student_files`).
        made: names of library functions that the student gave to `jax.jit`.
    """
    return [
        TopEquation(_name(eqn), student_line_of(eqn, files))
        for eqn in jaxpr.eqns
        if _is_program(eqn, files, made)
    ]


def eager_equations(
    jaxpr: Any, files: Collection[str], made: Collection[str] = ()
) -> list[TopEquation]:
    """Equations at the top of `jaxpr` that the student's code runs outside its own programs.

    Equations which no line of the student's led to (a rubric's adapter) are left out, unless the
    student has no program at all. Arguments as for `own_programs`.
    """
    exempt = bool(own_programs(jaxpr, files, made))
    eager = []
    for eqn in jaxpr.eqns:
        if eqn.primitive.name in _MOVES or _is_program(eqn, files, made):
            continue
        line = student_line_of(eqn, files)
        if line is not None or not exempt:
            eager.append(TopEquation(_name(eqn), line))
    return eager
