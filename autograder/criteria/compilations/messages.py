"""The texts of the compilations criterion.

Each text says what happened and on which line, why JIT cares, and the smallest fix.
"""

from __future__ import annotations

from autograder.core.templates import make_templates

RULES = (
    "call-failed",
    "compiled-again",
    "eager-code",
    "jit-disabled",
    "many-programs-run",
    "no-program",
    "outside-jit",
    "several-functions",
    "too-many-compilations",
)

# Why one program was compiled. `{where}` is, for example, "`step` (line 52)".
FIRST = "{where} was compiled for the first time: this is expected once."
AGAIN = "{where} was compiled again because {change}: {repair}."
MORE_CHANGES = " (and {count} more)"
CHANGE = "`{name}` was {old} and is now {new}"

ABSENT = "absent"
NOT_PLACED = "not committed to a device"
WITH_NEW_FUNCTIONS = "another one, with new functions ({names})"
SEEN = " for arguments already seen"
CALL_LINES = ", when called from line {now} instead of line {before}"

REPAIRS = {
    "SHAPE": (
        "each new shape needs a new program; keep shapes fixed, or pad to a few sizes and mask "
        "the rest"
    ),
    "DTYPE": "each new dtype needs a new program; convert once with jnp.asarray(x, dtype)",
    "WEAK": (
        "a Python number is weakly typed, which is another type to jit; pass jnp.asarray(v, dtype) "
        "every time, and build arrays with a dtype, as in jnp.full(shape, 0.0, dtype)"
    ),
    "STATIC": (
        "a static value is part of the program, so each new one compiles anew; take it out of "
        "static_argnums and pass it as a normal argument, unless it sets a shape and takes few "
        "values"
    ),
    "STATIC_FIELD": (
        "a static field (aux data) is part of the program, so each new value compiles anew; make "
        "it a data field (a child), unless it decides about a shape or a branch and takes few "
        "values"
    ),
    "STATIC_ARRAY": (
        "an array in a static value is part of the program, and another array compiles anew; pass "
        "it as an argument, or make it a data field (a child) of a registered class"
    ),
    "NAN": (
        "nan equals nothing, not even another nan, so each new one compiles anew; keep one in a "
        "variable, such as math.nan, or pass it as a traced argument"
    ),
    "STRUCTURE": (
        "the structure of the arguments (dict keys, lengths of lists, None or an array) is part of "
        "the program; keep it the same in all calls, for instance by stacking a list into one array"
    ),
    "OBJECT": (
        "this object is static and compared by identity, so every new instance compiles anew. Does "
        "it hold arrays, or numbers to compute with? Register its class as a pytree, so that they "
        "are traced, or pass them as arguments. Does it hold settings alone? Make it a NamedTuple "
        "or a frozen dataclass, which are compared by their values"
    ),
    "UNEQUAL": (
        "this object is static, and by its class's __eq__ and __hash__ it is another one, so it "
        "compiles anew; register its class as a pytree, so that its arrays and numbers are traced, "
        "or pass these as arguments"
    ),
    "LIBRARY_OBJECT": (
        "this object is static, and it is not equal to the one before, so it compiles anew; make "
        "it once, outside, and use the same one in all calls"
    ),
    "FUNCTION": (
        "a function passed as an argument is compared by identity, so a new lambda, inner def, "
        "partial or jax.jit(f) compiles anew; make it once, outside"
    ),
    "MADE_ANEW": (
        "this object is static and compared by the functions in it, which are new each time that "
        "it is made, even with the same settings; make it once, outside, and pass the same one"
    ),
    "CLOSURE": (
        "a variable closed over is baked into the program as a constant; pass it as an argument "
        "and define the jitted function once, outside"
    ),
    "PLACEMENT": (
        "the devices and the sharding of the inputs are part of the program; place the inputs in "
        "the same way in all calls, with jax.device_put or out_shardings"
    ),
}
"""By what differs: why it compiles anew, and the fix."""

