"""What a check looks for in the notebook: functions and answers under their names."""

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

make_templates(globals())
