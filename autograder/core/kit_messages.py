"""What is said where the kit itself fails."""

from __future__ import annotations

from autograder.core.text import templates

KIT_FAILED = (
    "The kit itself failed here ({error}{where}). This is not a fault in your code, and it costs "
    "no points: there is no mark yet. Run the check again. If it happens again, report this text "
    "to the kit's issue tracker."
)
MACHINE_BUSY = (
    "This could not be judged in time, because other programs kept the machine's processors busy. "
    "It is not a fault in your code, and it costs no points: there is no mark yet. Run the check "
    "again when the machine has less to do."
)

templates(globals())