CAUSES = {
    "NEW_FUNCTION": (
        "{where} was compiled again{seen}: it is a new function object each time (a lambda or a "
        "def inside another function), and the function object is a key of jit's cache. Define it "
        "once, at the top of the module, and apply jax.jit there."
    ),
    "NEW_WRAPPER": (
        "{where} was compiled again{seen}: jax.jit was given a new object ({new}), and that "
        "object is a key of jit's cache. Make it and apply jax.jit once, outside, and keep the "
        "result."
    ),
    "HANDED": (
        "{where} was compiled again{seen}: {operation} was called outside jit with a new function "
        "object, so it traces and compiles at every call. Put it inside a function decorated with "
        "@jax.jit."
    ),
    "FORM": (
        "{where} was compiled again{seen}{lines}: passing an argument by position, by keyword or "
        "in another keyword order makes a different call to jit. Pass the arguments in one way "
        "everywhere."
    ),
    "CLEARED": (
        "{where} was compiled again because jax.clear_caches() was called: it throws every "
        "compiled program away. Remove that call."
    ),
    "SETTING": (
        "{where} was compiled again because the option {name} was {old} and is now {new}: options "
        "are part of jit's cache key. Set them once, before the first call."
    ),
    "TRANSFORM": (
        "{where} was compiled once more for grad or vmap applied to it outside jit: put the "
        "transformation inside, as in jax.jit(jax.value_and_grad(f))."
    ),
    "OPTION": (
        "{where} was compiled again because jax.jit was given {name}={old} before, and "
        "{name}={new} now. Apply jax.jit once, outside, and keep the result."
    ),
    "UNKNOWN": (
        "{where} was compiled again, and the cause is not known: in all that the kit records of a "
        "call (function, structure, shapes, dtypes, static values, devices, options), nothing "
        "differs."
    ),
}
"""By what differs: the whole sentence."""

# What is wrong. `{reasons}` are sentences from above.
TOO_MANY = (
    "call {call} compiled {count}, at most {budget} are allowed for new shapes or static values. "
    "{reasons} Compiling takes far longer than running."
)
TWICE_IN_A_CALL = (
    "call {call} compiled `{name}` more than once, and once is enough for a shape. {reason}"
)
SEVERAL_FUNCTIONS = (
    "the calls run {count} different jitted functions ({names}), and the task asks for one: Python "
    "chooses between them at each call, and jit keeps the programs of each by itself. Put all of "
    "it into one function under `jax.jit`. What Python chooses by can be a static argument."
)
SAME_CALL = (
    "call {call} compiled {count} although a call with the same shapes, dtypes and plain Python "
    "values had been made before: it should have run what was compiled then. {reasons}"
)
OTHER_NUMBERS = (
    "call {call} compiled {count} although only its plain Python numbers differ from those of a "
    "call before, and one program is enough for all numbers. {reasons}"
)
OTHER_FLOATS = (
    "call {call} compiled {count} although only its plain Python floats differ from those of a "
    "call before, and the two programs are the same but for numbers: traced floats need one "
    "program for all. {reasons}"
)
SAME_CALL_EAGER = (
    "call {call} compiled {count} although a call with the same shapes, dtypes and plain Python "
    "values had been made before: a shape depends on the data, or jit is given a new function at "
    "each call, such as a functools.partial. Keep shapes fixed, mask with jnp.where instead of "
    "selecting, and do it inside one function that is jitted once, outside."
)
OVER_TOTAL = (
    "all calls together compiled {count} programs, at most {budget} are allowed: {cause}. {reasons}"
)
SIZES_VARY = (
    "sizes vary too freely. Pad to a few sizes and mask the padding, so that calls share programs"
)
KEYS_VARY = "calls that could share a program do not"
EAGER = (
    "{count} outside jit ({names}): each is sent to the device by itself, so XLA cannot fuse them "
    "and Python pays for each. {fix}{pad}"
)
EAGER_FIX = "Put the whole function under one jax.jit."
EAGER_FIX_SEVERAL = "Put them inside a jitted function, which a Python function may call."
PAD = " Pad the data before that, in NumPy, to save compilations: np.pad compiles nothing."
EAGER_PAD = (
    "`jnp.pad` outside of jit is compiled for each length. Pad with `np.pad`, which compiles "
    "nothing; what is jitted can stay as it is."
)
EAGER_SEEN = (
    "{count} of JAX ran outside jit: each is sent to the device by itself, so XLA cannot fuse "
    "them and Python pays for each. Put them inside the jitted function."
)
JIT_DISABLED = (
    "jit is switched off here ({what}), so every operation runs by itself, as without `jax.jit`. "
    "That is for debugging: remove it."
)
NO_PROGRAM = (
    "nothing was compiled from a function of yours: JAX compiles what is given to jax.jit. "
    "Decorate the function with @jax.jit."
)
MANY_DISPATCHES = (
    "one call runs {count} compiled programs one after another, at most {budget} are allowed: "
    "a Python loop over a jitted step goes back to Python each time. Use jax.lax.scan or "
    "jax.lax.fori_loop inside one jitted function."
)
MANY_DISPATCHES_OF_SEVERAL = (
    "one call runs {count} compiled programs one after another, at most {budget} are allowed: "
    "each start goes back to Python. Let one jitted function do more of the work: a whole step, or "
    "all the steps with jax.lax.scan."
)
CALL_FAILED = "call {call} raised {error}. Compilations can only be judged when all calls return."
NOT_JITTED = (
    "Part of the work ({names}) is done outside of any jitted function: each operation there is "
    "compiled and started by itself. Put all of it inside one function under `jax.jit`."
)
OUTSIDE_JIT = (
    "This line is outside of any jitted function: Python runs it at each call, with values that a "
    "compiled program does not know. Put the whole function under one `jax.jit`, and let the "
    "program choose: `jnp.where`, `lax.cond` and `lax.switch` in place of a Python branch, masks "
    "in place of a selection."
)
WORKS_PLAINLY = (
    "In the notebook the call works, because this line is not under `jax.jit`. The check compiles "
    "the whole function, and there it fails."
)
UNROLLED = (
    "A loop is unrolled: from {few} to {many} iterations the program grows from {sizes} "
    "operations. Compiling then takes ever longer. Write the loop as `lax.scan` or "
    "`lax.fori_loop`, whose program does not grow unless `unroll` tells it to."
)
UNROLLED_CHUNKS = (
    "A loop over chunks of iterations is unrolled: from {few} to {many} iterations the program "
    "grows from {loops} loops. Compiling then takes ever longer. Write one `lax.scan` or "
    "`lax.fori_loop` for all iterations."
)
UNROLLED_FAR = (
    "A loop is unrolled: for {many} iterations the program has more than {most} operations. "
    "Compiling it may take minutes. Write the loop as `lax.scan` or `lax.fori_loop`, whose program "
    "does not grow unless `unroll` tells it to."
)
UNROLLED_DATA_FAR = (
    "A Python loop over the data is unrolled: for all data sets the program has more than {most} "
    "operations. Compiling it may take minutes. Map over the data sets with `jax.vmap` or "
    "`lax.map`, whose program does not grow."
)
UNROLLED_DATA = (
    "A Python loop over the data is unrolled: with more data sets the program grows from {sizes} "
    "operations. Compiling then takes ever longer. Map over the data sets with `jax.vmap` or "
    "`lax.map`, whose program does not grow."
)

