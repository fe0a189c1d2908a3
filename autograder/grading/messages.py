"""Messages about notebooks and folders that were handed in."""

from __future__ import annotations

from autograder.core.templates import make_templates

UNREADABLE_NOTEBOOK = (
    "{path} cannot be read as a notebook: {problem}. Open it in JupyterLab and save it again, or "
    "take a fresh copy of the exercise and paste your solution into it."
)
NO_KIT_CELLS = (
    "{path} has no cell for exercise {exercise!r}. Take a fresh copy of the exercise and paste "
    "your solution into it."
)
MISSING_CELL = "The cell `{cell}` was missing and was restored. Your functions count in any cell."
DOUBLED_CELL = "The cell `{cell}` was there more than once; it counts once."
MARKED_AGAIN = "The marks that nbgrader keeps in cell `{cell}` were changed; they were restored."
SHOWN_AS_TYPED = (
    "HTML in a text (or a link that runs a script, or a very long text) is shown as it was typed."
)
IMAGE_LEFT_OUT = (
    "The image `{name}` in a text was left out: paste a PNG, JPEG, GIF or WebP of at most {mib} "
    "MiB."
)
RENAMED = "The notebook was handed in as {found}; it was graded as {expected}."
SEVERAL_NOTEBOOKS = (
    "there is no {expected}, and several notebooks ({found}) could be meant: keep one of them"
)
NO_NOTEBOOK = "no {expected} was handed in"
LEFT_BEHIND = (
    "Not graded and not carried along: {names} (a link, not a regular file, not readable, or too "
    "many folders deep)."
)
LINKED_FOLDER = "the folder that was handed in is a symbolic link, and is not followed"
BAD_TIMESTAMP = (
    "timestamp.txt holds {text!r}, which is not a time such as 2026-12-01 18:00:00 +0100: no "
    "lateness was counted"
)
UNKNOWN_ZONE = (
    "timestamp.txt holds {text!r}, and {zone!r} says no offset for sure in a course whose times "
    "are in {own}: no lateness was counted"
)
NO_SUCH_TIME = (
    "timestamp.txt holds {text!r}, which the clocks of {zone} showed twice or never: no lateness "
    "was counted"
)
TIMESTAMP_EMPTY = "timestamp.txt is empty: no lateness was counted"
TIMESTAMP_NO_FILE = "timestamp.txt is not a file that can be read: no lateness was counted"

make_templates(globals())
