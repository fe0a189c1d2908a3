"""The texts of the speed criterion, for instructors and students."""

from __future__ import annotations

from autograder.model.templates import make_templates

NOISY = (
    "the machine is too noisy to time anything: the baseline timed against itself varies by a "
    "factor of exp({noise:.2f}), at most exp({limit:.1f}) is accepted. Stop other work and time "
    "again."
)
TOO_SHORT = (
    "one run takes {seconds:.2g} ms, too short to be compared on a machine as busy as this one. "
    "Stop other work and time again."
)
TOO_CLOSE = (
    "after {pairs} pairs the ratio lies between {low:.2f} and {high:.2f}, too close to the "
    "threshold of {threshold:g} to tell."
)
TOO_LONG = "stopped after {seconds:g} s and {pairs} pairs without a clear ratio."
BASELINE_CHANGED = (
    "the baseline, or the lesson's own solution, gave another result on the same inputs, so "
    "nothing was compared."
)
WRONG_RESULT = (
    "its time does not count, since for the call that is timed {wrong} of the {size} values of "
    "{name} are wrong, by more than rounding explains: the farthest off is {got:.6g}, and "
    "{right:.6g} is right."
)
OTHER_KIND = "for the call that is timed, {name} of the program is {got}, and {right} is right."
OTHER_STRUCTURE = (
    "for the call that is timed, the program returns {got} arrays, and {right} are right."
)
WRONG_BY_RUBRIC = "what the program returned for the call that is timed is wrong: {wrong}"
TOO_NOISY_RESULTS = (
    "what programs return cannot be judged on this machine: the rounding errors of {name} are "
    "as large as its values. The program is not to blame."
)
WRONG_SOLUTION = (
    "what programs return cannot be judged on this machine: the lesson's own solution gives wrong "
    "results here. The program is not to blame."
)
JUDGE_FAILED = (
    "what programs return cannot be judged on this machine: the rubric's comparison failed "
    "({error}). The program is not to blame."
)
PROGRAM_CHANGED = "the program gave another result on the same inputs."
NOT_FINISHED = (
    "the program did not finish within {seconds:g} s, in which the baseline ran many times: it is "
    "far too slow, or an endless jax.lax.while_loop{or_else}."
)
BUSY_CORES = ", or other work keeps this machine's cores from it"
ENDED_PROCESS = "the program ended the process that ran it (out of memory, for instance)."
NOT_STARTED = "timing could not begin: {error}"
OUT_OF_MEMORY = (
    "the machine that timed the program ran out of memory. Stop other programs that use it, such "
    "as notebooks, and time again."
)
BUNDLE_FAULT = (
    "the machine that times could not use the baseline or the inputs. The program is not to blame. "
    "What to fix is printed where the timing was started."
)

NO_GPU = (
    "This machine has no GPU that JAX can use, so {count} programs stay pending. Run the command "
    "where `python -c 'import jax; print(jax.devices())'` shows a CUDA device, or add "
    "--device cpu to see ratios for information."
)
FOR_INFORMATION = (
    "timed on {device} for information: the criterion stays pending until a GPU decides."
)
NO_RESULTS = "{path} is not a results file of `python -m autograder.speed`, or was cut off."
OTHER_RESULTS = (
    "{path} holds results of {then}, not of {now}. Give another file with --out, or remove it."
)

# Why a bundle is refused. Each text begins with the file.
NO_FOLDER = "{path} is not a folder with a speed bundle."
NO_MANIFEST = "{path} holds no manifest.json: it is not a speed bundle, or was not copied whole."
BAD_MANIFEST = (
    "{path}/manifest.json cannot be read ({error}): it was cut off or changed. Write the bundle "
    "again."
)
OTHER_SCHEMA = (
    "{path} has schema {schema!r}, this program reads schema {known}. Use the same release of the "
    "kit here and where the class is graded, and write the bundle again with `autograder grade`."
)
NEWER_JAX = (
    "{path} was written with jax {theirs}, here is jax {ours}: programs cannot be run by an older "
    "release. Install jax {theirs} or newer."
)
MISSING_FILE = "{path} lacks {name}: the bundle was not copied whole. Copy it again."
CHANGED_FILE = (
    "{path}/{name} is not what was written: its SHA-256 differs, so it was changed or cut off. "
    "Copy the bundle again."
)
BAD_PROGRAM = "{path}/{name} cannot be loaded ({error})."
OTHER_RUBRIC = (
    "the baseline or the comparison of {exercise} comes with the rubric of lesson {lesson!r}, and "
    "another version of it is installed here: install the release of the kit that wrote the bundle."
)
OWN_RUBRIC = (
    "exercise {exercise!r}: an eager baseline, and a rubric that compares by itself, must be of "
    "one of the kit's lessons, because the machine that times it finds it by the lesson's name"
)
NO_STANDARDS = "the speed of {exercise!r} cannot be measured: {error}"

# In reports.
NEEDS_GPU = "needs a GPU"
NOT_TIMED = "not timed yet; {how} times it"
"""In place of `NEEDS_GPU`, where the reader can have the program timed."""

SLOWER = (
    "{where} it takes {slower:.2f} times as long as the lesson's own solution (between "
    "{slower_low:.2f} and {slower_high:.2f}). Required: at most {factor:g} times. It is "
    "{ratio:.1f} times faster than the baseline, per iteration; the lesson's own solution is "
    "{own_ratio:.1f} times faster."
)
FASTER = (
    "{where} {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), per "
    "iteration. Required: {threshold:g} times."
)
ON_GPU = "On the GPU"
ON_CPU = "On this CPU, with {threads},"
INFORMS = " This is for information: a GPU decides."
SPEED_UNKNOWN = "The speed cannot be measured here: {reason} A GPU decides."

PAGES = {
    "gpu-speed": (
        "The program was timed against the lesson's baseline on a GPU, in turns.",
        "Keep all work in one program: no Python loop over jitted steps, and no data copied to and "
        "from the device between them.",
    )
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())
