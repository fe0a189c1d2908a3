"""The index of error messages: what JAX says, why, and the lessons that teach the repair.

`exercises/ERRORS.md` is generated from it. A test runs each snippet on the installed JAX.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class ErrorEntry(NamedTuple):
    """One message.

    Attributes:
        error: the exception's class.
        message: the part of its text that people search for.
        cause: and the way out, in a few words.
        lessons: names; the ones that the course does not have are left out.
        snippet: the shortest code that raises it, with `jax`, `jnp` and `np` imported.
        newer: what a newer JAX says instead; empty where it says the same.
    """

    error: str
    message: str
    cause: str
    lessons: tuple[str, ...]
    snippet: str
    newer: str = ""


ENTRIES = (
    ErrorEntry(
        "TracerBoolConversionError",
        "Attempted boolean conversion of traced array",
        "A Python `if`, `while`, `and` or `not` needs a value that is traced. Make a setting "
        "static. For data, choose with `jnp.where` or `lax.cond`.",
        ("static_branch", "traced_branch", "early_stop"),
        "jax.jit(lambda x: x if x > 0 else -x)(1.0)",
    ),
    ErrorEntry(
        "TracerIntegerConversionError",
        "The __index__() method was called on traced array",
        "`range`, a list's index or a repeat count needs a plain integer. Make it static, or loop "
        "with `lax.fori_loop`.",
        ("static_branch", "scan_fit", "early_stop"),
        "jax.jit(lambda n: sum(range(n)))(3)",
    ),
    ErrorEntry(
        "TracerArrayConversionError",
        "The numpy.ndarray conversion method __array__() was called on traced array",
        "A NumPy or SciPy function got a tracer. Use the one of `jax.numpy` or `jax.scipy`.",
        ("tracing", "static_reshape"),
        "jax.jit(lambda x: np.log(x))(jnp.ones(3))",
    ),
    ErrorEntry(
        "ConcretizationTypeError",
        "Abstract tracer value encountered where concrete value is expected",
        "`float(x)`, `int(x)` or `x.item()` asks for a value while the function is traced. Stay "
        "with arrays, and convert what the function returns.",
        ("tracing", "static_branch", "static_reshape"),
        "jax.jit(lambda x: float(x))(1.0)",
    ),
    ErrorEntry(
        "NonConcreteBooleanIndexError",
        "Array boolean indices must be concrete",
        "The size of `x[mask]` depends on data. Keep all entries, and give the others no weight: "
        "`jnp.where(mask, x, 0)`, or `where=mask` in a sum.",
        ("data_sizes", "safe_where"),
        "jax.jit(lambda x: x[x > 0])(jnp.ones(3))",
    ),
    ErrorEntry(
        "ConcretizationTypeError",
        "The size argument of jnp.nonzero must be statically specified",
        "How many entries there are depends on data. Give `size=` and `fill_value=`.",
        ("data_sizes", "static_reshape"),
        "jax.jit(jnp.nonzero)(jnp.ones(3))",
    ),
    ErrorEntry(
        "ConcretizationTypeError",
        "It arose in the jnp.arange argument",
        "The length of the array would depend on a traced value. Take it from a shape, or make it "
        "static.",
        ("static_reshape", "data_sizes"),
        "jax.jit(lambda n: jnp.arange(n))(3)",
    ),
    ErrorEntry(
        "TypeError",
        "Shapes must be 1D sequences of concrete values of integer type",
        "A shape was computed with `jnp`, or passed as an argument. Compute shapes with Python or "
        "NumPy from `x.shape`, or make the argument static.",
        ("static_reshape", "named_tuple_carry"),
        "jax.jit(lambda n: jnp.zeros(n))(3)",
    ),
    ErrorEntry(
        "UnexpectedTracerError",
        "Encountered an unexpected tracer. A function transformed by JAX had a side effect",
        "A traced value was kept in a list, a global name or an attribute. Return it instead.",
        ("purity_hunt",),
        "seen = []\njax.jit(lambda x: seen.append(x))(1.0)\nseen[0] + 1",
    ),
    ErrorEntry(
        "ValueError",
        "Non-hashable static arguments are not supported",
        "An array, a list, a dictionary or an object without `__hash__` was marked static. Pass "
        "arrays as ordinary arguments, and a tuple in place of a list.",
        ("static_branch", "static_self", "recompile_hunt"),
        "jax.jit(lambda x, sizes: x, static_argnums=1)(1.0, [1, 2])",
    ),
    ErrorEntry(
        "ValueError",
        "in static_argnames. Function does not take these args",
        "A name in `static_argnames` is misspelt.",
        ("static_branch",),
        "jax.jit(lambda x, power: x, static_argnames='powr')",
    ),
    ErrorEntry(
        "TypeError",
        "as an abstract array. The problematic value is of type <class 'str'>",
        "A string is no array: mark that argument static.",
        ("static_branch",),
        "jax.jit(lambda x, unit: x)(1.0, 'share')",
    ),
    ErrorEntry(
        "TypeError",
        "This typically means that a jit-wrapped function was called with a non-array argument",
        "JAX does not know your class. Make it a pytree: a NamedTuple, a registered dataclass, or "
        "a registered class.",
        ("dataclass_pytree", "pytree_class", "named_tuple_carry"),
        "class View:\n    pass\njax.jit(lambda view: 1.0)(View())",
    ),
    ErrorEntry(
        "ValueError",
        "Duplicate custom PyTreeDef type registration for",
        "A class was registered twice: `register_pytree_node` was run again for the same class. "
        "Define the class in the cell that registers it.",
        ("pytree_class",),
        "class Model:\n    pass\nfor _ in range(2):\n    jax.tree_util.register_pytree_node(\n"
        "        Model, lambda model: ((), None), lambda aux, children: Model()\n    )",
    ),
    ErrorEntry(
        "TypeError",
        "and does not accept dtype float32",
        "`&` binds more tightly than comparisons. Put each of these in parentheses: "
        "`(a > 1) & (b < 2)`.",
        ("early_stop",),
        "jax.jit(lambda x: x > 1e-5 & (x < 3))(1.0)",
    ),
    ErrorEntry(
        "TypeError",
        "Cannot apply JAX transformations to a function lowered and compiled",
        "What `.lower(...).compile()` returns takes arrays and no tracers. Inside a jitted "
        "function, call the jitted function itself.",
        ("ahead_of_time",),
        "jax.jit(jax.jit(jnp.sin).lower(1.0).compile())(1.0)",
    ),
    ErrorEntry(
        "TypeError",
        "scan body output must be a pair",
        "The body of `lax.scan` returns `(carry, what to keep)`. Return `(carry, None)` where "
        "nothing is kept.",
        ("scan_fit",),
        "jax.lax.scan(lambda carry, _: carry + 1, 0.0, length=3)",
    ),
    ErrorEntry(
        "TypeError",
        "body function carry input and carry output must have equal types",
        "What a loop carries changes its dtype or its shape from one step to the next. Start with "
        "the types that the body returns: `0.0` for 0, or `jnp.zeros_like`.",
        ("scan_fit", "named_tuple_carry", "early_stop"),
        "jax.lax.scan(lambda carry, _: (jnp.stack([carry, carry]), None), 0.0, length=3)",
    ),
    ErrorEntry(
        "TypeError",
        "carry input and carry output must have the same pytree structure",
        "The body of a loop must return its carry as it got it: a tuple of the same length, a "
        "dictionary with the same keys, the same class.",
        ("named_tuple_carry", "scan_fit", "early_stop"),
        "jax.lax.while_loop(lambda c: c < 3, lambda c: (c, c), 0)",
    ),
    ErrorEntry(
        "ValueError",
        "scan got values with different leading axis sizes",
        "`lax.scan` takes one row of each array at a step, so all need the same number of rows.",
        ("scan_fit",),
        "jax.lax.scan(lambda c, x: (c, x), 0.0, (jnp.ones(3), jnp.ones(4)))",
    ),
    ErrorEntry(
        "TypeError",
        "cond branches must have equal output types but they differ",
        "Both branches of `lax.cond` make the same program's result. Give both the same dtype and "
        "shape: `0.0` for 0, or `jnp.zeros_like(x)`.",
        ("traced_branch",),
        "jax.lax.cond(True, lambda x: x, lambda x: 0, 1.5)",
    ),
    ErrorEntry(
        "IndexError",
        "Slice entries must be static integers",
        "The length of `x[:n]` depends on a traced `n`. Make `n` static, or take a slice of a "
        "fixed size with `lax.dynamic_slice`.",
        ("data_sizes", "static_reshape"),
        "jax.jit(lambda x, n: x[:n])(jnp.ones(3), 2)",
        newer="Array slice indices must have static start/stop/step",
    ),
    ErrorEntry(
        "ValueError",
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop",
        "The gradient needs all steps of the loop, and their number is not known beforehand. Use "
        "`lax.scan`, or `lax.fori_loop` with plain integers.",
        ("loop_gradients", "early_stop", "scan_fit"),
        "jax.grad(lambda x: jax.lax.while_loop(lambda c: c < 3.0, lambda c: c * 2, x))(1.0)",
    ),
    ErrorEntry(
        "TypeError",
        "JAX arrays are immutable and do not support in-place item assignment",
        "Write `x = x.at[i].set(value)`, and use what it returns.",
        ("jitted_step", "purity_hunt"),
        "jnp.zeros(3)[0] = 1.0",
    ),
    ErrorEntry(
        "TypeError",
        "Gradient only defined for scalar-output functions",
        "The function returns an array. Return a sum, or use `jax.vmap(jax.grad(f))` or "
        "`jax.jacobian(f)`.",
        ("safe_where", "jitted_step"),
        "jax.grad(lambda x: x**2)(jnp.ones(3))",
    ),
    ErrorEntry(
        "TypeError",
        "grad requires real- or complex-valued inputs",
        "The argument is an integer. Write `3.0`, or convert it with `astype(float)`. For another "
        "argument, give `argnums`.",
        ("safe_where", "jitted_step"),
        "jax.grad(lambda x: x**2)(3)",
    ),
    ErrorEntry(
        "RuntimeError",
        "Array has been deleted with shape",
        "The array was donated to a jitted function, which has used its memory. Use the result "
        "instead, or do not donate.",
        ("recompile_hunt", "jitted_step"),
        "x = jnp.ones(3)\njax.jit(lambda x: x + 1, donate_argnums=0)(x)\nnp.asarray(x)",
    ),
    ErrorEntry(
        "FloatingPointError",
        "invalid value (nan) encountered in",
        "`jax_debug_nans` has found where a NaN begins: often the logarithm, the root or the "
        "quotient in a branch that was not wanted.",
        ("debugging", "safe_where"),
        "with jax.debug_nans(True):\n    jnp.log(-1.0)",
    ),
    ErrorEntry(
        "TypeError",
        "Argument types differ from the types for which this computation was compiled",
        "A compiled program runs for one shape and dtype. Compile another one, or call the jitted "
        "function, which does so by itself.",
        ("ahead_of_time",),
        "jax.jit(lambda x: x + 1).lower(jnp.ones(3)).compile()(jnp.ones(4))",
    ),
    ErrorEntry(
        "ValueError",
        "vmap got inconsistent sizes for array axes to be mapped",
        "The mapped arguments have different lengths. Say with `in_axes` which axis is mapped, and "
        "None for an argument that is shared.",
        ("capstone",),
        "jax.vmap(jnp.dot)(jnp.ones((3, 2)), jnp.ones((4, 2)))",
    ),
    ErrorEntry(
        "ValueError",
        "which implies that its rank should be at least 1, but is only 0",
        "`vmap` maps all arguments by default, and a number has no axis. Give `in_axes=(0, None)`.",
        ("capstone",),
        "jax.vmap(lambda x, n: x * n)(jnp.ones(3), 2)",
    ),
    ErrorEntry(
        "TypeError",
        "got incompatible shapes for broadcasting",
        "Two shapes do not fit together. `x[:, None]` adds an axis of length 1.",
        ("tracing", "static_reshape"),
        "jnp.ones(3) + jnp.ones(4)",
    ),
    ErrorEntry(
        "ValueError",
        "The truth value of an array with more than one element is ambiguous",
        "An `if` asks about a whole array. For each entry, choose with `jnp.where`. For one "
        "answer, use `x.any()` or `x.all()`, and `lax.cond` under jit.",
        ("traced_branch", "safe_where"),
        "if jnp.ones(3) > 0:\n    pass",
    ),
    ErrorEntry(
        "TypeError",
        "unhashable type: 'jaxlib._jax.ArrayImpl'",
        "An array is the key of a dictionary, of a set or of `lru_cache`. Its values may change "
        "in NumPy and are not known under jit. Keep compiled functions, not results.",
        ("recompile_hunt",),
        "import functools\nfunctools.lru_cache(lambda x: x)(jnp.ones(3))",
    ),
    ErrorEntry(
        "TypeError",
        "which is not a valid JAX type",
        "A jitted function returned a string, a class or another object. It can only return "
        "arrays and pytrees of them.",
        ("dataclass_pytree", "tracing"),
        "jax.jit(lambda x: 'done')(1.0)",
    ),
    ErrorEntry(
        "TypeError",
        "unsupported format string passed to DynamicJaxprTracer.__format__",
        "A tracer has no digits to print. `jax.debug.print` prints when the program runs.",
        ("tracing", "debugging"),
        "jax.jit(lambda x: f'{x:.2f}')(1.0)",
    ),
)


def write_index(notebooks: Mapping[str, str]) -> str:
    """Return the text of `exercises/ERRORS.md`.

    Args:
        notebooks: the file names of the course's lessons, by lesson.
    """
    rows = []
    for entry in sorted(ENTRIES, key=lambda entry: (entry.error, entry.message)):
        links = [f"[{name}]({notebooks[name]})" for name in entry.lessons if name in notebooks]
        message = f"**{entry.error}**: `{entry.message}`"
        if entry.newer:
            message += f" (a newer JAX says `{entry.newer}`)"
        rows.append(f"| {message} | {entry.cause} | {', '.join(links)} |")
    text = Path(__file__).with_name("errors.md").read_text(encoding="utf-8")
    return text.replace("{rows}", "\n".join(rows))
