"""The texts of the outputs criterion, with the usual cause where the values show it."""

from __future__ import annotations

import numpy as np

from autograder.model.templates import make_templates

IN_CALL = "{call}: {wrong}"
WRONG_VALUE = "{place} is {got}, expected {expected} ({wrong} of {size} values differ).{hint}"
WRONG_SHAPE = "{name} has shape {got}, expected {expected}."
WRONG_DTYPE = "{name} is {got}, expected {expected}.\nKeep the inputs' dtype all the way through."
WRONG_STRUCTURE = (
    "{call} returns {got}, expected {expected}.\nReturn what the task asks for, in the same order."
)
NAN_HINT = (
    "\nNaN comes from 0/0, the logarithm or the root of a negative number, 0 * inf or inf - inf. "
    "`jnp.maximum`, `jnp.clip` and `0 * x` keep a NaN. `jnp.where(test, x, 0)` drops it from a "
    "value, but not from a gradient: keep bad inputs out before they are used."
)
INF_HINT = (
    "\nAn infinite value is most often an overflow: float32 ends at 3.4e38, which exp(89) or 35! "
    "exceed. Compute with logarithms, or scale first."
)
LOG_HINT = (
    "\nMinus infinity is most often the logarithm of 0: of an input that is 0, or of a product "
    "that is too small for float32. Is there a `+ 1` missing, or a `where` before the logarithm?"
)
CLOSE_HINT = (
    "\nThe difference is small: is something small added, or is precision lost where large numbers "
    "are subtracted from each other?"
)
ORDER_HINT = "\nAll values are there, but in another order."
SIGN_HINT = "\nThe sign is wrong everywhere."
ZERO_HINT = (
    "\nIt is zero everywhere: was something computed and not kept? `x.at[i].set(v)` leaves x as it "
    "is and returns a new array: `x = x.at[i].set(v)`. So do `_replace` and `replace`."
)
NO_VALUE = "One of the calls returned nothing that can be compared: return arrays of numbers."
TOO_NOISY = (
    "{name}: the calibrated tolerance {allowed:.3g} exceeds {cap:g} of the largest value "
    "{scale:.3g}. Compare fewer iterations, or a better conditioned quantity; where the values are "
    "sums that may cancel, give the size of the summands in `scales`."
)
NOT_FINITE = (
    "{name}: the reference is not finite in {precision}, though all arguments are. Draw arguments "
    "for which it is, or judge with `compare`."
)
UNDECIDED = (
    "{name}: the reference gives different integers or booleans in float32 than in float64. Draw "
    "arguments that are further from its decision boundaries."
)
CHAOTIC = (
    "{name}: a rounding of the arguments changes the result by more than the calibrated tolerance. "
    "Compare fewer iterations, or draw arguments further from where the result jumps."
)
OTHER_RESULTS = (
    "the reference returns results of other shapes in float32 than in float64, or after a rounding "
    "of the arguments. Make their shapes depend on the arguments' shapes only."
)
REFERENCE_FAILS = "the reference fails: {error}."
NO_DRAW = (
    "exercise {exercise!r}: its draw is ill-conditioned, and so are the {count} drawn after it. Of "
    "the last one: {why}"
)
WRONG_ANSWER = (
    "`{name}[{question!r}]` is {got!r}, and running the code shows something else. {think}"
)
NOT_LITERAL = (
    "`{name}[{question!r}]` is of type {kind}. Write a plain number, a text, True or False, or a "
    "list of these: `float(x)` makes a number of an array that holds one."
)
NO_ANSWER = "`{name}[{question!r}]` has no answer yet. A wrong guess costs nothing: write one."
STRAY_KEY = (
    "`{name}[{question!r}]` has no answer, and the key {stray!r} belongs to no question: is it "
    "misspelt? Write {question!r}."
)

PAGES = {
    "wrong-output": (
        "A result differs from the reference, in its values, shape or dtype. Values are compared "
        "within a tolerance that comes from the reference's own float32 error.",
        "Call the function with the inputs that the card shows, and compare piece by piece. Look "
        "for a wrong axis or sign, a dtype that changes on the way, and NaN from a branch that "
        "`jnp.where` computes as well.",
    ),
    "stale-self": (
        "A method goes on with the value that an attribute had before it was changed.",
        "Do not mark `self` static. Register the class as a pytree, so that its attributes are "
        "arguments of the program.",
    ),
    "wrong-structure": (
        "The function returns other pieces than the task asks for: under jit, the structure of a "
        "result is part of the program.",
        "Return the tuples, dicts and arrays of the task, in the same order.",
    ),
    "no-value": (
        "A call returned nothing that can be compared.",
        "Return arrays of numbers. Is there a `return` on every path?",
    ),
    "wrong-answer": (
        "A prediction differs from what running the code shows.",
        "Run the cell that shows it, and find the step that you saw differently.",
    ),
    "no-answer": (
        "A question has no answer yet.",
        "Write a guess into the dictionary: a wrong one costs nothing.",
    ),
    "not-a-literal": (
        "An answer is an object, an array or something else that cannot be compared.",
        "Write a plain number, text or truth value, such as `3`.",
    ),
}
"""By rule: cause and fix, as `autograder explain` shows them."""

make_templates(globals())


def value_hint(got: np.ndarray, exact: np.ndarray) -> str:
    """Return the usual cause of a wrong result, if the values show it."""
    if not np.issubdtype(got.dtype, np.floating):
        return ""
    if np.isnan(got).any() and not np.isnan(exact).any():
        return NAN_HINT
    if np.isinf(got).any() and np.isfinite(exact).all():
        return INF_HINT if np.isposinf(got).any() else LOG_HINT
    if got.size > 1 and not got.any() and exact.all():
        return ZERO_HINT
    if np.allclose(got, exact, rtol=1e-4, atol=0):
        return CLOSE_HINT
    if got.size > 1 and np.allclose(np.sort(got, axis=None), np.sort(exact, axis=None), rtol=1e-4):
        return ORDER_HINT
    if np.allclose(got, -exact, rtol=1e-4, atol=0) and np.any(exact != 0):
        return SIGN_HINT
    return ""
