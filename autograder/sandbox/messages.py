"""Messages about running the cells, and about the functions and answers that a check needs."""

from __future__ import annotations

from autograder.core.templates import make_templates

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
GRADER_PATCHED = (
    "`{name}`, a part of the grader, was replaced while the notebook ran. What is observed in "
    "this process can no longer be trusted. Remove the code that changes the grader."
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

make_templates(globals())
