"""Messages about the questions that students are asked about their own programs."""

from __future__ import annotations

from autograder.model.questions import Kind
from autograder.model.templates import make_templates

ASK = {
    Kind.LINES: (
        "JAX traces `{call}` and compiles what it has recorded. Which of these lines left "
        "operations in that program, so that they run at every call? (The others run in Python "
        "while JAX traces, or not at all.)"
    ),
    Kind.CALLS: (
        "`{call}` has been called once. Then these calls follow, in this order, and arrays hold "
        "other numbers each time. Which of the calls compile another program?"
    ),
    Kind.ARGUMENTS: (
        "`{call}` has been called once. Then one argument at a time gets another value, of the "
        "same type and shape, and the others stay as they were. For which arguments is another "
        "program compiled?"
    ),
    Kind.PROGRAMS: (
        "In a fresh kernel, these calls are made in this order, and arrays hold other numbers each "
        "time. How many programs do the calls compile in all?"
    ),
}

NO_PROGRAM = (
    "There is nothing to defend in `{exercise}`: no program of yours is compiled for its check."
)
NO_QUESTION = (
    "There is nothing to ask about your program: all of its lines run at every call, and all calls "
    "compile alike."
)
CHECK_FIRST = (
    'Run `check("{exercise}")` first. Once it passes, run this cell again: it asks about the '
    "program that passed."
)
UNASKABLE = "Your program could not be asked about: {problem}"

STALE = (
    "These answers are about program {given}, and your program is {program} now: it has changed "
    "since. Run the cell again, and answer what it asks."
)
NO_ANSWERS = (
    "The questions about your program are not answered. Run the cell, and write your answers into "
    "its call of `defend`."
)
NOT_PLAIN = (
    "The answers cannot be read from the cell. Keep one call of `defend` in it, outside of any "
    "block, with plain values: `{call}`."
)
UNREAD = (
    "The answers could not be read ({problem}), so there is no mark yet: a person decides. Write "
    "plain values into the call of `defend`."
)
MISSING = "`{kind}` is not answered."
WRONG = {
    Kind.LINES: (
        "`lines` is not right. A line leaves operations where it computes with traced arrays. "
        "Shapes, Python numbers and branches are settled while JAX traces. `jax.make_jaxpr` shows "
        "what is left."
    ),
    Kind.CALLS: (
        "`calls` is not right. A call runs the program of an earlier call with the same shapes, "
        "dtypes and static values. A `print` in your function shows, for the moment, when JAX "
        "traces."
    ),
    Kind.ARGUMENTS: (
        "`arguments` is not right. Which arguments does your function take as arrays, and which as "
        "static values?"
    ),
    Kind.PROGRAMS: (
        "`programs` is not right. Count each combination of shapes, dtypes and static values once: "
        "other numbers in an array are nothing new."
    ),
}

make_templates(globals())
