"""Lesson `pln_numerics`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}
INTERCEPT = "the first calls have the intercept alone, which is the same"

TABLE = {
    "pln_numerics": Drawn(
        covered=(
            ("is the ELBO of the other four", lambda Y, O, X, n: n == 1),
            ("after 400 iterations its ELBO", lambda Y, O, X, n: n == 400),
            ("the tree as covariate", lambda Y, O, X, n: X.shape[1] > 1 and n == 400),
            ("not compiled again for other data", lambda Y, O, X, n: len(Y) == 20),
        ),
        larger=(
            (OAKS, lambda Y, O, X, n: Y.shape[0] > LEAVES and Y.shape[1] > TAXA),
            ("400 iterations", lambda Y, O, X, n: n > 400),
        ),
        other=(
            "`fit(Y, O, X, n_iterations)` below is like the",
            "look at the size of the optimizer's steps",
            "The oaks have 116 sites and a maximum of -32026,",
            "The same holds for another table",
            "does not grow with `n_iterations`",
            "You need no GPU.",
            "If your fit is timed on one",
            "On a CPU, the times are only shown.",
        ),
        declined={**DECLINED, "new values": INTERCEPT},
    ),
    "pln_numerics_many": Drawn(
        covered=(
            ("stacked along a first axis", lambda Y, O, X, n: len(Y) == 1),
            ("The bootstrap draws the sites again, with", lambda Y, O, X, n: len(Y) > 2),
            ("returns what your `fit` returns", lambda Y, O, X, n: n == 400),
            ("does not grow with the number of data sets", lambda Y, O, X, n: len(Y) > 30),
        ),
        larger=(("fifty times", lambda Y, O, X, n: len(Y) > 50),),
        other=(
            "How certain are these parameters?",
            "As given, it fails with",
            "``` ValueError",
            "because `vmap` maps over an axis of every argument",
            "Repair it, as one jitted function.",
        ),
        declined=DECLINED,
    ),
    "quadratic_term": Drawn(
        covered=(
            ("where D is the diagonal matrix", lambda M, S, Omega: np.ptp(S) > 0),
            ("returns -1/2 trace", lambda M, S, Omega: M.shape == (1, 1)),
        ),
        larger=((OAKS, lambda M, S, Omega: M.shape[0] > LEAVES and M.shape[1] > TAXA),),
        other=("The result is wrong.",),
        declined=DECLINED,
    ),
    "log_det": Drawn(
        covered=(
            ("the determinant of a precision matrix", lambda Omega: len(Omega) == 1),
            ("For many taxa", lambda Omega: np.linalg.slogdet(Omega)[1] > 90),
            ("For many taxa", lambda Omega: np.linalg.slogdet(Omega)[1] < -110),
        ),
        larger=((OAKS, lambda Omega: len(Omega) > TAXA),),
        declined={**DECLINED, "equal": "such a matrix has no inverse"},
    ),
    "expected_counts": Drawn(
        covered=(
            ("for each fit `i`", lambda B, X: len(B) == 1),
            ("all fits have the same covariates", lambda B, X: len(B) != len(X)),
        ),
        larger=(
            (OAKS, lambda B, X: len(X) > LEAVES and B.shape[2] > TAXA),
            ("fifty times", lambda B, X: len(B) > 50),
        ),
        declined=DECLINED,
    ),
}
