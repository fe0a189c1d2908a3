"""The texts of the memory criterion."""

from __future__ import annotations

from autograder.model.templates import make_templates

TOO_MUCH = (
    "{call}: the compiled program needs {used} of scratch memory{each}; at most {limit} is allowed."
    "\n{advice}"
)
RELATIVE = "{factor:g} times the {own} of the lesson's own solution ({allowed})"
ON_EACH = " on each device"
ADVICE = (
    "XLA keeps results between operations in this memory. Look for an array that is far larger "
    "than the inputs: all pairs at once, a one-hot table, or every step of a loop stacked. Sum "
    "with a matrix product, gather with an index, or carry only what the next step needs. A "
    "gradient keeps what each step of a loop computed. `jax.checkpoint` around the step keeps only "
    "what each step was given; if that is too much, the gradient must not go through the steps at "
    "all (`jax.custom_vjp`)."
)
ADVICE_ON_EACH = (
    "Each of the {devices} devices should hold its own part of the data only. Look for an input "
    "that every device gets whole, for an `all_gather`, or for work that runs on one device."
)
NO_SOLUTION = (
    "Memory is compared with the lesson's own solution, which is not available here, so your "
    "program cannot be judged. A checkout of the kit has the solutions."
)

PAGES = {
    "too-much-scratch": (
        "The compiled program needs more memory between its operations than the task allows.",
        "Look for an array that is far larger than the inputs: all pairs at once, a one-hot table, "
        "every step of a loop stacked, or kept for the gradient (`jax.checkpoint` computes it "
        "again instead).",
    )
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())


def size(count: int) -> str:
    """Write a number of bytes with a unit."""
    if count < 1024:
        return f"{count} bytes"
    if count < 2**20:
        return f"{count / 1024:.3g} KiB"
    return f"{count / 2**20:.3g} MiB"
