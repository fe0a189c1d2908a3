"""Lesson `puzzles`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import FINITE, Drawn

DECLINED = {
    "empty": "the rules at the top say that a vector has one entry or more",
    "infinite": FINITE,
    "nan": FINITE,
}
NO_SIZES = "the notebook shows no vector"

TABLE = {
    "flip": Drawn(
        covered=(
            ("`x` back to front if `on` is `True`", lambda x, on: on and np.ptp(x) > 0),
            ("as it is if it is `False`", lambda x, on: not on and np.ptp(x) > 0),
            ("as it is if it is `False`", lambda x, on: not on and len(x) == 1),
        ),
        larger=NO_SIZES,
        declined=DECLINED,
    ),
    "sunny": Drawn(
        covered=(
            ("if its first entry is positive", lambda x: x[0] > 0 > x.sum()),
            ("and `-x` if not", lambda x: x[0] < 0 < x.sum()),
            ("and `-x` if not", lambda x: x[0] == 0 and x.any()),
        ),
        larger=NO_SIZES,
        declined=DECLINED,
    ),
    "blessings": Drawn(
        covered=(
            ("the positive entries of `x`", lambda x: x.min() < 0 < x.max() and 0 in x),
            ("the positive entries of `x`", lambda x: x.min() > 0),
            ("0 if there are none", lambda x: x.max() < 0),
        ),
        larger=NO_SIZES,
        declined=DECLINED,
    ),
    "bookends": Drawn(
        covered=(
            ("its first entry in the last place, too", lambda x: x[0] != x[-1]),
            ("its first entry in the last place, too", lambda x: len(x) == 1),
        ),
        larger=NO_SIZES,
        declined=DECLINED,
    ),
    "origami": Drawn(
        covered=(
            ("9 entries become 3 rows of 3", lambda x: len(x) == 9),
            ("The length of `x` is always a square number.", lambda x: len(x) == 1),
            ("The length of `x` is always a square number.", lambda x: len(x) == 4),
        ),
        larger=(("9 entries", lambda x: len(x) > 9),),
        declined=DECLINED,
    ),
    "snail": Drawn(
        covered=(
            ("replaces `x` by `x + 1 / x`, `n` times", lambda x, n: n == 1),
            ("The entries of `x` are positive.", lambda x, n: x.min() > 0),
            ("a JAX integer, 0 or more", lambda x, n: n == 0),
            ("a JAX integer, 0 or more", lambda x, n: n > 30),
        ),
        larger=NO_SIZES,
        other=("`n` is a JAX integer, 0 or more, that comes out",),
        declined=DECLINED,
    ),
    "elephant": Drawn(
        covered=(
            ("the running totals of `x`", lambda x: np.ptp(x) > 0),
            ("its first entry", lambda x: len(x) == 1),
        ),
        larger=NO_SIZES,
        other=("As it stands, it is right at its first call, and",),
        declined=DECLINED,
    ),
    "shaken": Drawn(
        covered=(
            ("adds noise to `x`", lambda key, x: x.any()),
            ("what `jax.random.normal` draws with `key`", lambda key, x: key[0] > 0),
            ("a number for each entry", lambda key, x: np.ptp(x) == 0 and len(x) > 1),
        ),
        larger=NO_SIZES,
        other=("As it stands, the noise is always the same,",),
        declined=DECLINED,
    ),
    "groundhog": Drawn(
        covered=(("squashes each entry to between 0 and 1", lambda x: x.min() < 0 < x.max()),),
        larger=NO_SIZES,
        other=(
            "In the card's row of calls, `C` is a call that",
            "In the card's row of calls, `C` is a call that",
        ),
        declined=DECLINED,
    ),
    "sips": Drawn(
        covered=(
            ("adds up the first `n` entries of `x`", lambda x, n: 0 < n < len(x)),
            ("from 0 to the length of `x`", lambda x, n: n == 0 and len(x) > 1),
            ("from 0 to the length of `x`", lambda x, n: n == len(x) > 1),
        ),
        larger=NO_SIZES,
        other=("Here, one program for each length of `x` must",),
        declined=DECLINED,
    ),
}
