"""Messages about notebooks and folders that were handed in."""

from __future__ import annotations

from autograder.model.templates import make_templates

UNREADABLE_NOTEBOOK = (
    "{path} cannot be read as a notebook: {problem}. Open it in JupyterLab and save it again, or "
    "take a fresh copy of the exercise and paste your solution into it."
)
TOO_LARGE_FILE = (
    "{path} has more than {limit} MB and was not read. In JupyterLab, choose Edit > Clear Outputs "
    "of All Cells, save the notebook, and hand it in again."
)
NO_KIT_CELLS = (
    "{path} has no cell for exercise {exercise!r}. Take a fresh copy of the exercise and paste "
    "your solution into it."
)
MISSING_CELL = "The cell `{cell}` was missing and was restored. Your functions count in any cell."
DOUBLED_CELL = "The cell `{cell}` was there more than once; it counts once."
MORE_THAN_A_CHECK = (
    "The cell `{cell}` held code of yours beside the call. It counts: it stands in a cell of its "
    "own now, above that one."
)
CODE_AGAIN = "The cell `{cell}` had become text; it is code again, as it was given to you."
TEXT_AGAIN = "The cell `{cell}` had become code; it is text again, as it was given to you."
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
WHICH_NOTEBOOK = (
    "{graded} was graded, and {others} may be meant instead: a person decides. Keep the one that "
    "counts, and remove the others"
)
ONLY_CHECKPOINT = (
    "{graded} was graded, an earlier state that Jupyter has kept: no other file holds any work"
)
WORK_BESIDE = "{graded} is as released, and {names} may hold the work: a person decides"
NOT_OPENED = "Handed in, and not opened: {names}. Hand in the notebook itself."
NOT_THE_NOTEBOOK = "Handed in too, and not graded: {names}."
AS_RELEASED = "as released"
EMPTY_FILE = "empty"
NO_READABLE_NOTEBOOK = "cannot be read as a notebook"
OF_LESSON = "of the lesson {lesson}"
NOT_OF_LESSON = "not of this lesson"
SAME_WORK = "the same work"
CHECKPOINT = "an earlier state that Jupyter has kept"
NO_NOTEBOOK = "no {expected} was handed in"
LEFT_BEHIND = (
    "Not graded and not carried along: {names} (a link, not a regular file, not readable, or too "
    "many folders deep)."
)
NOT_NAMED = "the code does not name it"
NO_FILE = "it is a link, or it cannot be read"
LARGE_FILE = "it has more than {limit} MB"
LARGE_TOGETHER = "the files that the code names have more than {limit} MB together"
LEFT_BESIDE = (
    "These files lie beside the notebook, and were not there when its cells ran: {names}. Name a "
    "file in the code by its whole name, and keep it small, or put what it holds into a cell."
)
LINKED_FOLDER = "the folder that was handed in is a symbolic link, and is not followed"
NO_READER = "the process that reads submissions could not be started: {problem}"
OUT_OF_LIMITS = {
    "time": "reading it takes more than {seconds:g} s",
    "memory": "reading it takes more than {gib:.3g} GiB of memory",
    "depth": "it is nested too deeply",
    "died": "the process that reads it ended",
}
READING_FAILED = "the kit itself failed on it: {error}"
UNREAD_SOURCE = (
    "The code could not be read ({problem}), so what was seen of it is only observed. This costs "
    "no points. Look for expressions, classes or values that are very long, or nested in one "
    "another many times, and write them plainly."
)
SLICE_FAILED = (
    "What the function needs does not pass by itself, so other cells were run too, and not all of "
    "them are proved."
)
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
