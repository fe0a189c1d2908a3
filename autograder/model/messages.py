"""The texts of findings about exported programs, and of failures of the kit itself."""

from __future__ import annotations

from autograder.model.templates import make_templates

KIT_FAILED = (
    "The kit itself failed here ({error}{where}). This is not a fault in your code, and it costs "
    "no points: there is no mark yet. Run the check again. If it happens again, report this text "
    "to the kit's issue tracker."
)
CANNOT_JUDGE = (
    "This could not be judged: {error}. It is not a fault in your code, and it costs no points: "
    "there is no mark yet. `autograder doctor` shows what this machine lacks. If it finds nothing, "
    "report this text to the kit's issue tracker."
)
COMMAND_FAILED = (
    "the kit itself failed here ({error}{where}). Nothing of yours is at fault. Run the command "
    "again. If it happens again, run it with -v and report what it prints to the kit's issue "
    "tracker."
)
NO_CARD = (
    "The card cannot be shown, because the kit itself failed ({error}{where}). The mark counts all "
    "the same. Please report this text to the kit's issue tracker."
)
MACHINE_BUSY = (
    "This could not be judged in time, because other programs kept the machine's processors busy. "
    "It is not a fault in your code, and it costs no points: there is no mark yet. Run the check "
    "again when the machine has less to do."
)
UNKNOWN_SCALE = "`scales` names {names}, but the leaves of the result are {leaves}."
NOTHING_PROBED = (
    "The process that ran your code did not report what the function did, so it cannot be judged."
)
OTHER_CONTAINER = (
    "`result[{at}]` is {got}, and the argument that it is the new value of was {expected}. The "
    "next call takes what this one returned: it may fail with another container, and jit compiles "
    "again for it. Return the same containers, with new arrays in them."
)
SO_MISSING = (
    "The cell with this line fails first. So `{name}` is not defined (NameError) where it is "
    "needed: fix this cell, not that place."
)
PROGRAM_RULES = {
    "effects": (
        "The compiled program has side effects ({detail}), such as `jax.debug.print`. A graded "
        "function only computes its results: remove the printing before you submit."
    ),
    "outer-reference": (
        "The function reads or changes a `jax.new_ref` that was made outside of it, which outlives "
        "the call. Make the reference inside the function, and return what it holds in the end "
        "(`history[...]`)."
    ),
    "callback": (
        "The function calls back into Python while it runs ({detail}). A callback stops the "
        "compiled program at every call; express the computation with jax.numpy instead."
    ),
    "not-an-array": (
        "{detail}. What is judged are arrays and numbers, in containers that JAX knows: tuples, "
        "lists, dictionaries, registered classes."
    ),
    "trace-timeout": (
        "{detail}. A Python loop over many iterations is unrolled while tracing: use "
        "`lax.fori_loop`, `lax.while_loop` or `lax.scan`."
    ),
    "too-large": (
        "The compiled program is too large ({detail}): most likely an unrolled loop. Use "
        "`lax.fori_loop` or `lax.scan` for a loop over many iterations, and pass large arrays as "
        "arguments."
    ),
    "run-timeout": (
        "Compiling and running the program took longer than {detail}. Does a `lax.while_loop` ever "
        "stop? Give it an iteration limit. Is a long Python loop unrolled? Use `lax.scan`."
    ),
    "run-failed": (
        "The compiled program cannot be run ({detail}). Does it make arrays far larger than its "
        "inputs?"
    ),
    "judge-died": (
        "The process that ran the compiled program ended ({detail}). Either the program or the "
        "machine may be to blame, so there is no mark yet, and it costs no points: a person "
        "decides. Does the program make arrays far larger than its inputs?"
    ),
    "foreign": "The program contains something that JAX never exports ({detail}).",
    "custom-call": "The compiled program calls something that no function of JAX calls: {detail}.",
    "unreadable-program": "The exported program cannot be read back ({detail}).",
    "other-inputs": (
        "The program does not take the inputs of the exercise ({detail}). Keep the arguments of "
        "the code you were given."
    ),
}

make_templates(globals())
