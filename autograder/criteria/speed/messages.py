"""The texts of the speed criterion, for instructors and students."""

from __future__ import annotations

from autograder.core.templates import make_templates

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
BASELINE_CHANGED = "the baseline gave another result on the same inputs, so nothing was compared."
PROGRAM_CHANGED = "the program gave another result on the same inputs."
NOT_FINISHED = (
    "the program did not finish within {seconds:g} s, in which the baseline ran many times: it is "
    "far too slow, or an endless jax.lax.while_loop."
)
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
OTHER_SCHEMA = "{path} has schema {schema!r}, this program reads schema {known}. Update the kit."
NEWER_JAX = (
    "{path} was written with jax {theirs}, here is jax {ours}: programs cannot be run by an older "
    "release. Install jax {theirs} or newer."
)
FOREIGN_FILE = (
    "{path} holds {name}, which its manifest does not list. Remove it or write the bundle again."
)
MISSING_FILE = "{path} lacks {name}: the bundle was not copied whole. Copy it again."
CHANGED_FILE = (
    "{path}/{name} is not what was written: its SHA-256 differs, so it was changed or cut off. "
    "Copy the bundle again."
)
BAD_INPUTS = "{path}/{name} does not hold arrays as the programs take them ({error})."
BAD_PROGRAM = "{path}/{name} cannot be loaded ({error})."
OTHER_RUBRIC = (
    "the baseline of {exercise} comes with the rubric of lesson {lesson!r}, and another version of "
    "it is installed here: install the release of the kit that wrote the bundle."
)
OTHER_PLATFORM = "programs are not made for {platform}, only for {platforms}."

# In reports.
NEEDS_GPU = "needs a GPU"
NOT_TIMED = "not timed yet; {how} times it"
"""In place of `NEEDS_GPU`, where the reader can have the program timed."""

CPU_SPEED = (
    "On this CPU, with {threads}, {ratio:.1f} times faster than the baseline (between {low:.1f} "
    "and {high:.1f}), per iteration. This is for information: a GPU decides. Required: "
    "{threshold:g} times."
)
GPU_SPEED = (
    "On the GPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), per "
    "iteration. Required: {threshold:g} times."
)
SPEED_UNKNOWN = (
    "The speed cannot be measured here: {reason} A GPU decides. Required: {threshold:g} times the "
    "baseline's speed."
)

PAGES = {
    "gpu-speed": (
        "The program was timed against the lesson's baseline on a GPU, in turns.",
        "Keep all work in one program: no Python loop over jitted steps, and no data copied to and "
        "from the device between them.",
    )
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())
