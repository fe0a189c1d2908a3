"""Repairs of the lesson tracing, right and wrong, its starters and empty cells."""

# %% right_assigned
# right: jit applied by assignment; exercise: tracing_print
def _error_and_largest(a, b):
    squares = jnp.square(a - b)
    return squares.sum(), jnp.sqrt(squares.max())


error_and_largest = jax.jit(_error_and_largest)

# %% right_by_running
# right: looks instead of guessing; exercise: tracing
import contextlib
import io


def lines(function, *calls):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        for x, y in calls:
            function(x, y)
    return out.getvalue().splitlines()


def jitted():
    return jax.jit(lambda a, b: sum_squared_error(a, b))


integers = three.astype(jnp.int32)
weight = 2
f = jax.jit(weighted_sum)
f(three)
weight = 10
answers = {
    "prints_plain": len(lines(sum_squared_error, *[(three, three + i) for i in range(3)])),
    "prints_jitted": len(lines(jitted(), *[(three, three + i) for i in range(3)])),
    "prints_shapes": len(lines(jitted(), *[(x, x) for x in (three, four, three, four)])),
    "prints_dtypes": len(lines(jitted(), *[(x, x) for x in (three, integers, three)])),
    "shown": "tracer" if "Tracer" in lines(jitted(), (three, three))[0] else "numbers",
    "primitives": [e.primitive.name for e in jax.make_jaxpr(sum_squared_error)(three, three).eqns],
    "primitives_jitted": [e.primitive.name for e in jax.make_jaxpr(jitted())(three, three).eqns],
    "result_shape": sum_squared_error(three, three).shape,
    "old_weight": float(f(three)),
    "new_weight": float(f(four)),
}

# %% right_literals
# right: all ten, as floats where numbers are floats; exercise: tracing
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": (),
    "old_weight": 12.0,
    "new_weight": 100.0,
}

# %% right_pair
# right: returns both; exercise: tracing_print
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return error, largest

# %% right_printing_caller
# right: a jitted part, and printing left to a function of its own; exercise: tracing_print
def error_and_largest(a, b):
    return both(a - b)


@jax.jit
def both(difference):
    return [jnp.vdot(difference, difference), jnp.abs(difference).max()]


error_and_largest = jax.jit(error_and_largest)


def report(a, b):
    error, largest = error_and_largest(a, b)
    print(f"error {error:.1f}, largest difference {largest:.1f}")

# %% right_scalars
# right: a NamedTuple of answers, some of them scalars of JAX and NumPy; exercise: tracing
from typing import Any, NamedTuple

import numpy as np


class Answers(NamedTuple):
    prints_plain: Any
    prints_jitted: Any
    prints_shapes: Any
    prints_dtypes: Any
    shown: str
    primitives: Any
    primitives_jitted: Any
    result_shape: Any
    old_weight: Any
    new_weight: Any


answers = Answers(
    prints_plain=np.int64(3),
    prints_jitted=1,
    prints_shapes=np.array(2),
    prints_dtypes=2,
    shown="tracer",
    primitives=("sub", "integer_pow", "reduce_sum"),
    primitives_jitted=["jit"],
    result_shape=(),
    old_weight=2 * jnp.sum(jnp.array([1.0, 2.0, 3.0])),
    new_weight=10 * jnp.sum(jnp.arange(1.0, 5.0)),
)

# %% wrong_a_dictionary
# wrong: a dictionary in place of the pair; exercise: tracing_print; must fail: outputs; says: result['error']
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    return {"error": jnp.sum(difference**2), "largest": jnp.max(jnp.abs(difference))}

# %% wrong_a_list
# wrong: a list in place of the dictionary; exercise: tracing; must fail: outputs; says: is a list, not a dictionary of answers
answers = [3, 1, 2, 2, "tracer"]

# %% wrong_abs_of_max
# wrong: the size of the largest difference, not the largest size; exercise: tracing_print; must fail: outputs; says: values differ
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    return jnp.sum(difference**2), jnp.abs(jnp.max(difference))

# %% wrong_callback
# wrong: prints through a callback; exercise: tracing_print; must fail: outputs; says: calls back into Python
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    error = jax.pure_callback(lambda e: e, error, error)
    return error, largest

# %% wrong_debug_print
# wrong: debug.print left in; exercise: tracing_print; must fail: purity; says: jax.debug.print
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    jax.debug.print("error {e}", e=error)
    return error, largest

