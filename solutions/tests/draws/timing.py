"""Lesson `timing`: which draw covers which sentence."""

import jax
import numpy as np

from autograder.rubrics import _ahead_of_time as ahead
from autograder.rubrics import timing as rubric
from autograder.rubrics.drills import timing as drills
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

NOTHING_READ = "what is timed is a stand-in, which does not look at its arguments"
DECLINED = {"infinite": FINITE, "nan": FINITE}
CLOCK = DECLINED | dict.fromkeys(("empty", "one", "a value again", "new values"), NOTHING_READ)
TABLES = DECLINED | {"empty": NO_EMPTY_TABLE}
ANY_VALUES = "what is compiled depends on shapes alone"


def compile_fit(Y, O, steps):
    """Stand for a repair, with what a right one returns."""
    return lambda Y, O: ahead.poisson_fit(np.asarray(Y), np.asarray(O), steps)


TABLE = {
    "timing": Drawn(
        calls=lambda: record(rubric.probe, "time_call", lambda function, *_: function),
        covered=(
            (
                "it works for any function of arrays",
                lambda function, *arguments: len(arguments) == 2,
            ),
            ("whatever it returns", lambda function, *_: function.pair),
            ("whatever it returns", lambda function, *_: not function.pair),
            (
                "until its result is ready",
                lambda function, *_: function.running > 0.01,
            ),
            (
                "how much longer the first call took",
                lambda function, *_: function.compiling > 10 * function.running,
            ),
        ),
        larger=(
            ("time_call(function, *arguments)", lambda function, *arguments: len(arguments) > 1),
        ),
        other=(
            "makes all these mistakes",
            "it returns two numbers",
            "(compile_seconds, run_seconds)",
            "The second is the median",
        ),
        declined=CLOCK,
    ),
    "slow_compile": Drawn(
        covered=(
            ("the ELBO before each iteration", lambda Y, O, rate, n: n == 1),
            ("all data of one shape", lambda Y, O, rate, n: len(Y) == 1),
            ("all data of one shape", lambda Y, O, rate, n: Y.shape[1] == 1),
            ("whatever the rate", lambda Y, O, rate, n: rate > 0),
            ("does not grow with the number of iterations", lambda Y, O, rate, n: n > 30),
        ),
        larger=(
            (OAKS, lambda Y, *_: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ('stages("20 iterations"', lambda Y, O, rate, n: n > 20),
        ),
        other=(
            "`fit` below has all three faults.",
            "it returns what it returns now:",
            "it is **one** jitted function",
        ),
        declined=TABLES,
    ),
    "ahead_of_time_compiled": Drawn(
        calls=lambda: record(ahead.probe, "compile_fit", compile_fit),
        covered=(
            (
                "may be `jax.ShapeDtypeStruct`",
                lambda Y, O, steps: isinstance(Y, jax.ShapeDtypeStruct),
            ),
            ("it needs shapes only", lambda Y, O, steps: isinstance(Y, jax.Array)),
            ("with arrays of these shapes", lambda Y, O, steps: steps > 4),
        ),
        larger=((OAKS, lambda Y, O, steps: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),),
        other=(
            "`compile_fit(Y, O, steps)` makes two mistakes.",
            "what it returns is called",
            "compiles nothing",
        ),
        declined=TABLES | dict.fromkeys(("equal", "one", "new values"), ANY_VALUES),
    ),
    "rates": Drawn(
        covered=(
            ("the counts of each sample by its depth", lambda Y, depths: np.ptp(depths) > 0),
            ("once for each shape", lambda Y, depths: Y.shape == (1, 1)),
        ),
        larger=((OAKS, lambda Y, depths: exceeds_oaks(Y)),),
        other=("The result is right", "the function compiles at each call"),
        declined=TABLES,
    ),
    "seconds_when_warm": Drawn(
        calls=lambda: record(drills.probe_warm, "seconds_when_warm", lambda function, x: 1.0),
        covered=(("without its compilation", lambda function, x: x == 1),),
        larger=NOTHING_READ,
        other=("the time of the first call",),
        declined=CLOCK | {"equal": NOTHING_READ},
    ),
}
