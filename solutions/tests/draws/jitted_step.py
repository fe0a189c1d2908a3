"""Lesson `jitted_step`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def is_large(Y):
    return Y.shape[0] > LEAVES and Y.shape[1] > TAXA


TABLE = {
    "jitted_step": Drawn(
        covered=(
            ("data of another size", lambda params, Omega, state, Y, O, X: Y.shape[1] == 5),
            ("data of another size", lambda params, Omega, state, Y, O, X: X.shape[1] == 2),
            (
                "all data, parameters and state come in",
                lambda params, Omega, state, Y, O, X: (
                    state[0].count > 0 and X.any() and Omega[0, 1] != 0
                ),
            ),
        ),
        larger=((OAKS, lambda params, Omega, state, Y, O, X: is_large(Y)),),
        other=("returns the parameters after one step",),
        declined=DECLINED,
    ),
    "jitted_step_fit": Drawn(
        covered=(
            ("the ELBO *before* each iteration", lambda params, Y, O, X, n: n == 1),
            ("the fitted parameters", lambda params, Y, O, X, n: params["B"].any() and n > 5),
        ),
        larger=(
            (OAKS, lambda params, Y, O, X, n: is_large(Y)),
            ("covariates, 300)", lambda params, Y, O, X, n: n > 300),
        ),
        other=(
            "`fit` below does both: it assigns to an array,",
            "the caller's `params` is the same after the call",
            "a second call compiles nothing",
            "The loop may stay in Python",
        ),
        declined=DECLINED,
    ),
    "fix_first_row": Drawn(
        covered=(
            ("`value` in all of its first row", lambda M, value: M.shape[0] > 1 < M.shape[1]),
            ("`value` in all of its first row", lambda M, value: M.shape[0] == 1),
        ),
        larger=((OAKS, lambda M, value: is_large(M)),),
        declined=DECLINED,
    ),
    "slope_in_rate": Drawn(
        covered=(("with respect to `rate`", lambda counts, rate: 0 in counts and rate != 1),),
        larger=((OAKS, lambda counts, rate: len(counts) > LEAVES),),
        other=("It returns something else.",),
        declined=DECLINED,
    ),
    "climb": Drawn(
        covered=(("a step of `rate` along the gradient", lambda params, gradient, rate: rate < 1),),
        larger=((OAKS, lambda params, gradient, rate: is_large(params["M"])),),
        other=("It also changes the dictionary",),
        declined=DECLINED,
    ),
}
