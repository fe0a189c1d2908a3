"""JAX's own errors explained: each error that the lessons provoke has a rule and a text.

The text is shown under JAX's own first line.
"""

from __future__ import annotations

import re

from autograder.core.jax_patterns import JAX_PATTERNS, PRECISE_PATTERNS
from autograder.core.text import templates

JAX_ERRORS: dict[str, tuple[str, str]] = {
    "TracerBoolConversionError": (
        "python-branch",
        "Python's `if`, `while`, `and`, `or` or `not` needs a plain True or False, but under jit "
        "this value is a tracer: it stands for every possible value. Mend it in one of two ways: "
        "make the argument static (`static_argnames`; one compilation per value), or keep it "
        "traced and choose with `jnp.where` or `lax.cond` (one compilation for all values). A "
        "`while` on data becomes `lax.while_loop`; join conditions with `&`, `|` and `~`.",
    ),
    "ConcretizationTypeError": (
        "concrete-value",
        "A plain Python number is needed here, but under jit this value is a tracer that stands "
        "for every possible value. If it is a setting, make the argument static; if it is a "
        "shape, take it from `x.shape`, which is always known.",
    ),
    "TracerIntegerConversionError": (
        "concrete-value",
        "An index or a size must be a plain Python integer here, but it is a tracer. Take sizes "
        "from `x.shape`, make the argument static, index an array with `jnp.take` / "
        "`lax.dynamic_slice`, or choose one of several functions with `lax.switch`.",
    ),
    "TracerArrayConversionError": (
        "numpy-on-tracer",
        "A NumPy function was applied to a traced value. NumPy computes at once and needs "
        "numbers; under jit there are none yet. Use `jax.numpy` (jnp) for data; keep NumPy for "
        "shapes.",
    ),
    "UnexpectedTracerError": (
        "leaked-tracer",
        "A tracer from an earlier trace was kept (in a global, a list, an attribute) and used "
        "again. Tracers are only valid while their function is traced: return the value instead "
        "of storing it.",
    ),
    "NonConcreteBooleanIndexError": (
        "boolean-index",
        "Indexing with a traced mask gives an array whose shape depends on values, and shapes "
        "must be known when compiling. Use `jnp.where(mask, x, 0)` and keep the shape.",
    ),
}

MAX_ERROR = 10_000
"""Characters of an error's text that are read."""

EXPLAINED = "{first}\n{text}"
PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."
CELL_ERROR = (
    "The cell fails with this error before anything is called. Restart the kernel and run all "
    "cells from the top: does it happen there, too?"
)

templates(globals())


def explain_error(error: BaseException, otherwise: str = PLAIN_ERROR) -> tuple[str, str]:
    """A rule and a teaching text for an exception raised by a student's function.

    Args:
        error: the exception.
        otherwise: what is said of an exception that is none of JAX's.

    The text begins with the error's own first line, as the student sees it in the notebook.
    """
    # Python puts the file's name and the line after what is wrong: here the line is shown.
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    first = f"{type(error).__name__}: {_first_line(said)}"
    whole = str(error)[:MAX_ERROR]
    for pattern, rule, text in PRECISE_PATTERNS:
        if re.search(pattern, whole):
            return rule, EXPLAINED.format(first=first, text=text)
    for cls in type(error).__mro__:
        if cls.__name__ in JAX_ERRORS:
            rule, text = JAX_ERRORS[cls.__name__]
            return rule, EXPLAINED.format(first=first, text=text)
    for pattern, rule, text in JAX_PATTERNS:
        if re.search(pattern, whole, re.DOTALL):
            return rule, EXPLAINED.format(first=first, text=text)
    return "error", EXPLAINED.format(first=first, text=otherwise)


def _first_line(text: str) -> str:
    line = text.strip().split("\n")[0]
    return line if len(line) <= 300 else line[:297] + "..."
