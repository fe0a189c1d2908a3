"""How fast a program is, and what decides about it."""

NEEDS_GPU = "needs a GPU"
NOT_TIMED = "not timed yet: {how} does that"
"""In place of `NEEDS_GPU`, where the reader can have the program timed."""

CPU_SPEED = (
    "On this CPU, with {threads}, {ratio:.1f} times faster than the baseline (between {low:.1f} "
    "and {high:.1f}), per iteration. For information: a GPU decides, and the points are given for "
    "{threshold:g} times."
)
GPU_SPEED = (
    "On the GPU {ratio:.1f} times faster than the baseline (between {low:.1f} and {high:.1f}), per "
    "iteration. Required: {threshold:g} times."
)
SPEED_UNKNOWN = (
    "The speed cannot be measured here: {reason} A GPU decides, and the points are given for "
    "{threshold:g} times the baseline's speed."
)


def threads_words(threads: int) -> str:
    """As in: ``2 threads``."""
    return "1 thread" if threads == 1 else f"{threads} threads"
