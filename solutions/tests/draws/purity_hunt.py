"""Lesson `purity_hunt`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    NO_LARGEST,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "purity_hunt": Drawn(
        covered=(
            ("the log abundance `B` of each taxon", lambda Y, O, rate: Y.shape[0] != Y.shape[1]),
            ("the log abundance `B` of each taxon", lambda Y, O, rate: Y.shape == (1, 1)),
            ("by ten steps of gradient descent", lambda Y, O, rate: rate < 0.002),
        ),
        larger=(
            (OAKS, lambda Y, O, rate: exceeds_oaks(Y)),
            ('"rate": 0.001', lambda Y, O, rate: rate > 0.001),
        ),
        other=(
            "the loss before each step",
            "The first call is right.",
            "a table of another shape fails",
            "one jitted function, pure",
        ),
        declined=DECLINED,
    ),
    "purity_hunt_noise": Drawn(
        covered=(
            (
                "`jax.random.key(8)` makes one from an integer,",
                lambda keys, M, S: (np.diff(keys, axis=0) == [0, 1]).all(),
            ),
            ("from the normal distribution", lambda keys, M, S: M.any() and S.max() > 1),
            ("with mean `M` and standard deviation `S`", lambda keys, M, S: np.ptp(S) == 0),
            (
                "Repair it, so that different keys give different",
                lambda keys, M, S: (keys[0] != keys[1]).any(),
            ),
        ),
        larger=(
            (OAKS, lambda keys, M, S: M.shape[0] > LEAVES),
            (OAKS, lambda keys, M, S: M.shape[1] > TAXA),
        ),
        other=(
            "JAX's random numbers are pure",
            "The same key always gives the same numbers.",
            "For other numbers you make other keys",
            "It is given a key but does not use it.",
        ),
        declined={**DECLINED, "empty": "where nothing is drawn, nothing can be told"},
    ),
    "purity_hunt_donation": Drawn(
        covered=(
            ("`smooth` calls it several times", lambda M, target, steps: steps > 2),
            ("what `steps` steps of `relax` make", lambda M, target, steps: steps == 1),
            ("for no steps", lambda M, target, steps: steps == 0),
        ),
        larger=(
            (OAKS, lambda M, *_: M.shape[0] > LEAVES and M.shape[1] > TAXA),
            ("range(15)", lambda M, target, steps: steps > 15),
        ),
        other=(
            "The second call gets an array that was deleted.",
            "are still there afterwards",
            "`relax` still donates `M`",
            "Each later step gets the very array",
        ),
        declined=DECLINED,
    ),
    "mean_path": Drawn(
        covered=(("its largest value after each", lambda x: len(x) == 1),),
        larger=((OAKS, lambda x: len(x) > LEAVES),),
        other=("Only `x` comes back",),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
    "shrink_once_more": Drawn(
        covered=(
            ("`calls` is the number of calls so far.", lambda x, calls: calls == 0),
            ("`calls` is the number of calls so far.", lambda x, calls: calls > 100),
        ),
        larger=((OAKS, lambda x, calls: len(x) > LEAVES),),
        other=(
            "returns `x / 2` and `calls + 1`",
            "Its results are right.",
            "But it also writes to a global variable",
        ),
        declined=DECLINED,
    ),
    "mean_and_warning": Drawn(
        covered=(
            ("any value is larger than 100", lambda x: (x > 100).sum() == 1 < len(x)),
            ("any value is larger than 100", lambda x: x.max() == 100),
            ("any value is larger than 100", lambda x: x.max() < 100),
        ),
        larger=((OAKS, lambda x: len(x) > LEAVES),),
        other=("It does.", "only while tracing"),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
}
