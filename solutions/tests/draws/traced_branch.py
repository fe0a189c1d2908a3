"""Lesson `traced_branch`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    NO_LARGEST,
    OAKS,
    TAXA,
    Drawn,
    exceeds_oaks,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "traced_branch": Drawn(
        covered=(
            ("for one species, a vector", lambda counts: counts.var() > counts.mean()),
            ("for one species, a vector", lambda counts: 0 < counts.var() < counts.mean()),
            ("also if all counts are zero", lambda counts: not counts.any()),
            ("the vector has one entry", lambda counts: len(counts) == 1),
            ("whatever its values", lambda counts: counts.max() == 1),
        ),
        larger=(
            (OAKS, lambda counts: len(counts) > LEAVES and counts.var() > counts.mean()),
            (OAKS, lambda counts: len(counts) > LEAVES and counts.var() < counts.mean()),
            (OAKS, lambda counts: counts.max() > MOST),
        ),
        declined=DECLINED,
    ),
    "traced_branch_switch": Drawn(
        covered=(
            ("`transform(counts, kind)`", lambda counts, kind: 0 in counts and kind == 2),
            ("It is 0 (logarithm", lambda counts, kind: 0 in counts and kind == 0),
            ("1 (square root)", lambda counts, kind: 0 in counts and kind == 1),
            ("or 2 (present or absent", lambda counts, kind: kind == 2 and counts.max() > 1),
        ),
        larger=(
            (OAKS, lambda counts, kind: kind == 1 and exceeds_oaks(counts)),
            (OAKS, lambda counts, kind: kind == 2 and exceeds_oaks(counts)),
            (OAKS, lambda counts, kind: kind == 0 and counts.max() > MOST),
        ),
        other=(
            "a JAX integer that comes out of another computation",
            "**Second**, repair `transform(counts, kind)`, so",
        ),
        declined=DECLINED,
    ),
    "scale_down": Drawn(
        covered=(
            ("divides all of `x` by its largest value", lambda x: x.max() > 1),
            ("if that is larger than 1", lambda x: 0 < x.max() < 1),
            ("if that is larger than 1", lambda x: x.max() <= 0 and x.min() < -1),
        ),
        larger=((OAKS, exceeds_oaks),),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
    "clip_latent": Drawn(
        covered=(
            ("**2.** `clip_latent(z)` returns `z` with 1 in", lambda z: (z > 1).any() and 1 in z),
            ("**2.** `clip_latent(z)` returns `z` with 1 in", lambda z: (z < -1).any() and -1 in z),
            (
                "**2.** `clip_latent(z)` returns `z` with 1 in",
                lambda z: np.isposinf(z).any() and np.isneginf(z).any(),
            ),
            ("**2.** `clip_latent(z)` returns `z` with 1 in", lambda z: (abs(z) < 1).all()),
        ),
        larger=((OAKS, lambda z: z.shape[0] > LEAVES and z.shape[-1] > TAXA),),
        declined={"empty": NO_EMPTY_TABLE, "nan": FINITE},
    ),
    "evenness": Drawn(
        covered=(
            ("the smallest count divided by the largest", lambda site: site.min() > 1),
            (
                "the smallest count divided by the largest",
                lambda site: 0 == site.min() < site.max(),
            ),
            ("0 for a site without counts", lambda site: not site.any()),
        ),
        larger=((OAKS, lambda site: len(site) > TAXA),),
        declined={**DECLINED, "empty": NO_LARGEST},
    ),
}
