"""All teaching text of the engine: what happened, why JIT cares, the smallest repair.

Each JAX error that the lessons provoke has an entry in `JAX_ERRORS`: the rule's name, and the
explanation shown under JAX's own first line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

# --- outputs ------------------------------------------------------------------------------------

WRONG_VALUE = "{place} is {got}, expected {expected} ({wrong} of {size} values differ).{hint}"
WRONG_SHAPE = "{name} has shape {got}, expected {expected}."
WRONG_DTYPE = "{name} is {got}, expected {expected}. Keep the inputs' dtype all the way through."
WRONG_STRUCTURE = (
    "{call} returns {got}, expected {expected}. Return the same pieces in the same order as the "
    "code you were given."
)
NAN_HINT = (
    " NaN usually comes from 0/0, log(0) or inf - inf; under jit both branches of `jnp.where` "
    "are computed, so keep bad inputs out of each branch before it is computed."
)
ORDER_HINT = " All values are there, but in another order."
SIGN_HINT = " The sign is wrong everywhere."

# --- what was handed in -------------------------------------------------------------------------

MISSING_FUNCTION = (
    "There is no function `{name}`. Define it under exactly this name (spelling and case count), "
    "run its cell, then run the check again."
)
MISSPELT_FUNCTION = (
    "There is no function `{name}`, but there is `{near}`. Rename it to `{name}`, run its cell, "
    "then run the check again."
)
NOT_CALLABLE = (
    "`{name}` is {kind}, not a function. Run the cell that defines the function `{name}` again."
)
WRONG_SIGNATURE = (
    "`{name}{signature}` cannot be called as {call}: {problem}. Keep the arguments of the code you "
    "were given: their number and their order."
)
CELL_FAILED = "The cell before the check failed with {error}. Mend it first; its line is shown."
UNREADABLE_NOTEBOOK = (
    "{path} cannot be read as a notebook: {problem}. Open it in JupyterLab and save it again, or "
    "take a fresh copy of the exercise and paste your solution into it."
)
NO_KIT_CELLS = (
    "{path} has no cell for exercise {exercise!r}. Take a fresh copy of the exercise and paste "
    "your solution into it."
)

# --- programs -----------------------------------------------------------------------------------

PROGRAM_RULES = {
    "effects": (
        "The compiled program has side effects ({detail}), such as `jax.debug.print`. A graded "
        "function only computes its results: remove the printing once you are done looking."
    ),
    "callback": (
        "The function calls back into Python while it runs ({detail}). A callback stops the "
        "compiled program at every call; express the computation with jax.numpy instead."
    ),
    "not-an-array": (
        "{detail}. A jitted function can only return arrays and containers (tuple, list, dict) of "
        "arrays."
    ),
    "trace-timeout": (
        "{detail}. A Python loop over many iterations is unrolled while tracing: use "
        "`lax.fori_loop`, `lax.while_loop` or `lax.scan`."
    ),
    "too-large": (
        "The compiled program is too large ({detail}). A Python loop was probably unrolled: use "
        "`lax.fori_loop` or `lax.scan`; pass large arrays as arguments."
    ),
    "run-timeout": (
        "The compiled program ran longer than {detail}. Does a `lax.while_loop` ever stop? Give "
        "it an iteration limit."
    ),
    "no-export": "There is no program for one of the calls.",
    "run-failed": (
        "The compiled program cannot be run ({detail}). Does it make arrays far larger than its "
        "inputs?"
    ),
    "judge-died": (
        "The compiled program brought down the process that ran it ({detail}), most often by "
        "asking for too much memory."
    ),
    "foreign": "The program holds what no exported JAX function does ({detail}).",
    "custom-call": "The compiled program calls {detail}, which is not part of JAX's own library.",
    "unreadable-program": "The exported program cannot be read back ({detail}).",
    "other-inputs": (
        "The program takes other inputs than the exercise's ({detail}). Keep the arguments of the "
        "code you were given."
    ),
}

DISAGREES = (
    "{call}: called in the notebook it returns {got}, but its compiled program returns {want}. "
    "The function depends on something besides its arguments, or does not run as one compiled "
    "function."
)
DIFFERS = (
    "Traced again in another Python process, the function gives another program: "
    "`{operation}` differs. Something from outside was baked in while tracing: a random number, "
    "the time, an id, the order of a set. Pass it in as an argument; sort what has no order."
)
DIFFERS_ALTOGETHER = (
    "In another Python process the function can be traced with some inputs and not with others. "
    "It depends on something besides its arguments: pass that in as an argument."
)
NOT_JITTED = (
    "Part of the work ({names}) is done outside of any jitted function: each operation there is "
    "compiled and started by itself. Put all of it inside one function under `jax.jit`."
)
UNROLLED = (
    "A Python loop is unrolled: from {few} to {many} iterations the program grows from {sizes} "
    "operations. Compiling then takes ever longer. Write the loop as `lax.scan` or "
    "`lax.fori_loop`, whose program does not grow."
)

# --- speed --------------------------------------------------------------------------------------

CPU_SPEED = (
    "On this CPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), "
    "per iteration. For information: the points are given on a GPU, for {threshold:g} times."
)
CPU_SPEED_UNKNOWN = (
    "On this CPU the speed cannot be told: {reason} For information: the points are given on a "
    "GPU, for {threshold:g} times the baseline's speed."
)

# --- JAX's errors -------------------------------------------------------------------------------

JAX_ERRORS: dict[str, tuple[str, str]] = {
    "TracerBoolConversionError": (
        "python-branch",
        "Python's `if`, `while`, `and`, `or` or `not` needs a plain True or False, but under jit "
        "this value is a tracer: it stands for every possible value. Mend it in one of two ways: "
        "make the argument static (`static_argnames`; one compilation per value), or keep it "
        "traced and choose with `jnp.where` or `lax.cond` (one compilation for all values).",
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
        "from `x.shape`, make the argument static, or index with `jnp.take` / "
        "`lax.dynamic_slice`.",
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

JAX_PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        r"Non-hashable static arguments|unhashable",
        "non-hashable-static",
        "A static argument becomes part of the compiled program's key, so it must be hashable: "
        "integers, strings, tuples. An array or a list cannot be static; leave it traced and make "
        "only the setting static.",
    ),
    (
        r"Shapes must be 1D sequences of concrete values|must be static integers|must have static",
        "traced-shape",
        "A shape or a slice was computed with traced values, and sizes must be "
        "known when compiling. `x.shape` is made of plain integers: compute with `math.prod`, "
        "NumPy or `x.size`, or write -1 and let reshape find out.",
    ),
    (
        r"not a valid JAX type|Error interpreting argument",
        "not-a-jax-type",
        "jit only takes arrays and pytrees of arrays. Register the class as a pytree, use a "
        "NamedTuple, or make the argument static if it is a setting such as a string.",
    ),
    (
        r"(carry|body).*(must have equal types|pytree structure|same type)",
        "carry-type",
        "The carry that leaves the loop body must have exactly the structure, shapes and dtypes "
        "of the one that enters. Start with strong dtypes (`jnp.float32(0)`, `jnp.zeros`) and "
        "return what you received.",
    ),
    (
        r"must be a pair|body output must be",
        "scan-pair",
        "The function given to `lax.scan` must return a pair: the new carry, and what to record "
        "at this step (or None).",
    ),
    (
        r"mutable argument|does not support item assignment|JAX arrays are immutable",
        "immutable-array",
        "JAX arrays cannot be changed in place. `x.at[i].set(v)` gives a new array; under jit it "
        "costs no copy.",
    ),
    (
        r"has been deleted",
        "donated",
        "The array was donated to an earlier call, which took its memory over. Use the returned "
        "array instead, or do not donate.",
    ),
    (
        r"can't set attribute|cannot assign to field|FrozenInstanceError",
        "immutable-container",
        "This container cannot be changed. Make a new one: `state._replace(M=...)` for a "
        "NamedTuple, `dataclasses.replace(state, M=...)` for a frozen dataclass.",
    ),
)

PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."


def explain_error(error: BaseException) -> tuple[str, str]:
    """A rule and a teaching text for an exception raised by a student's function.

    The text begins with the error's own first line, as the student sees it in the notebook.
    """
    first = f"{type(error).__name__}: {_first_line(str(error))}"
    for cls in type(error).__mro__:
        if cls.__name__ in JAX_ERRORS:
            rule, text = JAX_ERRORS[cls.__name__]
            return rule, f"{first}\n{text}"
    for pattern, rule, text in JAX_PATTERNS:
        if re.search(pattern, str(error), re.DOTALL):
            return rule, f"{first}\n{text}"
    return "error", f"{first}\n{PLAIN_ERROR}"


def _first_line(text: str) -> str:
    line = text.strip().split("\n")[0]
    return line if len(line) <= 300 else line[:297] + "..."


# --- how values are written ---------------------------------------------------------------------


def number(value: Any) -> str:
    """A number as a reader wants it: floats with six digits, the rest as they are."""
    return f"{value:.6g}" if np.issubdtype(np.asarray(value).dtype, np.floating) else str(value)


def array_text(value: Any) -> str:
    """An array in a call: the literal when it is tiny, else dtype and shape."""
    if value.size <= 4:
        return f"jnp.array({np.asarray(value).tolist()})"
    return f"{value.dtype}[{','.join(map(str, value.shape))}]"


def brief(value: np.ndarray) -> str:
    """An array of results in a sentence: the literal when tiny, else its first value."""
    if value.size <= 4:
        return str(value.tolist())
    return f"{value.dtype}[{','.join(map(str, value.shape))}] beginning {number(value.flat[0])}"


def call_text(name: str, args: Sequence[Any]) -> str:
    """The call as the student would type it."""
    return f"{name}({', '.join(_argument(a) for a in args)})"


def _argument(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k!r}: {_argument(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(_argument(v) for v in value) + (",)" if len(value) == 1 else ")")
    return array_text(value) if hasattr(value, "shape") else repr(value)


def structure(names: Sequence[str]) -> str:
    """What a function returned, in words."""
    if list(names) == [""]:
        return "one array"
    shown = ", ".join(f"result{n}" for n in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"arrays at {shown}{more}" if names else "nothing"


def value_hint(got: np.ndarray, exact: np.ndarray) -> str:
    """The usual cause of a wrong result, when it can be told from the values."""
    if not np.issubdtype(got.dtype, np.floating):
        return ""
    if np.isnan(got).any() and not np.isnan(exact).any():
        return NAN_HINT
    if got.size > 1 and np.allclose(np.sort(got, axis=None), np.sort(exact, axis=None), rtol=1e-4):
        return ORDER_HINT
    if np.allclose(got, -exact, rtol=1e-4, atol=0) and np.any(exact != 0):
        return SIGN_HINT
    return ""
