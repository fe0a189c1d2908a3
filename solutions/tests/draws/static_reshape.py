"""Lesson `static_reshape`: which draw covers which sentence."""

import numpy as np

from solutions.tests.draws.table import (
    FINITE,
    LEAVES,
    MOST,
    NO_EMPTY_TABLE,
    OAKS,
    TAXA,
    Drawn,
)

DECLINED = {"empty": NO_EMPTY_TABLE, "infinite": FINITE, "nan": FINITE}

TABLE = {
    "static_reshape": Drawn(
        covered=(
            ("a table of any shape", lambda counts: counts.size == 1),
            ("a table of any shape", lambda counts: 1 in counts.shape and counts.size > 1),
            ("one axis or more", lambda counts: counts.ndim == 1),
            ("one axis or more", lambda counts: counts.ndim == 2),
            ("one axis or more", lambda counts: counts.ndim == 3),
            ("one axis or more", lambda counts: counts.ndim == 4),
            ("at least one count above zero", lambda counts: (counts > 0).sum() == 1),
        ),
        larger=((OAKS, lambda counts: counts.size > LEAVES * TAXA),),
        other=("`rank_abundance(counts)` below fails with", "TypeError", "Shapes must be 1D"),
        declined=DECLINED,
    ),
    "data_sizes": Drawn(
        covered=(
            ("the mean and the smallest of its counts", lambda counts, chosen: chosen.sum() > 1),
            (
                "A taxon whose smallest count is above zero",
                lambda counts, chosen: chosen.any() and (counts[chosen].min(axis=0) > 0).any(),
            ),
            ("a table of any size", lambda counts, chosen: counts.shape == (1, 1)),
            ("a table of any size", lambda counts, chosen: counts.shape[1] == 1 < len(counts)),
            (
                "it works for a table of any size with at least",
                lambda counts, chosen: counts.size == 1,
            ),
            ("for any mask", lambda counts, chosen: chosen.sum() == 1),
            ("for any mask", lambda counts, chosen: len(chosen) > 1 and chosen.all()),
            ("where no site is chosen, the mean and the", lambda counts, chosen: not chosen.any()),
        ),
        larger=(
            (OAKS, lambda counts, chosen: counts.shape[0] > LEAVES and counts.shape[1] > TAXA),
            (OAKS, lambda counts, chosen: chosen.any() and counts[chosen].min() > MOST),
            (OAKS, lambda counts, chosen: chosen[LEAVES:].any()),
        ),
        other=("call it a *core taxon*", "one program serves all masks"),
        declined=DECLINED,
    ),
    "data_sizes_seen": Drawn(
        covered=(
            ("have a count above zero", lambda counts, size: 0 < (counts > 0).sum() < len(counts)),
            ("have a count above zero", lambda counts, size: (counts > 0).all()),
            ("have a count above zero", lambda counts, size: not counts.any()),
            ("it holds the first of them", lambda counts, size: (counts > 0).sum() > size),
            (
                "If fewer were seen, the places that are left over",
                lambda counts, size: 0 < (counts > 0).sum() < size,
            ),
            ("larger than the number of taxa", lambda counts, size: size > len(counts)),
            ("which is static and at least 1", lambda counts, size: size == 1),
            ("counts *all* seen taxa", lambda counts, size: (counts > 0).sum() > size),
        ),
        larger=(
            (OAKS, lambda counts, size: len(counts) > TAXA and (counts > 0).sum() > TAXA),
            (OAKS, lambda counts, size: size > TAXA),
        ),
        other=(
            "Nobody knows how many there are",
            "So the caller says",
            "it returns two things",
            "an array of length `size`",
            "compiled once for each shape and `size`",
            "has [two options]",
        ),
        declined=DECLINED,
    ),
    "block_means": Drawn(
        covered=(
            ("the mean of each block", lambda x, width: 1 < width < len(x)),
            ("divides the length of `x`", lambda x, width: width == 1),
            ("divides the length of `x`", lambda x, width: 1 < width == len(x)),
        ),
        larger=((OAKS, lambda x, width: width > LEAVES and len(x) > 2 * LEAVES),),
        declined=DECLINED,
    ),
    "list_groups": Drawn(
        covered=(
            (
                "**2.** `list_groups(group, size)` returns the",
                lambda group, size: len(np.unique(group)) < len(group),
            ),
            ("in increasing order", lambda group, size: (np.diff(group) < 0).all()),
            (
                "the `size` smallest distinct numbers",
                lambda group, size: len(np.unique(group)) > size,
            ),
            ("distinct numbers in `group`", lambda group, size: (group > len(group)).any()),
            ("If there are fewer, -1", lambda group, size: len(np.unique(group)) < size),
            ("`size` is a plain Python integer", lambda group, size: size > len(group)),
        ),
        larger=((OAKS, lambda group, size: len(group) > LEAVES and size > LEAVES),),
        declined=DECLINED,
    ),
    "group_means": Drawn(
        covered=(
            ("the mean count of each taxon in each group", lambda counts, group, n: n > 1),
            ("in any order", lambda counts, group, n: (np.diff(group) < 0).any()),
            ("from 0 to `n_groups - 1`", lambda counts, group, n: group.max() == n - 1),
            ("from 0 to `n_groups - 1`", lambda counts, group, n: n == 1),
            ("The row of a group without sites is 0.", lambda counts, group, n: 0 not in group),
            ("The row of a group without sites is 0.", lambda counts, group, n: n - 1 not in group),
            ("of which there may be hundreds", lambda counts, group, n: group.max() > 200),
        ),
        larger=((OAKS, lambda counts, *_: counts.shape[0] > LEAVES and counts.shape[1] > TAXA),),
        other=(
            "`n_groups` is static",
            "With masks in a Python loop",
            "Write it **without a loop**",
        ),
        declined=DECLINED,
    ),
}
