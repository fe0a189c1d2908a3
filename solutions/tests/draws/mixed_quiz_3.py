"""Lesson `mixed_quiz_3`: which draw covers which sentence."""

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}


def is_large(table):
    return table.ndim == 2 and table.shape[0] > LEAVES and table.shape[1] > TAXA


TABLE = {
    "mixed_quiz_3_rates": Drawn(
        covered=(
            ("for all offsets $o$", lambda offsets, other, B: offsets.shape == (1, 1)),
            ("with offsets of the same shape", lambda offsets, other, B: (offsets != other).any()),
        ),
        larger=((OAKS, lambda offsets, other, B: is_large(offsets)),),
        other=("compiles once more for each new object",),
        declined=DECLINED,
    ),
    "mixed_quiz_3_prepare": Drawn(
        covered=(
            ("or their `log1p` if `logs` is true", lambda Y, logs, power: logs),
            ("should raise the counts", lambda Y, logs, power: not logs),
            ("(0, 1, 2 and so on)", lambda Y, logs, power: power == 0),
            ("(0, 1, 2 and so on)", lambda Y, logs, power: power == 1),
            ("(0, 1, 2 and so on)", lambda Y, logs, power: power > 2),
            ("subtract the mean of each taxon", lambda Y, logs, power: len(Y) == 1),
        ),
        larger=((OAKS, lambda Y, logs, power: exceeds_oaks(Y)),),
        other=("Its results are right.", "even with settings that it was called with before"),
        declined=DECLINED,
    ),
    "mixed_quiz_3_gaussian": Drawn(
        covered=(
            ("logs of the standard deviations", lambda mean, log_sd, O: log_sd.shape == O.shape),
            ("`q` may be any `Gaussian", lambda mean, log_sd, O: log_sd.ndim == 0),
            ("`q` may be any `Gaussian", lambda mean, log_sd, O: mean.shape == (1, 1)),
            ("should return $e^{O + m + s^2 / 2}$", lambda mean, log_sd, O: mean.ndim == 1),
        ),
        larger=((OAKS, lambda mean, log_sd, O: is_large(O)),),
        other=("It is right without `@jax.jit`",),
        declined=DECLINED,
    ),
}