# %% wrong_error_alone
# wrong: returns one number; exercise: tracing_print; must fail: outputs; says: expected arrays at result[0], result[1]
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return error

# %% wrong_float_of_tracer
# wrong: asks the tracer for its number; exercise: tracing_print; must fail: outputs; says: A plain Python number is needed
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print(f"error {float(error):.1f}")
    return error, largest

# %% wrong_forgets_shapes
# wrong: only the last shape is remembered; exercise: tracing; must fail: outputs; says: what was compiled for a shape is kept
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 4,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_format_removed
# wrong: prints the tracers unformatted; exercise: tracing_print; must fail: purity; says: print
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print("error", error, "largest difference", largest)
    return error, largest

# %% wrong_global_frozen_for_good
# wrong: a global is frozen for new shapes too; exercise: tracing; must fail: outputs; says: reads the global as it is now
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 20,
}

# %% wrong_history
# wrong: appends to a list while tracing; exercise: tracing_print; must fail: purity; says: history
history = []


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    history.append(difference.shape)
    return error, largest

# %% wrong_ignores_dtypes
# wrong: programs are made for shapes only; exercise: tracing; must fail: outputs; says: for the dtypes of its inputs as well as for their shapes
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 1,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_inner_jaxpr
# wrong: jit is seen through; exercise: tracing; must fail: outputs; says: From outside, a jitted function is one operation
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["sub", "integer_pow", "reduce_sum"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_keeps_a_tracer
# wrong: also keeps a number in a global; exercise: tracing_print; must fail: purity; says: kept
kept = {}


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    kept["largest"] = largest
    return error, largest

# %% wrong_kept_by_identity
# wrong: results kept by the identity of an argument; exercise: tracing_print; must fail: purity; says: known
known = {}


@jax.jit
def compute(a, b):
    difference = a - b
    return jnp.sum(difference**2), jnp.max(jnp.abs(difference))


def error_and_largest(a, b):
    if id(a) not in known:
        known[id(a)] = a, compute(a, b)
    return known[id(a)][1]

# %% wrong_left_out
# wrong: one answer is missing; exercise: tracing; must fail: outputs; says: `answers['shown']` has no answer yet
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_logs
# wrong: a line of a log in place of the print; exercise: tracing_print; must fail: purity; says: a line is logged
import logging

log = logging.getLogger("fit")


@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    log.error("error %s, largest difference %s", error, largest)
    return error, largest

# %% wrong_misspelt
# wrong: a misspelt question; exercise: tracing; must fail: outputs; says: the key 'print_plain' belongs to no question
answers = {
    "print_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_nested_primitives
# wrong: the inner jaxpr is in the answer, as a list inside the list; exercise: tracing; must fail: outputs; says: list of lists
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit", ["sub", "integer_pow", "reduce_sum"]],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_nested_shape
# wrong: a list that holds the shape of the arguments; exercise: tracing; must fail: outputs; says: list of lists
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [(3,)],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_never_prints
# wrong: jit takes prints away; exercise: tracing; must fail: outputs; says: other numbers of the same shapes
answers = {
    "prints_plain": 3,
    "prints_jitted": 0,
    "prints_shapes": 0,
    "prints_dtypes": 0,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_no_jit
# wrong: jit is gone; exercise: tracing_print; must fail: compilations; says: Put the whole function under one jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return error, largest

# %% wrong_numpy_names
# wrong: the names of NumPy functions; exercise: tracing; must fail: outputs; says: with the primitives' own names
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["subtract", "square", "sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_one_element
# wrong: a number has shape [1]; exercise: tracing; must fail: outputs; says: a shape with no axes
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [1],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_prints_and_no_jit
# wrong: jit is gone so that printing works; exercise: tracing_print; must fail: outputs; says: print it outside of the jitted function
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    print(f"error {error:.1f}")
    return error, largest

# %% wrong_prints_at_every_call
# wrong: a jitted function prints at every call; exercise: tracing; must fail: outputs; says: other numbers of the same shapes and dtypes need no new trace
answers = {
    "prints_plain": 3,
    "prints_jitted": 3,
    "prints_shapes": 4,
    "prints_dtypes": 3,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_prints_once_without_jit
# wrong: prints once even without jit; exercise: tracing; must fail: outputs; says: Without jit there is no tracing
answers = {
    "prints_plain": 1,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_reads_the_global_anew
# wrong: a global is looked up at every call; exercise: tracing; must fail: outputs; says: its value is then part of the program
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "tracer",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 60,
    "new_weight": 100,
}

# %% wrong_room_for_four
# wrong: room for four numbers; exercise: tracing_print; must fail: outputs; says: different sizes
@jax.jit
def error_and_largest(a, b):
    room = jnp.zeros(4).at[: a.size].set((a - b).ravel())
    return jnp.sum(room**2), jnp.max(jnp.abs(room))

# %% wrong_sees_numbers
# wrong: tracing is done with the first call's numbers; exercise: tracing; must fail: outputs; says: stand-ins that know a shape and a dtype
answers = {
    "prints_plain": 3,
    "prints_jitted": 1,
    "prints_shapes": 2,
    "prints_dtypes": 2,
    "shown": "numbers",
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"],
    "result_shape": [],
    "old_weight": 12,
    "new_weight": 100,
}

# %% wrong_set_of_shapes
# wrong: the shapes traced so far are kept in a set; exercise: tracing_print; must fail: purity; says: changes from a set of 0
traced_shapes = set()


@jax.jit
def error_and_largest(a, b):
    traced_shapes.add(a.shape)
    difference = a - b
    return jnp.sum(difference**2), jnp.max(jnp.abs(difference))

# %% wrong_signed
# wrong: the largest difference, signed; exercise: tracing_print; must fail: outputs; says: values differ
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(difference)
    return error, largest

# %% wrong_swapped
# wrong: the pair in the other order; exercise: tracing_print; must fail: outputs; says: expected
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    error = jnp.sum(difference**2)
    largest = jnp.max(jnp.abs(difference))
    return largest, error

# %% right_dict_call
# right: dict(), numbers as strings nowhere; exercise: tracing
answers = dict(
    new_weight=100.0,
    old_weight=12,
    result_shape=list(jnp.shape(jnp.sum(three))),
    primitives_jitted=["jit"],
    primitives=("sub", "integer_pow", "reduce_sum"),
    shown="tracer",
    prints_dtypes=2,
    prints_shapes=2,
    prints_jitted=1,
    prints_plain=3,
)

# %% right_filled_in
# right: one line for each answer; exercise: tracing
answers = {}
answers["prints_plain"] = len("abc")
answers["prints_jitted"] = 1
answers["prints_shapes"] = answers["prints_dtypes"] = 1 + 1
answers["shown"] = "tracer"
answers["primitives"] = "sub integer_pow reduce_sum".split()
answers["primitives_jitted"] = ["jit"]
answers["result_shape"] = []
answers["old_weight"] = 2 * (1 + 2 + 3)
answers["new_weight"] = 10 * (1 + 2 + 3 + 4)

# %% right_zip
# right: keys and values apart; exercise: tracing
numbers = {"prints_plain": 3, "prints_jitted": 1, "prints_shapes": 2, "prints_dtypes": 2}
words = {"shown": "tracer", "primitives_jitted": ["jit"], "result_shape": ()}
answers = {
    **numbers,
    **words,
    "primitives": ["sub", "integer_pow", "reduce_sum"],
    **dict(zip(("old_weight", "new_weight"), (12.0, 100.0), strict=True)),
}

# %% right_nested_jit
# right: a jitted helper inside the jitted function; exercise: tracing_print
@jax.jit
def squares_and_sizes(difference):
    return difference**2, jnp.abs(difference)


@jax.jit
def error_and_largest(a, b):
    squares, sizes = squares_and_sizes(a - b)
    return squares.sum(), sizes.max()

# %% right_two_sides
# right: the larger of both ends; exercise: tracing_print
@jax.jit
def error_and_largest(a, b):
    difference = jnp.subtract(a, b).ravel()
    largest = jnp.maximum(difference.max(), -difference.min())
    return difference @ difference, largest

# %% right_wrapper
# right: a plain function that only calls the jitted one; exercise: tracing_print
from functools import partial


@partial(jax.jit, inline=True)
def compare(a, b):
    return jnp.sum(jnp.square(a - b)), jnp.max(abs(a - b))


def error_and_largest(a, b):
    """Sum of squares, and largest size."""
    return compare(a, b)

# %% starter
# starter: no answer yet; exercise: tracing; must fail: outputs; says: has no answer yet

# %% starter_tracing_print
# starter: formats a tracer; exercise: tracing_print; must fail: outputs; says: print it outside of the jitted function

# %% empty
# empty: nothing; exercise: tracing; must fail: outputs; says: no function `answers`

# %% empty_tracing_print
# empty: nothing; exercise: tracing_print; must fail: outputs, purity, compilations; says: no function `error_and_largest`
