"""What is said where the kit itself fails."""

KIT_FAILED = (
    "The kit itself failed here ({error}{where}). This is not a fault in your code, and it costs "
    "no points: there is no mark yet. Run the check again. If it happens again, report this text "
    "to the kit's issue tracker."
)
