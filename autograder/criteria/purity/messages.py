"""The teaching texts of the purity criterion, by rule: why JIT cares, and the smallest fix."""

from __future__ import annotations

from autograder.model.finding import Severity
from autograder.model.templates import make_templates

WARNINGS = frozenset({"untaken-effect", "pure-callback", "static-memo", "nan-without-jit"})
"""Rules that only inform. They cost no points."""


_ONCE = (
    "Under jit the Python body runs only while JAX traces it: once for each new combination of "
    "shapes, dtypes and static values, and not when a compiled program runs again."
)
_BAKED = (
    "Under jit the value is read once, while tracing, and frozen into the compiled program: "
    "later calls keep using the old value."
)
_STATE = (
    "jit runs the Python body only while tracing, so the change does not happen at every call, "
    "and what it stores may be a tracer, which cannot be used afterwards."
)
_ARGUMENT = "Pass the old value in as an argument and return the new one."

# By rule: why JIT breaks such code, and the smallest repair.
LESSONS: dict[str, tuple[str, str]] = {
    "global-mutated": (_STATE, _ARGUMENT),
    "closure-mutated": (_STATE, _ARGUMENT),
    "context-mutated": (_STATE, _ARGUMENT),
    "default-mutated": (
        _STATE + " A default value is created once, when `def` runs, and shared by all calls.",
        "Use `None` as the default and create the object inside the function.",
    ),
    "attribute-mutated": (
        _STATE,
        "Return a new object (`dataclasses.replace`, `_replace`) instead of assigning to it.",
    ),
    "iterator-advanced": (
        "An iterator remembers its position. " + _BAKED,
        "Pass the value in as an argument, or create the iterator inside the function.",
    ),
    "array-memoised": (
        "A cache of arrays keeps what an earlier call computed. " + _STATE,
        "Compute the array again (jit already caches the program), or cache only static values.",
    ),
    "argument-mutated": (
        "The caller's own object changes, but under jit the function gets a rebuilt copy: the "
        "plain and the jitted function do different things.",
        "Copy first (`d = dict(d)`) or use `x.at[i].set(v)`, and return the new value.",
    ),
    "argument-donated": (
        "A donated buffer is given to XLA for reuse, and `x.delete()` frees one: any later use of "
        "the array raises RuntimeError.",
        "Donate (`donate_argnums`) or delete only arrays that the function itself made.",
    ),
    "leaked-tracer": (
        "While tracing, a value is only a placeholder (a tracer); kept beyond the call it raises "
        "UnexpectedTracerError at its next use.",
        "Return the value instead of storing it.",
    ),
    "prints": (
        _ONCE,
        "Return the value and print it outside; use `jax.debug.print` while debugging only.",
    ),
    "logs": (_ONCE, "Return the value and log it outside the function."),
    "warns": (_ONCE, "Check the inputs before the function is called, and warn there."),
    "reads-clock": (_BAKED, "Measure time outside the function."),
    "sleeps": (_ONCE, "Remove it; wait outside the function if you must."),
    "random-state": (
        "A hidden random state is used. " + _BAKED,
        "Take a key as an argument and draw with `jax.random`.",
    ),
    "reads-environment": (_BAKED, "Read it outside and pass it as an argument."),
    "environment-changed": (_ONCE, "Change the environment outside the function."),
    "file-access": (_ONCE, "Read and write files outside, and pass the data."),
    "network": (_ONCE, "Fetch the data outside and pass it as an argument."),
    "process": (_ONCE, "Start programs outside the function."),
    "thread": (_ONCE, "Remove the thread: XLA runs the program in parallel by itself."),
    "interpreter-changed": (_ONCE, "Leave settings of the process alone here."),
    "deferred-call": (_ONCE, "Do the work in the function; register nothing."),
    "module-patched": (
        "All other code of the process then runs the replacement, JAX's own included.",
        "Leave modules alone: define a function of your own and call that.",
    ),
    "jax-config-changed": (
        "The setting changes how everything is traced afterwards. " + _ONCE,
        "Set the configuration once, at the top of the program.",
    ),
    "stale-global": (_BAKED, "Pass it as an argument, so that jit sees every new value."),
    "untaken-mutation": (
        "These arguments take another branch, but other shapes, flags or a later call will take "
        "this one: " + _STATE,
        "Return the new value instead, in every branch.",
    ),
    "untaken-effect": (
        "These arguments take another branch. " + _ONCE,
        "Do it outside the function.",
    ),
    "results-differ": (
        "A pure function gives the same result for the same arguments, always; jit relies on it "
        "and would freeze whatever the first call saw.",
        "Look for randomness, counters, clocks or caches, and pass what varies as an argument.",
    ),
    "retrace-differs": (
        "Something besides the arguments became part of the program. " + _BAKED,
        "Pass every value that may vary as an argument.",
    ),
    "jit-differs": (
        "The Python body and the compiled program disagree, so the result depends on something "
        "that is read while tracing, or on whether JAX is tracing at all.",
        "Compute the result from the arguments alone, in the same way every time.",
    ),
    "nan-without-jit": (
        "0 * inf and 0 * NaN are NaN. XLA makes a choice of a product with a mask, so that the "
        "compiled program has no NaN. Not every program, and not every gradient, has this luck.",
        "Choose in place of multiplying: `jnp.where(mask, x, 0)`.",
    ),
    "host-callback": (
        "An effect in the compiled program makes it impure: XLA may reorder, repeat or drop "
        "calls back into Python, and the program cannot be exported.",
        "Return the values and handle them outside the function.",
    ),
    "pure-callback": (
        "The compiled program stops and calls Python each time; it is slow and cannot be exported.",
        "Write the computation with jax.numpy.",
    ),
    "debug-print": (
        "It is part of the compiled program and goes back to Python at every call, to print or to "
        "do something else: a side effect, which takes time and is no result.",
        "Remove it when you have found the bug. What you want to see or to check, return, and "
        "print it or raise the error outside of the function.",
    ),
    "static-memo": (
        "The remembered value depends on static things only (a shape, a number), so jit does no "
        "harm here.",
        "Nothing needs to be repaired; a tuple built at the top of the file is simpler.",
    ),
    "inspects-interpreter": (
        "The result then depends on who is calling or watching. " + _BAKED,
        "Compute with the arguments alone.",
    ),
}