PAGES = {
    "call-failed": (
        "One of the calls raised an error. Compilations can only be judged when all calls return.",
        "Fix the error that the card shows first.",
    ),
    "compiled-again": (
        "A call compiled a program although the same function, shapes, dtypes and static values "
        "had been compiled before. jit keeps its programs with the function object: a function "
        "that is made anew at each call, or a jit inside the function, has none.",
        "Apply `jax.jit` once, outside of loops and functions, to a function that is defined once. "
        "Pass what changes as an argument, not through a closure.",
    ),
    "outside-jit": (
        "The function works when Python calls it, and fails when jit traces it: one of its lines "
        "needs a value, so it cannot be part of a compiled program.",
        "Put the whole function under one `jax.jit`, and choose with `jnp.where`, `lax.cond` or "
        "`lax.switch`.",
    ),
    "several-functions": (
        "The calls run several jitted functions, chosen by Python, where the task asks for one.",
        "Put all of it into one function under `jax.jit`, with a static argument to choose by.",
    ),
    "too-many-compilations": (
        "The calls compile more programs than needed. jit compiles once for each combination of "
        "shapes, dtypes and static values.",
        "Make static only what must be known when compiling. Convert to one dtype, and pad to a "
        "few sizes where sizes vary.",
    ),
    "eager-code": (
        "Some operations run outside of jit. Each of them is compiled and started by itself, and "
        "XLA cannot fuse them.",
        "Put the whole function under one `jax.jit`.",
    ),
    "jit-disabled": (
        "`jax.disable_jit()` or the setting `jax_disable_jit` makes jitted functions run as plain "
        "Python, one operation after another.",
        "It is for debugging. Remove it when you have found the bug.",
    ),
    "many-programs-run": (
        "One call starts many compiled programs, one after another: a Python loop goes back to "
        "Python for each step.",
        "Write the loop as `lax.scan` or `lax.fori_loop`, inside one jitted function.",
    ),
    "no-program": (
        "Nothing was compiled: JAX compiles only what is given to `jax.jit`.",
        "Decorate the function with `@jax.jit`.",
    ),
    "unrolled": (
        "A Python loop inside a jitted function is unrolled: each iteration adds its operations to "
        "the program, and compiling takes ever longer.",
        "Write the loop as `lax.scan` or `lax.fori_loop`.",
    ),
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())
