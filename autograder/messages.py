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
ZERO_HINT = (
    " It is zero everywhere: was something computed and not kept? `x.at[i].set(v)` leaves x as it "
    "is and returns a new array: `x = x.at[i].set(v)`. So do `_replace` and `replace`."
)

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
NOT_ANSWERS = (
    "`{name}` is {kind}, not a dictionary of answers. Run the cell that fills in `{name}` again."
)
WRONG_ANSWER = (
    "`{name}[{question!r}]` is {got!r}, and running the code shows something else. {think}"
)
LOOK_AGAIN = "Run the cell that shows it, compare, and find out which step you saw differently."
NO_ANSWER = "`{name}[{question!r}]` has no answer yet. A wrong guess costs nothing: write one."
NO_VALUE = "One of the calls returned nothing that can be compared: return arrays of numbers."
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

MISSING_CELL = (
    "The cell `{cell}` was missing and was put back. Your functions are graded wherever they are."
)
DOUBLED_CELL = "The cell `{cell}` was there more than once; it counts once."
MARKED_AGAIN = "The marks that nbgrader keeps in cell `{cell}` were changed; they were restored."

RENAMED = "The notebook was handed in as {found}; it was graded as {expected}."
SEVERAL_NOTEBOOKS = (
    "there is no {expected}, and several notebooks ({found}) could be meant: keep one of them"
)
NO_NOTEBOOK = "there is no {expected} among what was handed in"
LINKED_FOLDER = "the folder that was handed in is a symbolic link, and is not followed"
BAD_TIMESTAMP = "timestamp.txt holds {text!r}, which is no time: no lateness was counted"
OTHER_GRADER = (
    "another grader is at work in {course}. Wait until it is done, then run this again: what it "
    "has graded will not be graded twice."
)
NO_ASSIGNMENT = (
    "{course} has no assignment {assignment!r} of the kit: there is no "
    "source/{assignment}/{assignment}.ipynb. `autograder course` makes a course with all lessons."
)
NO_COURSE = "{course} is no course folder: `autograder course {course}` makes one."
NOTHING_HANDED_IN = "nobody has handed in {assignment!r}: submitted/*/{assignment} does not exist."
DISK_FULL = (
    "the disk that holds {course} is full ({error}). Make space, then run the same command again: "
    "what is graded is kept, and whoever was being recorded is recorded anew."
)
NO_GRADEBOOK = "the gradebook {url} cannot be used: {error}"
NO_DRIVER = (
    ". For PostgreSQL: pip install 'psycopg[binary]', and a URL that begins with "
    "postgresql+psycopg://"
)
OLD_SOURCE = (
    "{course}/source/{assignment} was made with another rubric: `{cell}` has {old:g} points there "
    "and {new:g} now. Run `autograder course {course} --refresh`, and in that folder `nbgrader "
    "generate_assignment {assignment} --force`: what was handed in then counts by the new points."
)
OLD_GRADEBOOK = (
    "the gradebook gives `{cell}` {old:g} points and the rubric {new:g}: run `nbgrader "
    "generate_assignment {assignment} --force` in {course} first."
)
NOT_IN_GRADEBOOK = (
    "the gradebook knows no assignment {assignment!r}: run `nbgrader generate_assignment "
    "{assignment}` in {course} first (with the same gradebook, where you name one)."
)
NOT_RECORDED = "nbgrader could not record it: {error}"
OTHER_KIT = (
    "{machine} has another version of the kit, of Python or of JAX than this machine: install the "
    "same on all"
)
WEAK_MACHINE = "--require-sandbox: the strongest sandbox does not work on {machine}"
GRADER_FAILED = "it could not be graded here: {error}"
RUN_GRADE = "run `autograder grade`"
NOTHING_GRADED = (
    "no submission of {assignment!r} has a result yet, or all have changed since, or the key, the "
    "rubric or the kit has: `autograder grade {course} {assignment}` makes them."
)
NEW_KEY = (
    "{course} has a new secret key. Nothing is lost, but results under the old key no longer "
    "count: run `autograder grade` for each assignment; marks given by hand stay. Programs in "
    "bundles must be timed again on a GPU."
)
KEY_STAYS = (
    "{course} has the secret key {name}, in {path}. `--rotate` makes a new one: after feedback has "
    "shown students what they were judged on, and before they may hand in again."
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
GPU_SPEED = (
    "On the GPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), per "
    "iteration; asked for are {threshold:g} times."
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

JAX_PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        r"ShapeDtypeStruct",
        "shapes-only",
        "This was given shapes and dtypes only (`jax.ShapeDtypeStruct`): there are no numbers to "
        "compute with. `function.lower(...)` takes them as they are; a call of the function, "
        "`jnp.asarray` and NumPy need arrays.",
    ),
    (
        r"unsupported format string passed to \w*Tracer",
        "format-of-tracer",
        "While jit traces, this value is a tracer: there is no number yet that could be formatted. "
        "Return the value, and print it outside of the jitted function, after the call.",
    ),
    (
        r"branch\w* (outputs )?must have",
        "branch-types",
        "Both branches are part of the program, and what follows must know what comes out of "
        "them: all branches must return the same structure, shapes and the same dtype. Convert "
        "with `.astype(x.dtype)`, write 0.0 instead of 0, and let each branch return something.",
    ),
    (
        r"arguments should be callable|branches should be callable",
        "branch-not-callable",
        "`lax.cond` and `lax.switch` take functions, and call the one that is chosen. A value "
        "becomes a function when you put `lambda:` before it; to choose between two values, "
        "`jnp.where(test, a, b)` is simpler.",
    ),
    (
        r"Pred must be a scalar|[Ii]ndex must be scalar|Index type must be an integer",
        "branch-test",
        "`lax.cond` chooses once, by one True or False, and `lax.switch` by one integer. To "
        "choose element by element, use `jnp.where(test, a, b)`; a number becomes an index with "
        "`.astype(jnp.int32)`.",
    ),
    (
        r"^unhashable type: '\w*Tracer'",
        "traced-key",
        "A dictionary or a set looks values up, and under jit this one is a tracer that stands "
        "for every possible value. Put the functions in a list and choose with `lax.switch`; "
        "choose between numbers with `jnp.where` or an array.",
    ),
    (
        r"Non-hashable static arguments|unhashable",
        "non-hashable-static",
        "A static argument becomes part of the compiled program's key, so it must be hashable: "
        "integers, strings, tuples. An array or a list cannot be static; leave it traced and make "
        "only the setting static.",
    ),
    (
        r"invalid argnames|has static_argnums=",
        "no-such-static",
        "jit was told to make an argument static that the function does not have: a name is spelt "
        'as in the `def` line, positions count from 0. Write `static_argnames="..."` with the name '
        "of the setting.",
    ),
    (
        r"cannot reshape array of shape",
        "wrong-size",
        "The number in `reshape` fits another array than this one. A compiled program is made anew "
        "for each shape, so take the number from the array at hand: `x.size`, "
        "`math.prod(x.shape)`, or -1.",
    ),
    (
        r"Shapes must be 1D sequences of concrete values|must be static integers|must have static",
        "traced-shape",
        "A shape or a slice was computed with traced values, and sizes must be "
        "known when compiling. `x.shape` is made of plain integers: compute with `math.prod`, "
        "NumPy or `x.size`, or write -1 and let reshape find out. To use a part whose length is "
        "data, keep the shape and mask: `jnp.where(jnp.arange(x.size) < n, x, 0)`.",
    ),
    (
        r"SeedSequence expects int",
        "numpy-random",
        "NumPy's generators need a plain seed at once, and under jit the key is a tracer. Draw "
        "with JAX's own, which take the key: `jax.random.normal(key, shape)`.",
    ),
    (
        r"not a valid JAX type|Error interpreting argument",
        "not-a-jax-type",
        "jit only takes arrays and pytrees of arrays. Register the class as a pytree, use a "
        "NamedTuple, or make the argument static if it is a setting such as a string; a field of a "
        'registered dataclass is made static by `field(metadata={"static": True})`.',
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
        r"Function compiled with input pytree does not match",
        "compiled-arguments",
        "A compiled object takes the arguments that it was lowered with, without the static ones: "
        "their values are part of the program. Leave the static arguments out of the call.",
    ),
    (
        r"Argument types differ from the types for which",
        "compiled-types",
        "A compiled object is good for the shapes and dtypes that it was lowered with, and never "
        "compiles anew. Lower the function with the shapes that it will be called with.",
    ),
    (
        r"'Lowered' object is not callable",
        "not-compiled",
        "`function.lower(...)` stops before the compiler: what it returns can be read, not called. "
        "Go on with `.compile()`.",
    ),
    (
        r"object has no attribute 'block_until_ready'",
        "waits-for-a-container",
        "Only an array has this method. A function may return a tuple or a dict of arrays: "
        "`jax.block_until_ready(result)` waits for everything in a tuple, list or dict.",
    ),
    (
        r"[Ii]ncompatible shapes|requires contracting dimensions|inconsistent size for core",
        "incompatible-shapes",
        "Arrays of different sizes meet here. Is one of them a variable of the notebook, such as "
        "the oaks data, or made with a size written down as a number? The check calls with data "
        "of other sizes; and with data of the same size, a variable of the notebook is silently "
        "frozen into the compiled program. Pass all data as arguments, take sizes from shapes.",
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
    if got.size > 1 and not got.any() and exact.all():
        return ZERO_HINT
    if got.size > 1 and np.allclose(np.sort(got, axis=None), np.sort(exact, axis=None), rtol=1e-4):
        return ORDER_HINT
    if np.allclose(got, -exact, rtol=1e-4, atol=0) and np.any(exact != 0):
        return SIGN_HINT
    return ""
