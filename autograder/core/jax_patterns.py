"""JAX's and Python's errors that are told by their text: a pattern, the rule, the explanation.

The first pattern that is found counts.
"""

from __future__ import annotations

from autograder.core.text import templates

PRECISE_PATTERNS: tuple[tuple[str, str, str], ...] = (
    (
        r"size argument of jnp\.\w+ must be statically specified",
        "length-of-values",
        "How many entries there are depends on the values, and under jit the length of an array "
        "must be known beforehand. Keep all entries, and put something harmless where the test "
        "fails: `jnp.where(test, x, 0)`; or name the most there can be, "
        "`jnp.nonzero(test, size=n)`.",
    ),
)
"""What the text tells better than the type of the error does."""

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

templates(globals())