RULES = tuple(LESSONS)

CHANGES = {
    "array-memoised": "the cache of {name} keeps what a call computed",
    "module-patched": "{name} is replaced",
    "thread": "a thread is left running",
}
"""The message about a change where it is not what the value was and is."""
VALUE_CHANGES = "{name} changes from {before} to {after}"
CONTENT_CHANGES = "{name} changes its content"
DELETED = "the array {name} is deleted"
TRACER_LEFT = "a tracer is left in {name}"
PROPERTY_CACHED = "the property {name} is cached"
REMEMBERS = "`{path}` remembers a static value"
DEBUG_PRINT = "jax.debug.print or jax.debug.callback is used"
PURE_CALLBACK = "jax.pure_callback is used"
HOST_CALLBACK = "`{name}` calls back into Python"
OTHERWISE = "after calls with other arguments, the function does something else than before them"
KEPT = OTHERWISE + ": `{function}` is not traced again, so jit keeps what it read then"
KEPT_STATE = (
    OTHERWISE + ": each call sets `{state}`, and `{function}`, which reads it, is not traced again"
)
TRACED_TWICE = "traced twice, the function gives two programs: {difference}"
USED_AFTER = "an array is used after it was donated or deleted"
THEN_RAISES = "the same call works first and then raises {difference}"
ANOTHER_RESULT = "the same arguments give another result"
NAN_WITHOUT_JIT = "without jit, the result has NaN"
WITHOUT_JIT = "the function gives another result without jit"
WITH_JIT = "the jitted function gives another result"
TRACER_USED = "a tracer kept from an earlier trace is used"
WRITES = "the call writes {text}"
DEPENDS = "the result depends on `{name}`, which line {line} changes"
BEHIND = "{what}, in a call with other shapes or flags"
WHOLE = "{where}{what}.\nWhy: {why}\nRepair: {repair}"
AT_LINE = "Line {line}: "
OTHER_TYPES = "called in the notebook it returns {got}, but its compiled program returns {want}"
OTHER_VALUES = (
    "{where} is {got} where the notebook calls the function, and {want} where its compiled program "
    "is run"
)
DISAGREES = (
    "{call}: {difference}.\n"
    "The function depends on something besides its arguments, or does not run as one compiled "
    "function."
)
DIFFERS = (
    "Traced again in another Python process, the function gives another program: `{operation}` "
    "differs. Something from outside was frozen into it: a random number, the time, an id, the "
    "order of a set. Pass it as an argument; sort what has no order."
)
DIFFERS_ALTOGETHER = (
    "In another Python process the function can be traced with some inputs and not with others. "
    "It depends on something besides its arguments: pass that in as an argument."
)

PAGES = {
    **LESSONS,
    "disagrees-with-program": (
        "Called in the notebook, the function returns something else than its compiled program. "
        "The program was traced once; something besides the arguments decides the result.",
        "Pass everything that the result depends on as an argument, and return everything that "
        "changes.",
    ),
    "differs-between-processes": (
        "Traced in another Python process, the function gives another program. Something from "
        "outside was frozen into it: a random number, the time, an id, the order of a set.",
        "Pass it as an argument. Sort what has no order.",
    ),
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())


def text(rule: str, what: str, line: int | None) -> str:
    """Write a message: what happened, on which line, why JIT cares, and the repair."""
    where = AT_LINE.format(line=line) if line else ""
    why, repair = LESSONS[rule]
    return WHOLE.format(where=where, what=what, why=why, repair=repair)


def severity_of(rule: str) -> Severity:
    """Return whether a rule's findings are errors or warnings."""
    return "warning" if rule in WARNINGS else "error"


def name_callback(name: str) -> tuple[str, str]:
    """Return the rule and the words for a primitive that calls back into Python."""
    if name in ("debug_callback", "debug_print"):
        return "debug-print", DEBUG_PRINT
    if name == "pure_callback":
        return "pure-callback", PURE_CALLBACK
    return "host-callback", HOST_CALLBACK.format(name=name)
