"""Messages about running the cells, and about the functions and answers that a check needs."""

from __future__ import annotations

from autograder.model.templates import make_templates

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
WRONG_SIGNATURE = (
    "`{name}{signature}` cannot be called as {call}: {problem}. Keep the arguments of the code you "
    "were given: their number and their order."
)
NEWER_SYNTAX = (
    "{problem}\nPython {here}, which runs the notebook here, cannot read this line: it is written "
    "for Python {there} or newer. That is no mistake, and a person decides. Written for Python "
    "{here}, it can be checked here too."
)
NEWER_PYTHON = (
    "{problem}\nPython {here}, which runs the notebook here, cannot read this line. The notebook "
    "was saved with Python {there}, which reads more. So this may be no mistake, and a person "
    "decides. If the cell runs where you wrote it, write the line for Python {here}, and it can be "
    "checked here too."
)
TIMED_OUT = (
    "Running the notebook took longer than {seconds:g} s and was stopped. Does a loop ever end? "
    "Restart the kernel, run all cells, and see which one hangs."
)
STALLED = (
    "Running the notebook took longer than {seconds:g} s, although it computed little, and was "
    "stopped. Does a cell sleep, or wait for something? Remove that, and run all cells again."
)
TOO_MUCH_MEMORY = (
    "Running the notebook took more than {gib:.3g} GiB of memory and was stopped. Look for arrays "
    "that are far larger than the data."
)
TOO_MANY_PROCESSES = (
    "The notebook started more than {processes} processes, or more than {threads} threads, and was "
    "stopped. A lesson needs none."
)
DIED = (
    "The process that ran the notebook ended before it was done. A cell exits Python, or asks "
    "for more memory than there is."
)

PAGES = {
    "empty-notebook": (
        "The notebook has no cell with code of yours.",
        "Take a fresh copy of the exercise, paste your solution into it, and save it before you "
        "hand it in.",
    ),
    "missing-function": (
        "The check calls the function by its name, and found none of this name.",
        "Define it under exactly this name, run its cell, and check again.",
    ),
    "not-callable": (
        "The name stands for something that cannot be called, most often because a later cell "
        "used it for a result.",
        "Give the result another name, and run the cell that defines the function again.",
    ),
    "not-answers": (
        "The answers must be a dictionary, and another value has taken its name.",
        "Run the cell that fills in the answers again.",
    ),
    "wrong-signature": (
        "The function does not take the arguments that the check calls it with.",
        "Keep the arguments of the code that you were given: their number and their order.",
    ),
    "adapter-failed": (
        "What the check makes of your class or function failed.",
        "Read the error, and keep the names, fields and arguments that the lesson asks for.",
    ),
    "adapter": (
        "Your class or function lacks something that the lesson asks for; the card says what.",
        "Add it, run its cell, and check again.",
    ),
    "cell-failed": (
        "A cell raised an error before the function could be called.",
        "Fix the error in the line that the card shows. Restart the kernel and run all cells: what "
        "works only in your order of running cells fails there.",
    ),
    "newer-python": (
        "The notebook was written for a newer Python than the one that grades. What only the newer "
        "one can read was not run.",
        "Write it for the older Python, or leave it to the person who grades.",
    ),
    "behaviour": (
        "The function was called as the lesson says, and did something else; the card says what.",
        "Do the same call in a cell, and compare.",
    ),
    "error": (
        "The function raised an error of its own when it was called with the exercise's inputs.",
        "Call it with the inputs that the card shows. Its last lines say what failed, and where.",
    ),
    "kit-error": (
        "The kit itself failed, or the machine was too busy. It is not your fault, and it costs no "
        "points.",
        "Run the check again. If it happens again, report the text to the kit's issue tracker.",
    ),
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())
