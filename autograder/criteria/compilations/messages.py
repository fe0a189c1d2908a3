"""The texts of the compilations criterion.

Each text says what happened and on which line, why JIT cares, and the smallest fix.
"""

from __future__ import annotations

from autograder.model.templates import Text, join_texts, make_templates

# Why one program was compiled. `{where}` is, for example, "`step` (line 52)".
CHANGE = "`{name}` was {old} and is now {new}{more}"
MORE_CHANGES = " (and {count} more)"
ABSENT = "absent"
ANOTHER = "another one"

REPAIRS = {
    "SHAPE": "each new shape is a new program; keep shapes fixed, or pad to a few sizes and mask",
    "DTYPE": "each new dtype needs a new program; convert once with jnp.asarray(x, dtype)",
    "WEAK": (
        "a Python number is weakly typed, which is another type to jit; pass jnp.asarray(v, dtype) "
        "every time, and build arrays with a dtype, as in jnp.full(shape, 0.0, dtype)"
    ),
    "STATIC": (
        "a static value is part of the program, so each new one compiles anew; take it out of "
        "static_argnums, unless it sets a shape and takes few values"
    ),
    "STATIC_FIELD": (
        "a static field (aux data) is part of the program, so each new value compiles anew; make "
        "it a data field (a child), unless it sets a shape or a branch and takes few values"
    ),
    "NOT_AN_ARRAY": (
        "this library's jit takes what is no array as static, so each new value compiles anew; "
        "pass numbers as arrays, by jnp.asarray, and make functions once, outside"
    ),
    "NAN": "nan equals nothing, not even nan, so each compiles anew; pass it as a traced argument",
    "STRUCTURE": "the structure is part of the program; keep containers, keys and Nones the same",
    "OBJECT": (
        "this static object is compared by identity, so each new instance compiles anew; register "
        "its class as a pytree, or make it a frozen dataclass if it holds nothing but settings"
    ),
    "UNEQUAL": (
        "this object is static, and by its class's __eq__ and __hash__ it is another one, so it "
        "compiles anew; register its class as a pytree, so that its arrays and numbers are traced"
    ),
    "FUNCTION": (
        "a static function is compared by identity, so a new lambda, def, partial, jax.jit(f) or "
        "optimizer compiles anew, even with the same settings; make it once, outside"
    ),
    "CLOSURE": "a variable closed over is a constant; pass it to a function that is jitted once",
    "FORM": "by position and by keyword are two calls; pass each argument in one way",
    "PLACEMENT": "devices and sharding are part of the program; place inputs alike, by device_put",
    "OPTION": (
        "options of JAX and of jax.jit are part of the key of jit's cache; set them once, before "
        "the first call, apply jax.jit once, outside, and keep the result"
    ),
}
"""By what differs in what is given to jit: why it compiles anew, and the fix."""

CAUSES = {
    **{fix: f"{{where}} was compiled again because {{change}}: {s}." for fix, s in REPAIRS.items()},
    "FIRST": "{where} was compiled for the first time: this is expected once.",
    "NEW_FUNCTION": (
        "{where} was compiled again: it is a new function object each time ({new}), and that "
        "object is a key of jit's cache. Define it once, at the top of the module, and apply "
        "jax.jit there."
    ),
    "HANDED": (
        "{where} was compiled again: {operation} was called outside jit with a new function "
        "object. Put it inside a function decorated with @jax.jit."
    ),
    "CLEARED": "{where} was compiled again: jax.clear_caches() was called. Remove that call.",
    "TRANSFORM": (
        "{where} was compiled once more for grad or vmap applied to it outside jit: put the "
        "transformation inside, as in jax.jit(jax.value_and_grad(f))."
    ),
    "PLAIN_CALL": (
        "{where} was compiled once more for a call without grad or vmap: outside jit, these "
        "have programs of their own."
    ),
    "UNKNOWN": (
        "{where} was compiled again, and the cause is not known: nothing differs in all that the "
        "kit records of a call."
    ),
}
"""By what differs: the whole sentence."""

CHANGE_SEEN = "{change}"
NOT_KNOWN = "the cause is not known"
CHANGES = {
    "NEW_FUNCTION": "a new function object ({new})",
    "HANDED": "{operation}, outside jit, got a new function object",
    "CLEARED": "jax.clear_caches() was called",
    "TRANSFORM": "grad or vmap was applied to it outside jit",
    "PLAIN_CALL": "it was called without grad or vmap",
}
"""By what differs: why a program was compiled again, in a few words."""

# `compiles` and `pytest --compiles-report`.
FIRST_IN_BLOCK = (
    "{where} was compiled for the first time in this block. To compare it with what was compiled "
    "before the block, run `pytest --compiles-report`."
)
TOO_MANY_IN_BLOCK = "this block compiled {count}, at most {at_most} allowed:"
AND_MORE = "and {count} more"
MARK_FORM = "write the mark as `@pytest.mark.compiles(at_most=1)`, with `of=step` if you wish"
WHILE_IMPORTING = "while the tests were imported"
MORE_TESTS = "{tests} more: {programs}"
COMPILED_IN_ALL = "{tests} compiled {programs} of this project's functions in {seconds} s."
COMPILED_OTHERS = (
    "JAX's single operations and other packages: {others}, in {seconds} s. They count for no limit."
)
ALL_WITH_V = "`pytest --compiles-report -v` lists all of them, and says how to fix each."
NOT_A_FUNCTION = "`of` must be a Python function, jitted or not, not {of}"

