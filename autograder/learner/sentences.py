"""What the learner's commands say.

The pytest plug-in imports this module in every project of the environment, so it stays light.
"""

NO_LESSONS = (
    "there are no lessons in {folder}. Make a folder of your own with `autograder start`, which "
    "makes `exercises` here, and run this command again."
)
NO_SUCH_LESSON = "there is no lesson {lesson!r} here.{hint} The lessons are: {lessons}."
NOT_A_LESSON = (
    "{file} names {lesson!r} as its lesson, which is not a lesson of the kit. The notebook was not "
    "run. Move it to another folder, or take a fresh copy of the exercise. The lessons are: "
    "{lessons}."
)
DID_YOU_MEAN = " Did you mean {near}?"
NOT_A_FOLDER = "{path} is a file, not a folder: name a new folder for your exercises."
UNWRITABLE = "{path} cannot be written ({problem}): nothing was changed."
NO_SOURCE = (
    "the script of {lesson}, from which starter and solution are made, was not found: name its "
    "lesson folder with --lessons."
)

CELLS_OUT_OF_ORDER = (
    "Cells of the lesson were deleted, doubled or unmarked. Your functions count in any cell. "
    "`autograder reset {lesson}` restores the notebook and keeps a copy of yours."
)
RESET_HELPS = "`autograder reset {lesson}` does that and keeps a copy of yours."
OTHER_LANGUAGE = (
    "The notebook was saved with a kernel for {language}: choose one for Python 3 (Kernel > "
    "Change Kernel), in which the kit is installed."
)
OTHER_PYTHON = (
    "The notebook was run with Python {there} and checked with Python {here}. If your code works "
    "in only one of them, choose the kernel in which the kit is installed."
)
NOT_KEPT = "{folder} cannot be written, so your progress is not kept."

STARTED = (
    "{folder}: {new} new lessons, {kept} left as they are.\n"
    "  1. {go}autograder next   shows your first task\n"
    "  2. Solve it in {first}, in JupyterLab or any editor, and save.\n"
    "  3. autograder next   checks it, and shows the next task\n"
    "`autograder watch` checks whenever you save; `pytest {where}` checks everything."
)
CHECKING_ALL = "checking your notebooks"
COPYING = "copying the lessons"
CHECKING = "checking {notebook}: {exercise}"

NEXT_WAYS = (
    "Edit it in JupyterLab (`jupyter lab {file}`) or in any editor. `autograder watch` checks it "
    "whenever you save."
)
NO_TASK = "Open the notebook: its headings say what to do."
ALL_DONE = "All checks pass. Well done!"
OF_TRACKS = "; {solved} of {lessons} in the optional tracks"
DO_NEXT = (
    "Next: {file} ({what}). `autograder next` shows the task, `autograder hint {lesson}` helps."
)

NO_HINT_NEEDED = "{lesson}: all checks pass; no hint is needed."
BEFORE_HINTS = "{exercise} cannot be judged yet. First:"
HINT = "{exercise}, {criterion}: hint {tier} of {tiers}"
NO_MORE_HINTS = (
    "These were all hints for {exercise}, {criterion}; the last one is shown again. "
    "`autograder solution {lesson} --spoil` shows the solution."
)
HINT_SAYS_WHY = "Why, and what to do: `autograder hint {lesson}`."
HINT_OR_VERBOSE = "Why, and what to do: `autograder hint {lesson}`, or `pytest -v`."
VERBOSE = "Why, and what to do: `pytest -v`."
"""Of a drill, which has no hints."""
NO_HINTS = "There are no hints for {exercise}, {criterion}. The check found:"

OLD_JAX = (
    "This Python has jax {found}, and the kit needs jax {oldest} or newer. jax was not changed. To "
    "upgrade it together with its plug-in for GPUs, run this in a cell, and delete the cell again:"
    "\n\n    {command}\n\nThen restart the kernel (on Colab: Runtime > Restart session), and run "
    "the notebook from the top."
)
ASK_FOR_JAX = (
    "This Python has jax {found}, and the kit needs jax {oldest} or newer. Upgrade jax now, "
    "together with its plug-in for GPUs? [y/N] "
)
NOT_COMPLETED = "What the kit needs could not be installed. pip says:\n\n{problem}"
COMPLETED = "plnkit {kit} is installed, with jax {jax}."
RESTART = (
    "jax was in use when it was upgraded. Restart the kernel (on Colab: Runtime > Restart "
    "session), and run the notebook from the top."
)

