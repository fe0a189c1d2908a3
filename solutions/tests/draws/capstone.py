"""Lesson `capstone`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

TABLE = {
    "capstone": Drawn(
        covered=(
            (
                "It does what the `fit` of a new",
                lambda Y, O, X, mask, key, ridge, tol, n: ridge != 1,
            ),
            (
                "with zeros after the last",
                lambda Y, O, X, mask, key, ridge, tol, n: tol > 0 and n > 9,
            ),
            ("Its random numbers come from `key`.", lambda Y, O, X, mask, key, *rest: key.any()),
            ("a count is held out where", lambda Y, O, X, mask, *rest: Y.shape[1] == 1),
            ("and `mask` are True", lambda Y, O, X, mask, *rest: mask.any() and not mask.all()),
            (
                "It stops when the class does: from the second",
                lambda Y, O, X, mask, key, ridge, tol, n: tol > 1e3,
            ),
            ("after `n_iterations` (1 or more)", lambda *call: call[-1] == 1),
            ("A negative tolerance", lambda *call: call[-2] < 0 and call[-1] > 1),
            ("Here it holds NaN.", lambda Y, O, X, mask, *rest: np.isnan(Y[~mask]).any()),
            ("where `mask` is False", lambda Y, O, X, mask, *rest: mask.all()),
            ("no new program for another key", lambda Y, *rest: len(Y) == 40 and rest[-1] == 40),
        ),
        larger=(
            (OAKS.replace("()", ""), lambda Y, *rest: len(Y) > LEAVES and Y.shape[1] > TAXA),
            ("n_iterations=500", lambda *call: call[-1] > 500),
        ),
        other=(
            "Write `fit(Y, O, X, mask, key, ridge, tolerance, n_iterations)`.",
            "with these differences",
            "It returns `B, history, iterations`.",
            "It stops when the class does: from the second",
            "`Y` may hold anything",
            "It is one jitted function.",
            "Only `n_iterations` is static",
            "The program does not grow",
            "It is pure",
            "After it has stopped, it may go on computing",
            "You need no GPU.",
            "If one times your program, an iteration may take",
            "On a CPU, the times are only shown.",
        ),
        declined={"empty": NO_EMPTY_TABLE, "infinite": FINITE},
    ),
}