# What was seen. `{reasons}` are sentences from above; the fix of the rule's page follows.
COMPILED_AGAIN = "call {call} compiled {count} although {known}.\n{reasons}"
KNOWN = {
    "same": "a call with the same shapes, dtypes and plain Python values had been made before",
    "numbers": (
        "only its plain Python numbers differ from those of a call before: one program is enough "
        "for all, where they are traced"
    ),
}
"""By what a call is like one before: why it needs no program of its own."""
TOO_MANY = "call {call} compiled {count}, at most {budget} are allowed in one call.\n{reasons}"
TWICE_IN_A_CALL = "call {call} compiled `{name}` more than once, and once is enough.\n{reasons}"
OVER_TOTAL = "all calls together compiled {count}, at most {budget} are allowed.\n{reasons}"
SEVERAL_FUNCTIONS = "the calls run {count} jitted functions ({names}), and the task asks for one."
EAGER = "{count} outside jit ({names})."
PAD = "Pad with `np.pad`, which compiles nothing: `jnp.pad` is compiled for each length."
MANY_DISPATCHES = "one call runs {count} programs one after another, at most {budget} are allowed."
CALL_FAILED = "call {call} raised {error}."
WORKS_PLAINLY = (
    "In the notebook the call works, because this line is not under `jax.jit`. The check compiles "
    "the whole function, and there it fails."
)
UNROLLED = (
    "A loop is unrolled: from {few} to {many} iterations {growth}.\n"
    "Write the loop as `lax.scan` or `lax.fori_loop` over all iterations: its program does not "
    "grow unless `unroll` tells it to."
)
UNROLLED_DATA = (
    "A Python loop over the data is unrolled: with more data sets {growth}.\n"
    "Map over the data sets with `jax.vmap` or `lax.map`, whose program does not grow."
)
GROWS = "the program grows from {first} to {last}, and compiling takes ever longer"
IS_LARGE = "the program grows to more than {last} operations; compiling may take minutes"

PAGES = {
    "call-failed": (
        "Compilations can only be judged when all calls return, and one raised an error.",
        "Fix the error that the card shows first.",
    ),
    "compiled-again": (
        "A call compiled a program although one for the same shapes, dtypes and static values was "
        "there. jit keeps its programs with the function object, and a new one has none.",
        "Define the function once, and apply `jax.jit` to it once, outside of loops and functions.",
    ),
    "outside-jit": (
        "This line is outside of any jitted function: Python runs it at each call, with values "
        "that a compiled program does not know.",
        "Put the whole function under one `jax.jit`, and let the program choose: `jnp.where`, "
        "`lax.cond` and `lax.switch`, or a mask in place of a selection.",
    ),
    "several-functions": (
        "Python chooses between several jitted functions at each call, and jit keeps the programs "
        "of each by itself.",
        "Put all of it into one function under `jax.jit`. What Python chooses by can be a static "
        "argument.",
    ),
    "too-many-compilations": (
        "jit compiles once for each combination of shapes, dtypes and static values: more than "
        "needed.",
        "Make static only what sets a shape, convert to one dtype, pad to a few sizes.",
    ),
    "eager-code": (
        "Operations outside of jit are sent to the device one by one, so XLA cannot fuse them and "
        "Python pays for each.",
        "Put the whole function under one jax.jit; where several programs are allowed, put them "
        "inside a jitted function, which a Python function may call.",
    ),
    "jit-disabled": (
        "jit is switched off here, by `jax.disable_jit` or the setting `jax_disable_jit`, so every "
        "operation runs by itself, as without `jax.jit`.",
        "That is for debugging: remove it.",
    ),
    "many-programs-run": (
        "Python starts each compiled program by itself, and in between nothing is fused.",
        "Use jax.lax.scan or jax.lax.fori_loop inside one jitted function in place of a Python "
        "loop, and let one jitted function do a whole step.",
    ),
    "no-program": (
        "Nothing was compiled from a function of yours: JAX compiles what is given to `jax.jit`.",
        "Decorate the function with `@jax.jit`.",
    ),
    "unrolled": (
        "A Python loop inside a jitted function is unrolled: each iteration adds its operations to "
        "the program, and compiling takes ever longer.",
        "Write the loop as `lax.scan` or `lax.fori_loop`.",
    ),
}
"""By rule: cause and fix, as `autograder explain` shows them, and as findings end."""
RULES = tuple(PAGES)

make_templates(globals())


def page_text(rule: str, seen: str = "", advice: str = "") -> Text:
    """Return what was seen; and below it, why it matters and how it is fixed."""
    page = join_texts(" ", filter(None, [advice, *PAGES[rule]]))
    return join_texts("\n", (seen, page)) if seen else page


def plural(count: int, noun: str) -> str:
    """Write how many there are of something."""
    return f"{count} {noun}" + ("" if count == 1 else "s")
