"""Explains JAX's and Python's own errors: those that the lessons provoke have a rule and a text.

The text is shown under the error's own first line.
"""

from __future__ import annotations

import re
import textwrap
import traceback
from collections.abc import Collection

import jax

from autograder.errors.error_origins import Origin, find_origin
from autograder.model.templates import join_texts, make_templates

_MISSING_FILE = (
    "Where the notebook was checked, there is no such file. Hand the file in with the notebook, in "
    "the same folder, and name it in the code as it is called there; or put what it holds into a "
    "cell. A path on your own computer does not exist elsewhere."
)
EXPLANATIONS: dict[str, tuple[str | type[Exception] | tuple[type[Exception], ...], str]] = {
    "missing-file": (FileNotFoundError, _MISSING_FILE),
    "missing-script": (r"^File `.+` not found\.$", _MISSING_FILE),
    "missing-module": (
        ModuleNotFoundError,
        "Where the notebook was checked, there is no such module. If it is a file of yours, hand "
        "it in with the notebook, in the same folder, or put its code into a cell. If it is a "
        "library, it is not installed there: do without it.",
    ),
    "length-of-values": (
        r"size argument of jnp\.\w+ must be statically|argument of jnp\.unique\(\)|`num_segments`"
        r"|of jnp\.bincount|jit-compiling jnp\.repeat",
        "How many entries there are depends on the values, and under jit the length of an array "
        "must be known when compiling. Keep all entries, and put something harmless where the test "
        "fails: `jnp.where(test, x, 0)`. Or give a number that is long enough, as a static "
        "argument or from a shape: `jnp.nonzero(test, size=n)`, `jnp.bincount(k, length=n)`, "
        "`jax.ops.segment_sum(x, k, num_segments=n)`.",
    ),
    "choose-mode": (
        r"jnp\.choose was jit-compiled with mode='raise'",
        "Without jit `jnp.choose` raises an error where an index is too large, and a compiled "
        "program raises none. Say what it is to do instead: `jnp.choose(i, choices, "
        'mode="clip")`.',
    ),
    "array-truth": (
        r"truth value of an array",
        "Python's `if`, `while`, `and`, `or` or `not` needs one True or False, and here is a whole "
        "array of them. Choose element by element with `jnp.where(test, a, b)`, and join "
        "conditions with `&`, `|` and `~`. `.any()` or `.all()` would not help an `if` under jit: "
        "what they return is a tracer too.",
    ),
    "bitwise-precedence": (
        r"\b(and|or) does not accept dtype float|unsupported operand type\(s\) for [&|]",
        "`&` and `|` bind more tightly than `<`, `>` and `==`: Python reads `a > 1 & b < 2` as "
        "`a > (1 & b) < 2`. Put each comparison in parentheses: `(a > 1) & (b < 2)`.",
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
    "check-without-checkify": (
        r"checkify\.check which was not functionalized",
        "`checkify.check`, and `error.throw()` inside of a jitted function, need a function that "
        "`checkify.checkify` has transformed. Make it once: `checked = "
        "jax.jit(checkify.checkify(f))`. Outside of jit, `error, result = checked(x)`, and then "
        "`error.throw()`.",
    ),
    "leaked-tracer": (
        jax.errors.UnexpectedTracerError,
        "What is computed while tracing is a tracer, which is only valid until the function that "
        "is traced returns. It was kept (in a list, a global, an attribute) and used afterwards: "
        "return it instead of storing it, and pass it as an argument to what needs it. What a "
        "`lax.scan` is to keep of each step is the second thing that its body returns. A function "
        "under `jax.custom_vjp` must get what is differentiated as an argument, not from the "
        "function around it.",
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
        r"arguments should be callable|branches should be callable|a sequence of callables",
        "`lax.cond` and `lax.switch` take functions, `lax.switch` a list of them, and call the one "
        "that is chosen. A value becomes a function when you put `lambda:` before it; to choose "
        "between two values, `jnp.where(test, a, b)` is simpler.",
    ),
    "branch-test": (
        r"Pred must be a scalar|[Ii]ndex must be scalar|Index type must be an integer",
        "`lax.cond` chooses once, by one True or False, and `lax.switch` by one integer. To "
        "choose element by element, use `jnp.where(test, a, b)`; a number becomes an index with "
        "`.astype(jnp.int32)`.",
    ),
    "traced-key": (
        r"^unhashable type: '\w*Tracer'",
        "A dictionary or a set finds a key by its value, and an array is no key: under jit it is a "
        "tracer that stands for every possible value. Put the functions in a list and choose with "
        "`lax.switch`; choose between numbers with `jnp.where` or an array.",
    ),
    "unhashable-array": (
        r"^unhashable type: '(jaxlib\S*|Array\w*|numpy\.ndarray)'",
        "A dictionary, a set and `functools.lru_cache` find what they keep by a key, and an array "
        "is no key. Use what is fixed, such as `x.shape` and `x.dtype`; to choose by an array's "
        "values, use `jnp.where` or `lax.switch`.",
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
    "tracer-into-numpy": (
        r"^setting an array element with a sequence\.$",
        "A NumPy array holds numbers, and while jit traces there are none yet: a tracer cannot be "
        "put into it. Put the values into a list, and join them with `jnp.stack`; or start with "
        "`jnp.zeros(n)`, and write `x = x.at[i].set(v)`. `lax.scan` records a value at each step.",
    ),
    "arithmetic-with-key": (
        r"does not accept dtypes.*\bkey<",
        "A key is no number: nothing can be added to it, or multiplied with it. Make other keys "
        "with `jax.random.split(key)`, or with `jax.random.fold_in(key, i)` for an integer i, and "
        "give them to a function such as `jax.random.normal(key_1, shape)` to get numbers.",
    ),
    "numpy-random": (
        r"SeedSequence expects int",
        "NumPy's generators need a plain seed at once, and under jit the key is a tracer. Draw "
        "with JAX's own, which take the key: `jax.random.normal(key, shape)`.",
    ),
    "returns-no-array": (
        r"returned a value of type .* not a valid JAX type",
        "A jitted function returns arrays, and tuples, lists, dictionaries or NamedTuples of "
        "arrays. Return the numbers, and make a text or an object of them outside, after the call.",
    ),
    "scan-rows": (
        r"no (leading axis|values) to scan over|leading axis sizes|Argument 'range\(",
        "`lax.scan(body, carry, xs)` goes through the rows of the arrays in `xs`, which must all "
        "have as many. A number and a `range` have no rows. For so many steps without data, write "
        "`lax.scan(body, carry, length=n)`; where the body needs to know which step it is, give "
        "`jnp.arange(n)` as `xs`.",
    ),
    "not-a-jax-type": (
        r"not a valid JAX type|Error interpreting argument",
        "jit only takes arrays and pytrees of arrays. Register the class as a pytree, use a "
        "NamedTuple, or make the argument static if it is a setting such as a string; a field of a "
        "registered dataclass is made static by `field(metadata=dict(static=True))`.",
    ),
    "array-as-metadata": (
        r"checking equality of metadata fields|metadata fields are hashable",
        "An array is among the aux data (the static fields) of a class that is registered as a "
        "pytree. jit compares aux data with `==`, and for an array that gives many values instead "
        "of one. Make the array a child (a data field), and keep only settings, such as integers "
        "and strings, as aux data.",
    ),
    "register-dataclass": (
        r"nodetype is not a dataclass|must include all dataclass fields",
        "`register_dataclass` has to know all fields of a dataclass. As a decorator it stands "
        "above `@dataclass`, which makes the fields: the lowest decorator comes first. Where the "
        "fields are listed, each is in one list: arrays in `data_fields`, settings in "
        "`meta_fields`.",
    ),
    "carry-type": (
        r"(carry|body).*(must have equal types|pytree structure|same type)",
        "The carry that leaves the loop body must have exactly the structure, shapes and dtypes "
        "of the one that enters. Start with strong dtypes (`jnp.float32(0)`, `jnp.zeros`) and "
        "return what you received.",
    ),
    "while-test": (
        r"cond_fun must return a boolean scalar",
        "`lax.while_loop(go_on, step, start)`: the first function tells whether to go on, with one "
        "True or False for all of the state; the second makes the next state. Are they in the "
        "other order? Of an array of conditions, `jnp.any(...)` or `jnp.all(...)` makes one.",
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
    "donated-twice": (
        r"donate the same buffer twice|previously donated in the same call",
        "Two of the arguments of this call, or two leaves of one, are the same array, and one of "
        "them is donated: its memory is given away, and the other one needs it. (`a = b = "
        "jnp.zeros(n)` is one array, and so is `dict(a=x, b=x)`.) Give each an array of "
        "its own, such as `x.copy()`, or do not donate. A trace has no memory, so only the call "
        "fails.",
    ),
    "donated": (
        r"has been deleted",
        "The array was donated to an earlier call, which reused its memory. Use the returned "
        "array instead, or do not donate.",
    ),
    "negative-power": (
        r"Integers cannot be raised to negative powers",
        "A negative power of an integer is no integer. Which line makes integers of the floats "
        "that came in: `astype(int)`, `jnp.int32(...)`, `jnp.arange(n)`? Keep floats.",
    ),
    "nothing-to-map": (
        r"vmap was requested to map its argument along axis",
        "`jax.vmap` maps a function over an axis of its arguments, and one of them has no such "
        "axis here. The functions of `jax.numpy` take arrays of any shape without `vmap`; where "
        "an argument is the same for all, `in_axes` has None for it.",
    ),
    "no-such-method": (
        r"'(\w+\.)*ArrayImpl' object has no attribute|Tracer has no attribute",
        "JAX arrays do not have all methods of NumPy's, and are never changed in place. Look for a "
        "function of `jax.numpy` that makes a new array, or use `x.at[i].set(value)`. What is "
        "done before the jitted function can be done with NumPy: `np.asarray(x)`.",
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
    "compiled-while-traced": (
        r"JAX transformations to a function lowered and compiled",
        "A compiled object takes arrays, no tracers: it cannot be called where a function is "
        "traced, and whoever makes one at each call compiles at each call. Call the jitted "
        "function itself: it compiles at its first call, and keeps the program.",
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
    "waits-while-tracing": (
        r"'block_until_ready' method is not available on traced|Tracer has no .* block_until_ready",
        "While jit traces there is no result to wait for. Leave the waiting out of the jitted "
        "function: whoever calls it waits for what it returns.",
    ),
    "incompatible-shapes": (
        r"[Ii]ncompatible shapes|[Ii]ncompatible types for broadcasting"
        r"|requires contracting dimensions|inconsistent size for core",
        "Arrays of different sizes meet here. Has a sum or a mean lost an axis (`keepdims=True` "
        "keeps it)? Or is one of them a variable of the notebook, such as the oaks data, or made "
        "with a size written down as a number? The check calls with data of other sizes; and with "
        "data of the same size, a variable of the notebook is silently frozen into the compiled "
        "program. Pass all data as arguments, take sizes from shapes.",
    ),
    "differs-between-devices": (
        r"out_specs which require replication",
        "`P()` in `out_specs` says that all devices have the same result, and here each has its "
        'own. Add it up over the devices with `jax.lax.psum(value, "NAME")`, where NAME is the '
        "axis of the mesh. With `check_vma=False` you would get the first device's, without a "
        "word.",
    ),
    "indivisible": (
        r"is partitioned \d+ times|should be divisible by|not evenly divisible",
        "All devices get parts of the same shape, so the size of the axis that is split must be a "
        "multiple of the number of devices. Split another axis, or none: `P()`.",
    ),
    "unknown-axis": (
        r"unbound axis name|not found in mesh|refer to an axis marked as manual",
        "No mesh here has an axis of this name. Write it as in `jax.make_mesh(sizes, names)`; "
        "`jax.lax.psum` and its like find it only inside of `jax.shard_map`.",
    ),
    "immutable-container": (
        r"can't set attribute|cannot assign to field|FrozenInstanceError",
        "This container cannot be changed. Make a new one: `state._replace(M=...)` for a "
        "NamedTuple, `dataclasses.replace(state, M=...)` for a frozen dataclass.",
    ),
    "reverse-loop": (
        r"Reverse-mode differentiation does not work",
        "The backward pass needs something of every step of a loop, and nobody knows beforehand "
        "how many steps a `while_loop` makes. If the result solves an equation, its derivative "
        "does not need the loop: give it with `jax.custom_vjp`, in a function around the loop. "
        "Otherwise use a loop of a fixed length, `lax.scan`.",
    ),
    "tracer-as-constant": (
        r"No constant handler for type: .*Tracer",
        "A program was to hold a value as a constant that is a tracer of the function around it. A "
        "rule of `jax.custom_jvp` or `jax.custom_vjp` cannot take an array by `nondiff_argnums`, "
        "which is for functions and plain settings, nor from the function around it. Pass arrays "
        "as normal arguments; where no derivative is needed, their tangent is left unused, and "
        "their cotangent is None.",
    ),
    "custom-rule": (
        r"Custom (VJP|JVP)|No (VJP|JVP) defined for custom|to a custom_vjp function",
        "A function under `jax.custom_vjp` needs `f.defvjp(forward, backward)`. `forward` takes "
        "f's arguments and returns a pair: f's result, and what the backward pass needs. "
        "`backward` takes that and the cotangent. It returns a tuple with one entry for each "
        "argument of f, each of its argument's shape (None where no derivative is needed). Forward "
        "mode (`jax.jvp`, `jax.jacfwd`) needs `jax.custom_jvp` instead.",
    ),
}
"""By rule: an error's class or classes, or a pattern of its text; the explanation. The first match
wins."""

CLOSER: dict[str, str] = {
    "number-of-axes": (
        "This line takes arrays of one number of axes only, and here one has another. "
        "`x.shape[0]`, `x.shape[-1]`, `x.size` and -1 in `reshape` work for more."
    ),
    "branch-on-data": (
        "Python's `if`, `and`, `or` or `not` needs a plain True or False, but this value comes "
        "from data ({names}): under jit it is a tracer that stands for every possible value, and "
        "data cannot be static. Let the program hold both branches, and choose with `jnp.where` or "
        "`lax.cond`; join conditions with `&`, `|` and `~`. A test that raises an error belongs "
        "outside of the jitted function, before the call."
    ),
    "python-while": (
        "A Python `while` needs a plain True or False at each turn, but while jit traces there are "
        "no numbers yet. The loop becomes `lax.while_loop`, which is given `go_on(state)`, "
        "`step(state)` and the first state. In `go_on`, join conditions with `&`, because `and` "
        "is a Python branch too."
    ),
    "number-from-data": (
        "A plain Python number is needed here, but this value comes from data ({names}): under jit "
        "it is a tracer that stands for every possible value, and data cannot be static. Keep the "
        "array: leave `float(...)`, `int(...)` or `.item()` out, compute with `jax.numpy`, and "
        "return the array; whoever calls the function can make a number of it. To choose one of "
        "several functions, use `lax.switch`; a loop over `range(...)` becomes `lax.fori_loop`."
    ),
    "known-value": (
        "Nothing has to become static here. The value is known while jit traces, but a function "
        "of `jax.numpy` made an array of it, and under jit all that `jax.numpy` returns is a "
        "tracer. Leave it as it is, or compute with plain Python, `math` or NumPy."
    ),
    "known-mask": (
        "The mask is known while jit traces: it depends on no argument's values. But a function of "
        "`jax.numpy` made it, and under jit all that `jax.numpy` returns is a tracer. Make it with "
        "NumPy, as in `x[np.arange(x.size) >= start]`, or keep the shape and mask: `jnp.where("
        "mask, x, 0)`, `jnp.mean(x, where=mask)`."
    ),
    "known-static": (
        "A static argument is given a tracer. Its value is known while jit traces, but a function "
        "of `jax.numpy` made an array of it, and under jit all that `jax.numpy` returns is a "
        "tracer. Compute it with plain Python, `math` or NumPy: `n + 1`, not `jnp.add(n, 1)`."
    ),
    "needs-an-axis": (
        "Shapes are lined up from their last axis, and here one array has a number for each row of "
        "the other. Give it an axis of length 1, so that it is a column: `x[:, None]`, or "
        "`keepdims=True` in the sum or mean that made it."
    ),
    "traced-static": (
        "A static argument is given a tracer. The call is inside of another jitted function, where "
        "this plain number is traced: make the argument that it comes from static there, too, with "
        "`static_argnames`."
    ),
    "python-compares": (
        "Python's own `sorted`, `max`, `min`, `any` and `all` look at one value after the other, "
        "and need a plain True or False each time: under jit these are tracers. Use `jnp.sort`, "
        "`jnp.max` or `jnp.min` of an array, `jnp.maximum` or `jnp.minimum` of two numbers, "
        "`jnp.any` or `jnp.all`."
    ),
    "no-such-static": (
        "`static_argnames` takes names in quotes, as in the `def` line, and `static_argnums` "
        "positions, which count from 0. The name is the safer of the two: "
        '`static_argnames="..."` with the name of the setting.'
    ),
    "branch-arguments": (
        "`lax.cond(test, f, g, *args)` calls `f(*args)` or `g(*args)`, and `lax.switch(i, [f, g, "
        "h], *args)` one of several: all of the functions must take exactly the arguments that "
        "stand after them. A function that takes none, such as `lambda: 0.0`, needs none there."
    ),
    "cached-array": (
        "`lru_cache` finds a result by its arguments, so they must be hashable, and an array is "
        "not. Under jit it is a tracer, which must not be kept either. Leave the cache out: jit "
        "keeps what it compiled. A cache is good for functions of plain Python values."
    ),
}
"""By rule: what is said where it is known which argument an error is about."""

SETTINGS = {
    "python-branch": (
        "Python's `if`, `and`, `or` or `not` needs a plain True or False, but under jit {names} is "
        "a tracer: it stands for every possible value. The call gives a plain Python number, a "
        "setting. Fix it in one of two ways: make the argument static with "
        "`static_argnames={static}` (one compilation per value), or keep it traced and choose with "
        "`jnp.where` or `lax.cond` (one compilation for all values)."
    ),
    "concrete-value": (
        "A plain Python number is needed here, but under jit {names} is a tracer that stands for "
        "every possible value. The call gives a plain Python number, a setting: make the "
        "argument static with `static_argnames={static}` (one compilation per value). If no size "
        "and no loop depends on it, leave it as it is, without `int(...)` or `float(...)`: JAX "
        "computes with a tracer as with an array."
    ),
    "traced-shape": (
        "Sizes must be known when compiling, but under jit {names} is a tracer that stands for "
        "every possible value. The call gives a plain Python number: make the argument static with "
        "`static_argnames={static}` (one compilation per value), or take the size from an array's "
        "`.shape`, which is always known."
    ),
}
"""By rule: what is said where the arguments at fault are settings that are not static."""

FIELD = (
    "{names} was a plain number when the container was made, but JAX traces every leaf of a "
    "container, and sizes and Python's own tests must be known when compiling. Take a size from "
    "the shape of an array: `x.shape` is always known. A setting can be a static argument, or a "
    "static field of a registered dataclass."
)
STATIC_ARRAY = (
    "{names} is static, but holds an array. A static argument becomes part of the compiled "
    "program's key, so it must be hashable: integers, strings, tuples. An array or a list cannot "
    "be static: leave {names} traced, and make only settings static."
)
PRODUCT = (
    "`@`, `jnp.dot` and `jnp.matmul` are matrix products: the last axis of the left array must be "
    "as long as the last but one of the right array, or its only one. (The sum of all products of "
    "two arrays of one shape is `jnp.sum(a * b)`.) Is one of them a variable of the notebook, such "
    "as the oaks data, or made with a size written down as a number? The check calls with data of "
    "other sizes; and with data of the same size, a variable of the notebook is silently frozen "
    "into the compiled program. Pass all data as arguments, take sizes from shapes."
)
PARTS = (
    "Arrays of different sizes meet here. Under `jax.shard_map` each device gets the part of each "
    "argument that `in_specs` says: with the name of an axis its own rows, with `P()` all of "
    "them. Does each argument have the right entry, in the order of the arguments? What comes from "
    "outside of the function is whole."
)

_COLLECTIVE = re.compile(r"\bp(sum|mean|max|min|cast|vary|permute)\(|\ball_(gather|to_all)\(")
"""A call with an axis's name. On an unknown one, JAX fails an assertion that has no text."""

_STATIC_KIND = re.compile(r"'\w+' object is not iterable|cannot be interpreted as an integer")
_UNPACKS = re.compile(r"values to unpack \(expected \d+")
_SAYS_STATIC = re.compile(r"\bstatic_arg(nums|names)\b")
_MISCALLED = re.compile(r"\(\) (missing \d+ required|takes .* positional arguments? but)")
_NOT_A_LIST = re.compile(r"object is not iterable|has no len\(\)")
_SWITCHES = re.compile(r"\bswitch\(")
_BRANCHES = re.compile(r"\b(cond|switch)\(")
_COMPARES = re.compile(r"(?<![\w.])(sorted|max|min|any|all)\(")

_MAX_ERROR = 10_000
"""Characters of an error's text that are searched."""
_MAX_LINE = 300
"""Characters of an error's first line that are shown."""
_PLACE = re.compile(r" at (\S+:\d+(?= )|0x[0-9a-f]+)")
"""Where JAX writes the file and the line of a function, or an address. The card shows the line."""
_SHAPE = re.compile(r"\((?:\d+,(?: \d+,?)*)?\)")
"""A shape in an error's text."""
_NAMES_PLACE = re.compile(r" at \S+:\d+$")
"""A line that only says where a function is."""

PLAIN_ERROR = "The function fails with this error when it is called with the exercise's inputs."
CALL_ERROR = "The function fails with this error in the call `{call}`."
RUN_ERROR = (
    "The function fails with this error in the call `{call}`, when it runs with numbers. While jit "
    "traces it, without numbers, it does not fail."
)
LATER_CALL_ERROR = (
    "The function fails with this error in the call `{call}`, if it was called before. As the "
    "first call, this one returns."
)
GRADIENT_ERROR = (
    "The function itself does not fail in the call `{call}`. Its gradient fails with this error: "
    "`argnums={argnums}`, of the sum of what it returns."
)
CELL_ERROR = (
    "The cell fails with this error before anything is called. Restart the kernel and run all "
    "cells from the top: does it happen there, too?"
)
SO_MISSING = (
    "The cell with this line fails first. So `{name}` is not defined (NameError) where it is "
    "needed: fix this cell, not that place."
)
SYNTAX_ERROR = (
    "Python cannot read the cell, so nothing in it was run. Look at this line and at the one above "
    "it: most often a bracket, a quote, a colon or an indent is missing."
)

make_templates(globals())


def error_line(error: BaseException, most: int = _MAX_LINE) -> str:
    """Return an error's class and the first line of its text, cut between words.

    A first line that says no more than that something follows gets what follows.
    """
    # Python adds the file's name and the line to the message; the card shows the line itself.
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    first, *others = message[:_MAX_ERROR].strip().split("\n")
    first = first.removesuffix(" The error was:")
    if first.endswith((":", "they differ.")):
        said = [line.strip() for line in others if not _NAMES_PLACE.search(line)]
        points = [line.removeprefix("* ") for line in said if line.startswith("* ")]
        first = " ".join([first, *(points or list(filter(None, said))[:1])])
    first = _PLACE.sub("", first)
    return textwrap.shorten(f"{type(error).__name__}: {first}", most, placeholder=" ...")


def explain_error(
    error: BaseException,
    otherwise: str = PLAIN_ERROR,
    files: Collection[str] = (),
    code: str = "",
) -> tuple[str, str]:
    """Return a rule and a teaching text for an exception raised by a student's function.

    The text begins with the error's own first line, as the student sees it in the notebook.

    Args:
        error: the exception.
        otherwise: the text for an exception that has no explanation of its own.
        files: of the student's code.
        code: the line that is to blame.
    """
    first, searched = error_line(error), str(error)[:_MAX_ERROR]
    if isinstance(error, AssertionError) and not searched and _COLLECTIVE.search(code):
        return "unknown-axis", join_texts("\n", (first, EXPLANATIONS["unknown-axis"][1]))
    if _MISCALLED.search(searched) and _BRANCHES.search(code):
        return "branch-arguments", join_texts("\n", (first, CLOSER["branch-arguments"]))
    if _UNPACKS.search(searched) and ".shape" in code:
        return "number-of-axes", join_texts("\n", (first, CLOSER["number-of-axes"]))
    if _NOT_A_LIST.search(searched) and _SWITCHES.search(code):
        return "branch-not-callable", join_texts(
            "\n", (first, EXPLANATIONS["branch-not-callable"][1])
        )
    if _STATIC_KIND.search(searched) and _SAYS_STATIC.search(code):
        return "no-such-static", join_texts("\n", (first, CLOSER["no-such-static"]))
    for rule, (sign, text) in EXPLANATIONS.items():
        if isinstance(sign, str):
            fits = re.search(sign, searched, re.DOTALL) is not None
        else:
            fits = issubclass(type(error), sign)
        if fits:
            rule, text = _by_its_words(rule, error, searched, code) or _closer(
                rule, text, find_origin(error, files, code), code
            )
            return rule, join_texts("\n", (first, text))
    text = SYNTAX_ERROR if isinstance(error, SyntaxError) else otherwise
    return "error", join_texts("\n", (first, text))


def _by_its_words(
    rule: str, error: BaseException, searched: str, code: str
) -> tuple[str, str] | None:
    """Return the rule and the text that fit what the error says more closely."""
    if rule == "incompatible-shapes" and _is_of_one_device(error):
        return rule, PARTS
    if rule == "incompatible-shapes" and "contracting dimensions" in searched:
        return rule, PRODUCT
    if rule == "incompatible-shapes" and _has_one_for_each_row(searched):
        return "needs-an-axis", CLOSER["needs-an-axis"]
    return None


def _is_of_one_device(error: BaseException) -> bool:
    """Whether the error was raised while `jax.shard_map` traced what one device does."""
    frames = traceback.walk_tb(error.__traceback__)
    return any(frame.f_code.co_filename.endswith("shard_map.py") for frame, _ in frames)


def _has_one_for_each_row(text: str) -> bool:
    """Whether shapes that do not fit are those of a table and of a number for each of its rows."""
    shapes = [tuple(map(int, re.findall(r"\d+", shape))) for shape in _SHAPE.findall(text)]
    rows = {shape[0] for shape in shapes if len(shape) == 2 and shape[0] != shape[1]}
    return any(len(shape) == 1 and shape[0] in rows for shape in shapes)


_ON_DATA = {"python-branch": "branch-on-data", "concrete-value": "number-from-data"}
_KNOWN = {
    "boolean-index": "known-mask",
    "non-hashable-static": "known-static",
    **dict.fromkeys((*_ON_DATA, "numpy-on-tracer"), "known-value"),
}
"""By rule: the rule where the value is known while jit traces."""


def _closer(rule: str, text: str, origin: Origin | None, code: str) -> tuple[str, str]:
    """Return the rule and the text that fit the argument at fault, if it is known."""
    if rule == "python-branch" and code.startswith("while "):
        return "python-while", CLOSER["python-while"]
    if rule in ("python-branch", "array-truth") and _COMPARES.search(code):
        return "python-compares", CLOSER["python-compares"]
    if origin is None:
        return rule, text
    if origin.kind == "cached":
        return "cached-array", CLOSER["cached-array"]
    if origin.kind == "static":
        return rule, STATIC_ARRAY.format(names=origin.names)
    if origin.kind == "known" and rule in _KNOWN:
        return _KNOWN[rule], CLOSER[_KNOWN[rule]]
    if rule == "non-hashable-static" and origin.kind == "setting":
        return "traced-static", CLOSER["traced-static"]
    # A number that a loop carries may be a size, or count its steps, which a branch may look at.
    is_field = origin.kind == "field" or (origin.kind == "carried" and rule != "python-branch")
    if rule in SETTINGS and is_field:
        return rule, FIELD.format(names=origin.names)
    if rule in _ON_DATA and origin.kind in ("data", "carried"):
        closer = _ON_DATA[rule]
        return closer, CLOSER[closer].format(names=origin.names)
    if rule in SETTINGS and origin.kind == "setting":
        return rule, SETTINGS[rule].format(names=origin.names, static=origin.static)
    return rule, text
