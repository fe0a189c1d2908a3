"""Lesson `loop_gradients`: which draw covers which sentence."""

from solutions.tests.draws.table import FINITE, LEAVES, NO_EMPTY_TABLE, OAKS, TAXA, Drawn

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}
EACH = ("`steps` is a plain Python integer.",)

TABLE = {
    "loop_gradients": Drawn(
        covered=(
            ("each count $y$ with offset $o$", lambda y, o, w: len(y) == 1),
            ("each taxon $j$ has a precision", lambda y, o, w: len({*w.tolist()}) > 1),
            ("a count of 0 with a large offset", lambda y, o, w: (o[y == 0] > 10).any()),
            ("120 by 118 counts", lambda y, o, w: y.shape == (120, 118)),
        ),
        larger=((OAKS, lambda y, o, w: y.shape[0] > LEAVES and y.shape[1] > TAXA),),
        other=(
            "Here $z$ has mean 0",
            "The most likely $z$ solves",
            "$$y - e^{o + z} - \\omega_j z = 0.$$",
            "Newton's method finds this $z$, and stops when it",
            "The **Laplace approximation** of the log likelihood uses it.",
            "Up to a constant",
            "$$y (o + z) - e^{o + z}",
            "you need its gradient",
            "fails with the error that you have seen",
            "returns the value and the pair of its gradients",
            "takes into account that $z$ moves",
            "for a table of 120 by 118 counts it needs at most",
            "Any way to get there is fine.",
            "You may change the whole cell.",
        ),
        declined=DECLINED,
    ),
    "loop_gradients_memory": Drawn(
        covered=(
            ("the ELBO after `steps` iterations", lambda rates, Y, O, steps: len(Y) == 1),
            ("with respect to `rates`", lambda rates, Y, O, steps: len({*rates.tolist()}) > 1),
            ("does not grow with `steps`", lambda rates, Y, O, steps: steps > 50),
            (
                "24 sites, 8 taxa and 108 steps",
                lambda rates, Y, O, steps: (*Y.shape, steps) == (24, 8, 108),
            ),
        ),
        larger=(("for steps in (10, 100)", lambda rates, Y, O, steps: steps > 100),),
        other=(
            "five or more arrays of the size of `Y`",
            "keeps only `M` and `log_S`",
        ),
        declined=DECLINED,
    ),
    "growth_slope": Drawn(
        covered=(
            ("after `steps` steps of growth", lambda x, steps: steps == 1),
            ("Do not let the program grow", lambda x, steps: steps > 50),
        ),
        larger=(
            (OAKS, lambda x, steps: len(x) > LEAVES),
            ("for steps in (10, 100)", lambda x, steps: steps > 100),
        ),
        other=(*EACH, "Each function must be one jitted function"),
        declined=DECLINED,
    ),
    "cube_root_slope": Drawn(
        covered=(
            (
                "the sum of `weights * cube_root(a)`",
                lambda a, weights: len({*weights.tolist()}) > 1,
            ),
            ("where all numbers are positive", lambda a, weights: (a < 0.5).all()),
        ),
        larger=((OAKS, lambda a, weights: len(a) > LEAVES),),
        other=("The result is wrong.",),
        declined=DECLINED,
    ),
    "drift_slope": Drawn(
        covered=(
            ("returns a right gradient", lambda x, steps: steps == 1),
            ("Do not let the program grow", lambda x, steps: steps > 50),
        ),
        larger=(
            (OAKS, lambda x, steps: x.shape[0] > LEAVES and x.shape[1] > TAXA),
            ("200 steps with an `x` of 40 by 30", lambda x, steps: steps > 200),
        ),
        other=("no more than 2 MiB of scratch memory",),
        declined=DECLINED,
    ),
}
