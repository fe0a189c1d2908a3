"""Lesson `ahead_of_time`: which draw covers which sentence."""

import jax
import jax.numpy as jnp
import numpy as np

from autograder.rubrics import ahead_of_time as rubric
from autograder.rubrics.drills import ahead_of_time as drills
from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
    record,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}
ANY_VALUES = "what is compiled depends on shapes alone"
OWN_TABLE = "one table of its own is enough: the oaks' size fails with it"


def compile_fit(Y, O, steps):
    """Stand for a repair, with what a right one returns."""
    return lambda Y, O: rubric.poisson_fit(np.asarray(Y), np.asarray(O), steps)


log_counts = jax.jit(jnp.log1p)
one_table = dict.fromkeys(("equal", "one", "a value again", "new values"), OWN_TABLE)

TABLE = {
    "ahead_of_time": Drawn(
        covered=(
            ("one mean log abundance for each taxon", lambda Y, O, steps: Y.shape[1] == 1),
            ("one mean log abundance for each taxon", lambda Y, O, steps: not Y.any()),
            ("log-likelihood after each step", lambda Y, O, steps: steps == 1),
            ("each shape and number of steps", lambda Y, O, steps: len(Y) == 1),
            ("for many steps than for few", lambda Y, O, steps: steps > 30),
        ),
        larger=(
            (OAKS, lambda Y, O, steps: exceeds_oaks(Y)),
            ("for steps in (20, 40)", lambda Y, O, steps: steps > 40),
        ),
        other=(
            "It is the model without latent variables",
            "It fails with",
            "TracerIntegerConversionError",
            "The __index__() method",
        ),
        declined=DECLINED,
    ),
    "ahead_of_time_compiled": Drawn(
        calls=lambda: record(rubric.probe, "compile_fit", compile_fit),
        covered=(
            (
                "may be `jax.ShapeDtypeStruct`",
                lambda Y, O, steps: isinstance(Y, jax.ShapeDtypeStruct),
            ),
            ("it needs shapes only", lambda Y, O, steps: isinstance(Y, jax.Array)),
            ("with arrays of these shapes", lambda Y, O, steps: steps > 4),
        ),
        larger=((OAKS, lambda Y, O, steps: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),),
        other=("makes the tutorial's mistake", "what it returns is called", "compiles nothing"),
        declined={**DECLINED, **dict.fromkeys(("equal", "one", "new values"), ANY_VALUES)},
    ),
    "compile_totals": Drawn(
        calls=lambda: record(drills.probe_totals, "compile_totals", lambda Y: log_counts),
        covered=(("compiled for tables like `Y`", lambda Y: Y.shape == (4, 3)),),
        larger=OWN_TABLE,
        other=("What it returns cannot be called.",),
        declined={**DECLINED, **one_table},
    ),
    "call_compiled": Drawn(
        calls=lambda: record(drills.probe_call, "call_compiled", lambda f, Y: f(Y)),
        covered=(
            ("`call_compiled(compiled, Y)` calls it", lambda compiled, Y: callable(compiled)),
        ),
        larger=OWN_TABLE,
        other=("the second argument, the factor, is static",),
        declined={**DECLINED, **one_table},
    ),
    "compile_for_shape": Drawn(
        calls=lambda: record(drills.probe_shape, "compile_for_shape", lambda n, p: log_counts),
        covered=(("tables of `n` rows and `p` columns", lambda n, p: n != p),),
        larger=OWN_TABLE,
        declined={**DECLINED, **one_table},
    ),
}
