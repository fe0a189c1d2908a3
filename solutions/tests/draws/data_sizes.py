"""Lesson `data_sizes`: which draw covers which sentence."""

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
    "data_sizes": Drawn(
        covered=(
            ("the mean and the smallest of its counts", lambda counts, chosen: chosen.sum() > 1),
            (
                "A taxon whose smallest count is above zero",
                lambda counts, chosen: chosen.any() and (counts[chosen].min(axis=0) > 0).any(),
            ),
            ("a table of any size", lambda counts, chosen: counts.shape == (1, 1)),
            ("a table of any size", lambda counts, chosen: counts.shape[1] == 1 < len(counts)),
            ("for any mask", lambda counts, chosen: chosen.sum() == 1),
            ("for any mask", lambda counts, chosen: len(chosen) > 1 and chosen.all()),
            ("where no leaf is chosen", lambda counts, chosen: not chosen.any()),
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
            ("-1 stands in the places", lambda counts, size: 0 < (counts > 0).sum() < size),
            ("larger than the number of taxa", lambda counts, size: size > len(counts)),
            ("counts *all* seen taxa", lambda counts, size: (counts > 0).sum() > size),
        ),
        larger=(
            (OAKS, lambda counts, size: len(counts) > TAXA and (counts > 0).sum() > TAXA),
            (OAKS, lambda counts, size: size > TAXA),
            ("seen_taxa(counts[0], 5)", lambda counts, size: len(counts) < 10 and size > 5),
        ),
        other=(
            "Nobody knows how many there are",
            "So the caller says",
            "which is static",
            "it returns two things",
            "an array of length `size`",
            "compiled once for each shape and `size`",
        ),
        declined=DECLINED,
    ),
    "data_sizes_groups": Drawn(
        covered=(
            ("the mean count of each taxon in each group", lambda counts, group, n: n > 1),
            ("in any order", lambda counts, group, n: (np.diff(group) < 0).any()),
            ("from 0 to `n_groups - 1`", lambda counts, group, n: group.max() == n - 1),
            ("from 0 to `n_groups - 1`", lambda counts, group, n: n == 1),
            ("a group without leaves is 0", lambda counts, group, n: 0 not in group),
            ("a group without leaves is 0", lambda counts, group, n: n - 1 not in group),
            ("of which there may be hundreds", lambda counts, group, n: group.max() > 200),
        ),
        larger=(
            (OAKS, lambda counts, *_: counts.shape[0] > LEAVES and counts.shape[1] > TAXA),
            ("% 100", lambda counts, group, n: n > 100 and group.max() > 100),
        ),
        other=(
            "`n_groups` is static",
            "compiled once for each shape and `n_groups`",
            "is called a *segment sum*",
            "JAX has a function for it",
        ),
        declined=DECLINED,
    ),
    "log_total": Drawn(
        covered=(
            ("the logarithms of all counts above zero", lambda y: 0 in y and (y > 1).any()),
            ("0 if there are none", lambda y: not y.any()),
        ),
        larger=((OAKS, lambda y: len(y) > TAXA and y.max() > MOST),),
        declined=DECLINED,
    ),
    "list_groups": Drawn(
        covered=(
            ("each number in `group` once", lambda group, size: len(np.unique(group)) < len(group)),
            ("in increasing order", lambda group, size: (np.diff(group) < 0).all()),
            ("the first `size` of them", lambda group, size: len(np.unique(group)) > size),
            ("If there are fewer, -1", lambda group, size: len(np.unique(group)) < size),
            ("`size` is a plain Python integer", lambda group, size: size > len(group)),
        ),
        larger=(
            (OAKS, lambda group, size: len(group) > LEAVES and size > LEAVES),
            ("% 100", lambda group, size: group.max() > 100),
        ),
        declined=DECLINED,
    ),
    "depth_of_leaves": Drawn(
        covered=(
            ("Tree `i` has `leaves[i]` leaves", lambda depths, leaves, total: leaves.max() > 1),
            ("maybe none", lambda depths, leaves, total: 0 in leaves),
            ("the depth of its tree for each leaf", lambda depths, leaves, total: len(depths) == 1),
            ("is the number of all leaves", lambda depths, leaves, total: total == leaves.sum()),
        ),
        larger=((OAKS, lambda depths, leaves, total: len(depths) > LEAVES and total > LEAVES),),
        declined=DECLINED,
    ),
}