IS_A_COPY = (
    "{copy} is a second notebook of the same lesson and does not count: {counted} does. Keep one "
    "of them here."
)
RESTORED = "{file} was missing; it is the starter again."
BELOW_THE_CHECK = (
    "`{name}` is defined in a cell below the check cell. It counts here, but when you run all "
    "cells from the top, the check cell sees only what is above it: move it there."
)
UNREADABLE = "{file} cannot be read as a notebook; shown is its last check."

RESET = "{file} is the starter again. Your work is kept in {kept}"
NOT_CHANGED = "{file} is the starter already: nothing was changed."

NOT_SOLVED = (
    "{lesson} is not solved yet. `autograder hint {lesson}` gives the next hint; `autograder "
    "solution {lesson} --spoil` shows the solution anyway."
)

SPEED_COMMAND = "`autograder speed {lesson}`"
NO_SPEED_POINTS = "{lesson} has no points for speed. These of your lessons have: {lessons}."
NOTHING_TO_TIME = "you have begun no lesson with points for speed ({lessons}): nothing is timed."
NONE_HERE = "none"
IS_A_BUNDLE = (
    "{path} is a speed bundle of a class: `python -m autograder.speed {path}` times its programs."
)

NO_GUESS = "Write your guess in place of `...`, run this cell again, and then the next one."
CHOOSE = (
    "Write one of these in place of `...`, run this cell again, and then the next one: {choice}."
)
NO_CHOICE = "{guess} is none of the answers: {choice}. Choose one, and run this cell again."
GUESS_KEPT = "Your prediction is kept: {guess}. Now run the next cell."
WAS_RIGHT = "You said {guess}, and so it was."
WAS_WRONG = "You said {guess}. It was {was}."
NOT_PREDICTED = "It was {was}. (Nothing was predicted: a guess in the cell above teaches more.)"
PREDICTED = "You predicted, for {question!r}: {guess}."
PREDICTED_AND_SEEN = "You predicted, for {question!r}: {guess}. It was {was}."

CAUSES_LATER = "In a quiz, the card says why once you have checked {tries} different programs."

JUDGED_RUN = "Judged: {runs}."
RAN_AGAIN = (
    "The cell that defined `{name}` (In[{old}]) was run again as In[{new}], and no longer defines "
    "it. Only the kernel still has this `{name}`: restart the kernel and run all cells."
)
SAVED_OTHERWISE = (
    "The saved notebook has other code in the cell that defined `{name}` (In[{old}]): run that "
    "cell again. A grader runs what is saved."
)

RAN_WITH_DEVICES = (
    "This exercise needs {devices} devices, and JAX has {found} in this kernel. So the cells that "
    "you ran have run again in a process with {devices}. To see {devices} devices here, restart "
    "the kernel and run all cells from the top."
)
TOO_FEW_DEVICES = (
    "This exercise needs {devices} devices, and JAX has {found} here. Set their number before JAX "
    'computes anything: `jax.config.update("jax_num_cpu_devices", {devices})`.'
)

ALL_RULES = "`autograder explain RULE` shows one of these:"
NO_SUCH_RULE = "there is no rule {rule!r}.{hint} `autograder explain` lists them all."

WATCHING = "Watching {folder}: save a notebook and it is checked. Ctrl-C ends this."
CHECKED = "{file}, checked in {seconds:.1f} s"
STOPPED = "Stopped. What was finished is kept: run the same command to continue."

FIRST_TO_FIX = "the first to fix: {item}"
"""In pytest, above the first failure."""

YOUR_PROGRAM = "Your program has the digest {program}."
ALL_DEFENDED = "✓ All answers about program {program} are right."
FILL_IN = "Put this call into the cell, fill in your answers, and run the cell again:"
