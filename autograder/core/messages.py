"""What findings say about exported programs, and where the kit itself fails."""

from __future__ import annotations

from autograder.core.templates import make_templates

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
PROGRAM_RULES = {
    "effects": (
        "The compiled program has side effects ({detail}), such as `jax.debug.print`. A graded "
        "function only computes its results: remove the printing once you are done looking."
    ),
    "callback": (
        "The function calls back into Python while it runs ({detail}). A callback stops the "
        "compiled program at every call; express the computation with jax.numpy instead."
    ),
    "not-an-array": (
        "{detail}. A jitted function can only return arrays and containers (tuple, list, dict) of "
        "arrays."
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
        "The compiled program ran longer than {detail}. Does a `lax.while_loop` ever stop? Give "
        "it an iteration limit."
    ),
    "no-export": "There is no program for one of the calls.",
    "run-failed": (
        "The compiled program cannot be run ({detail}). Does it make arrays far larger than its "
        "inputs?"
    ),
    "judge-died": (
        "The compiled program brought down the process that ran it ({detail}), most often by "
        "asking for too much memory."
    ),
    "foreign": "The program holds what no exported JAX function does ({detail}).",
    "custom-call": "The compiled program calls {detail}, which is not part of JAX's own library.",
    "unreadable-program": "The exported program cannot be read back ({detail}).",
    "other-inputs": (
        "The program takes other inputs than the exercise's ({detail}). Keep the arguments of the "
        "code you were given."
    ),
}
DISAGREES = (
    "{call}: called in the notebook it returns {got}, but its compiled program returns {want}. "
    "The function depends on something besides its arguments, or does not run as one compiled "
    "function."
)
DIFFERS = (
    "Traced again in another Python process, the function gives another program: "
    "`{operation}` differs. Something from outside was baked in while tracing: a random number, "
    "the time, an id, the order of a set. Pass it in as an argument; sort what has no order."
)
DIFFERS_ALTOGETHER = (
    "In another Python process the function can be traced with some inputs and not with others. "
    "It depends on something besides its arguments: pass that in as an argument."
)
NOT_JITTED = (
    "Part of the work ({names}) is done outside of any jitted function: each operation there is "
    "compiled and started by itself. Put all of it inside one function under `jax.jit`."
)
UNROLLED = (
    "A Python loop is unrolled: from {few} to {many} iterations the program grows from {sizes} "
    "operations. Compiling then takes ever longer. Write the loop as `lax.scan` or "
    "`lax.fori_loop`, whose program does not grow."
)

make_templates(globals())
