"""Explains JAX's and Python's own errors: those that the lessons provoke have a rule and a text.

The text is shown under the error's own first line.
"""

from __future__ import annotations

import re

import jax

from autograder.core.templates import join_texts, make_templates

EXPLANATIONS: dict[str, tuple[str | type[Exception] | tuple[type[Exception], ...], str]] = {
    "length-of-values": (
        r"size argument of jnp\.\w+ must be statically specified",
        "How many entries there are depends on the values, and under jit the length of an array "
        "must be known when compiling. Keep all entries, and put something harmless where the test "
        "fails: `jnp.where(test, x, 0)`. Or give the largest possible number of entries: "
        "`jnp.nonzero(test, size=n)`.",
    ),
    "python-branch": (
        jax.errors.TracerBoolConversionError,
        "Python's `if`, `while`, `and`, `or` or `not` needs a plain True or False, but under jit "
        "this value is a tracer: it stands for every possible value. Fix it in one of two ways: "
        "make the argument static (`static_argnames`; one compilation per value), or keep it "
        "traced and choose with `jnp.where` or `lax.cond` (one compilation for all values). A "
        "`while` on data becomes `lax.while_loop`; join conditions with `&`, `|` and `~`.",
    ),
    "concrete-value": (
        (jax.errors.ConcretizationTypeError, jax.errors.TracerIntegerConversionError),
        "A plain Python number is needed here, but under jit this value is a tracer that stands "
        "for every possible value. If it is a setting, make the argument static; if it is a "
        "shape, take it from `x.shape`, which is always known. If it is an index, use `jnp.take` "
        "or `lax.dynamic_slice`; to choose one of several functions, `lax.switch`.",
    ),
    "numpy-on-tracer": (
        jax.errors.TracerArrayConversionError,
        "A NumPy function was applied to a traced value. NumPy computes at once and needs "
        "numbers; under jit there are none yet. Use `jax.numpy` (jnp) for data; keep NumPy for "
        "shapes.",
    ),
    "leaked-tracer": (
        jax.errors.UnexpectedTracerError,
        "A tracer from an earlier trace was kept (in a global, a list, an attribute) and used "
        "again. Tracers are only valid while their function is traced: return the value instead "
        "of storing it.",
    ),
    "boolean-index": (
        jax.errors.NonConcreteBooleanIndexError,
        "Indexing with a traced mask gives an array whose shape depends on values, and shapes "
        "must be known when compiling. Use `jnp.where(mask, x, 0)` and keep the shape.",
    ),
    "shapes-only": (
        r"ShapeDtypeStruct",
        "This was given shapes and dtypes only (`jax.ShapeDtypeStruct`): there are no numbers to "
        "compute with. `function.lower(...)` takes them as they are; a call of the function, "
        "`jnp.asarray` and NumPy need arrays.",
    ),
    "format-of-tracer": (
        r"unsupported format string passed to \w*Tracer",
        "While jit traces, this value is a tracer: there is no number yet to format. "
        "Return the value, and print it outside of the jitted function, after the call.",
    ),
    "branch-types": (
        r"branch\w{0,9} (outputs )?must have",
        "Both branches are part of the program, and what follows must know what comes out of "
        "them: all branches must return the same structure, shapes and the same dtype. Convert "
        "with `.astype(x.dtype)`, write 0.0 instead of 0, and let each branch return something.",
    ),
    "branch-not-callable": (
        r"arguments should be callable|branches should be callable",
        "`lax.cond` and `lax.switch` take functions, and call the one that is chosen. A value "
        "becomes a function when you put `lambda:` before it; to choose between two values, "
        "`jnp.where(test, a, b)` is simpler.",
    ),
    "branch-test": (
        r"Pred must be a scalar|[Ii]ndex must be scalar|Index type must be an integer",
        "`lax.cond` chooses once, by one True or False, and `lax.switch` by one integer. To "
        "choose element by element, use `jnp.where(test, a, b)`; a number becomes an index with "
        "`.astype(jnp.int32)`.",
    ),
    "traced-key": (
        r"^unhashable type: '\w*Tracer'",
        "A dictionary or a set finds a key by its value, and under jit this key is a tracer that "
        "stands for every possible value. Put the functions in a list and choose with "
        "`lax.switch`; choose between numbers with `jnp.where` or an array.",
    ),
    "non-hashable-static": (
        r"Non-hashable static arguments|unhashable",
        "A static argument becomes part of the compiled program's key, so it must be hashable: "
        "integers, strings, tuples. An array or a list cannot be static; leave it traced and make "
        "only the setting static.",
    ),
    "no-such-static": (
        r"invalid argnames|has static_argnums=",
        "jit was told to make an argument static that the function does not have. Spell names as "
        'in the `def` line; positions count from 0. Write `static_argnames="..."` with the name '
        "of the setting.",
    ),
    "wrong-size": (
        r"cannot reshape array of shape",
        "The size in `reshape` does not fit this array. jit compiles a new program for each shape, "
        "so take the size from the array itself: `x.size`, `math.prod(x.shape)`, or -1.",
    ),
    "traced-shape": (
        r"Shapes must be 1D sequences of concrete values|must be static integers|must have static",
        "A shape or a slice was computed with traced values, and sizes must be known when "
        "compiling. `x.shape` holds plain integers: compute with `math.prod`, NumPy or `x.size`, "
        "or write -1 and let reshape compute it. To use a part whose length depends on data, keep "
        "the shape and mask: `jnp.where(jnp.arange(x.size) < n, x, 0)`.",
    ),
    "numpy-random": (
        r"SeedSequence expects int",
        "NumPy's generators need a plain seed at once, and under jit the key is a tracer. Draw "
        "with JAX's own, which take the key: `jax.random.normal(key, shape)`.",
    ),
    "not-a-jax-type": (
        r"not a valid JAX type|Error interpreting argument",
        "jit only takes arrays and pytrees of arrays. Register the class as a pytree, use a "
        "NamedTuple, or make the argument static if it is a setting such as a string; a field of a "
        "registered dataclass is made static by `field(metadata=dict(static=True))`.",
    ),
    "carry-type": (
        r"(carry|body).*(must have equal types|pytree structure|same type)",
        "The carry that leaves the loop body must have exactly the structure, shapes and dtypes "
        "of the one that enters. Start with strong dtypes (`jnp.float32(0)`, `jnp.zeros`) and "
        "return what you received.",
    ),
    "scan-pair": (
        r"must be a pair|body output must be",
        "The function given to `lax.scan` must return a pair: the new carry, and what to record "
        "at this step (or None).",
    ),
    "immutable-array": (
        r"mutable argument|does not support item assignment|JAX arrays are immutable",
        "JAX arrays cannot be changed in place. `x.at[i].set(v)` gives a new array; under jit it "
        "costs no copy.",
    ),
    "donated": (
        r"has been deleted",
        "The array was donated to an earlier call, which reused its memory. Use the returned "
        "array instead, or do not donate.",
    ),
    "compiled-arguments": (
        r"Function compiled with input pytree does not match",
        "A compiled object takes the arguments that it was lowered with, without the static ones: "
        "their values are part of the program. Leave the static arguments out of the call.",
    ),
    "compiled-types": (
        r"Argument types differ from the types for which",
        "A compiled object works for the shapes and dtypes that it was lowered with, and never "
        "compiles again. Lower the function with the shapes that it will be called with.",
    ),
    "not-compiled": (
        r"'Lowered' object is not callable",
        "`function.lower(...)` stops before the compiler: what it returns can be read, not called. "
        "Call `.compile()` on it.",
    ),
    "waits-for-a-container": (
        r"object has no attribute 'block_until_ready'",
        "Only an array has this method. A function may return a tuple or a dict of arrays: "
        "`jax.block_until_ready(result)` waits for everything in a tuple, list or dict.",
    ),
    "incompatible-shapes": (
        r"[Ii]ncompatible shapes|requires contracting dimensions|inconsistent size for core",
        "Arrays of different sizes meet here. Is one of them a variable of the notebook, such as "
        "the oaks data, or made with a size written down as a number? The check calls with data "
        "of other sizes; and with data of the same size, a variable of the notebook is silently "
        "frozen into the compiled program. Pass all data as arguments, take sizes from shapes.",
    ),
    "immutable-container": (
        r"can't set attribute|cannot assign to field|FrozenInstanceError",
        "This container cannot be changed. Make a new one: `state._replace(M=...)` for a "
        "NamedTuple, `dataclasses.replace(state, M=...)` for a frozen dataclass.",
    ),
}
"""By rule: an error's class or classes, or a pattern of its text; the explanation. The first match
wins."""

_MAX_ERROR = 10_000
"""Characters of an error's text that are searched."""

PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."
CELL_ERROR = (
    "The cell fails with this error before anything is called. Restart the kernel and run all "
    "cells from the top: does it happen there, too?"
)
SYNTAX_ERROR = (
    "Python cannot read the cell, so nothing in it was run. Look at this line and at the one above "
    "it: most often a bracket, a quote, a colon or an indent is missing."
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
    for rule, (sign, text) in EXPLANATIONS.items():
        if isinstance(sign, str):
            fits = re.search(sign, searched, re.DOTALL) is not None
        else:
            fits = issubclass(type(error), sign)
        if fits:
            return rule, join_texts("\n", (first, text))
    text = SYNTAX_ERROR if isinstance(error, SyntaxError) else otherwise
    return "error", join_texts("\n", (first, text))
