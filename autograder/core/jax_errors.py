"""Explains JAX's and Python's own errors: those that the lessons provoke have a rule and a text.

The text is shown under the error's own first line.
"""

from __future__ import annotations

import re

import jax

from autograder.core.templates import make_templates

EXPLANATIONS: tuple[tuple[type[Exception] | str, str, str], ...] = (
    (
        r"size argument of jnp\.\w+ must be statically specified",
        "length-of-values",
        "How many entries there are depends on the values, and under jit the length of an array "
        "must be known when compiling. Keep all entries, and put something harmless where the test "
        "fails: `jnp.where(test, x, 0)`. Or give the largest possible number of entries: "
        "`jnp.nonzero(test, size=n)`.",
    ),
    (
        jax.errors.TracerBoolConversionError,
        "python-branch",
        "Python's `if`, `while`, `and`, `or` or `not` needs a plain True or False, but under jit "
        "this value is a tracer: it stands for every possible value. Fix it in one of two ways: "
        "make the argument static (`static_argnames`; one compilation per value), or keep it "
        "traced and choose with `jnp.where` or `lax.cond` (one compilation for all values). A "
        "`while` on data becomes `lax.while_loop`; join conditions with `&`, `|` and `~`.",
    ),
    (
        jax.errors.ConcretizationTypeError,
        "concrete-value",
        "A plain Python number is needed here, but under jit this value is a tracer that stands "
        "for every possible value. If it is a setting, make the argument static; if it is a "
        "shape, take it from `x.shape`, which is always known.",
    ),
    (
        jax.errors.TracerIntegerConversionError,
        "concrete-value",
        "An index or a size must be a plain Python integer here, but it is a tracer. Take sizes "
        "from `x.shape`, make the argument static, index an array with `jnp.take` / "
        "`lax.dynamic_slice`, or choose one of several functions with `lax.switch`.",
    ),
    (
        jax.errors.TracerArrayConversionError,
        "numpy-on-tracer",
        "A NumPy function was applied to a traced value. NumPy computes at once and needs "
        "numbers; under jit there are none yet. Use `jax.numpy` (jnp) for data; keep NumPy for "
        "shapes.",
    ),
    (
        jax.errors.UnexpectedTracerError,
        "leaked-tracer",
        "A tracer from an earlier trace was kept (in a global, a list, an attribute) and used "
        "again. Tracers are only valid while their function is traced: return the value instead "
        "of storing it.",
    ),
    (
        jax.errors.NonConcreteBooleanIndexError,
        "boolean-index",
        "Indexing with a traced mask gives an array whose shape depends on values, and shapes "
        "must be known when compiling. Use `jnp.where(mask, x, 0)` and keep the shape.",
    ),
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
        "While jit traces, this value is a tracer: there is no number yet to format. "
        "Return the value, and print it outside of the jitted function, after the call.",
    ),
    (
        r"branch\w{0,9} (outputs )?must have",
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
        "A dictionary or a set finds a key by its value, and under jit this key is a tracer that "
        "stands for every possible value. Put the functions in a list and choose with "
        "`lax.switch`; choose between numbers with `jnp.where` or an array.",
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
        "jit was told to make an argument static that the function does not have. Spell names as "
        'in the `def` line; positions count from 0. Write `static_argnames="..."` with the name '
        "of the setting.",
    ),
    (
        r"cannot reshape array of shape",
        "wrong-size",
        "The size in `reshape` does not fit this array. jit compiles a new program for each shape, "
        "so take the size from the array itself: `x.size`, `math.prod(x.shape)`, or -1.",
    ),
    (
        r"Shapes must be 1D sequences of concrete values|must be static integers|must have static",
        "traced-shape",
        "A shape or a slice was computed with traced values, and sizes must be known when "
        "compiling. `x.shape` holds plain integers: compute with `math.prod`, NumPy or `x.size`, "
        "or write -1 and let reshape compute it. To use a part whose length depends on data, keep "
        "the shape and mask: `jnp.where(jnp.arange(x.size) < n, x, 0)`.",
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
        "registered dataclass is made static by `field(metadata=dict(static=True))`.",
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
        "The array was donated to an earlier call, which reused its memory. Use the returned "
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
        "A compiled object works for the shapes and dtypes that it was lowered with, and never "
        "compiles again. Lower the function with the shapes that it will be called with.",
    ),
    (
        r"'Lowered' object is not callable",
        "not-compiled",
        "`function.lower(...)` stops before the compiler: what it returns can be read, not called. "
        "Call `.compile()` on it.",
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
"""An error's class, or a pattern of its text; the rule; the explanation. The first match wins."""

_MAX_ERROR = 10_000
"""Characters of an error's text that are searched."""

EXPLAINED = "{first}\n{text}"
PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."
CELL_ERROR = (
    "The cell fails with this error before anything is called. Restart the kernel and run all "
    "cells from the top: does it happen there, too?"
)

make_templates(globals())


def explain_error(error: BaseException, otherwise: str = PLAIN_ERROR) -> tuple[str, str]:
    """Return a rule and a teaching text for an exception raised by a student's function.

    The text begins with the error's own first line, as the student sees it in the notebook.

    Args:
        error: the exception.
        otherwise: the text for an exception that has no explanation of its own.
    """
    # Python adds the file's name and the line to the message; the card shows the line itself.
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    first = message.strip().split("\n")[0]
    first = f"{type(error).__name__}: {first if len(first) <= 300 else first[:297] + '...'}"
    searched = str(error)[:_MAX_ERROR]
    for sign, rule, text in EXPLANATIONS:
        if isinstance(sign, str):
            fits = re.search(sign, searched, re.DOTALL) is not None
        else:
            fits = issubclass(type(error), sign)
        if fits:
            return rule, EXPLAINED.format(first=first, text=text)
    return "error", EXPLAINED.format(first=first, text=otherwise)
