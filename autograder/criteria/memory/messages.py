"""What the memory criterion says to a student."""

from __future__ import annotations

from autograder.core.templates import make_templates

TOO_MUCH = (
    "{call}: the compiled program needs {used} of scratch memory, the lesson's own solution {own}; "
    "at most {factor:g} times as much is allowed ({allowed}). XLA keeps results between operations "
    "in this memory. Look for an array that is far larger than the inputs: all pairs at once, a "
    "one-hot table, or every step of a loop stacked. Sum with a matrix product, gather with an "
    "index, or carry only what the next step needs."
)
NO_YARDSTICK = (
    "The lesson's own solution is not at hand here, and memory is compared with it, so nothing is "
    "said about your program. A checkout of the kit has the solutions."
)

make_templates(globals())


def size(count: int) -> str:
    """A number of bytes as a reader wants it."""
    if count < 1024:
        return f"{count} bytes"
    if count < 2**20:
        return f"{count / 1024:.3g} KiB"
    return f"{count / 2**20:.3g} MiB"
