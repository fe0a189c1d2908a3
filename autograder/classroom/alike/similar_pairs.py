"""Pairs of submissions that share what few others have: rare features count, common ones do not."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from autograder.classroom.alike.features import (
    ANSWER,
    CODE,
    COMMENT,
    NAME,
    PROGRAM,
    TEXT,
    Feature,
    Source,
)

WEIGHTS = {CODE: 1.0, COMMENT: 6.0, TEXT: 4.0, NAME: 1.0, ANSWER: 1.0, PROGRAM: 6.0}
"""Of a feature of each kind. Neighbouring runs overlap, so a run counts less than a comment."""

ENOUGH = 40.0
"""Bits of rare features that two submissions must share: ten runs of code, say."""
SHARE = 0.5
"""Part of the rarer features of either submission that both must have."""
GROUP = 5
"""Submissions with the same feature, at most, or a tenth of the class: then it is rare."""


@dataclass(frozen=True)
class Pair:
    """Two submissions that are alike.

    Attributes:
        students: the two.
        bits: how much they share, as the sum of the shared features' -log2 frequencies, weighted.
        share: part of what is rare in the one that the other has too; the larger of the two.
        features: what they share, the rarest first.
    """

    students: tuple[str, str]
    bits: float
    share: float
    features: tuple[Feature, ...]


def find_pairs(sources: Mapping[str, Source], common: Sequence[Source] = ()) -> list[Pair]:
    """Return the pairs of a class that share much that is rare, those that share most first.

    Args:
        sources: by student.
        common: what everybody has or may come to: the starter, and the lesson's own solutions.
    """
    known = {feature for source in common for feature in source.features}
    count = Counter(f for source in sources.values() for f in source.features if f not in known)
    limit = max(GROUP, len(sources) / 10)
    size = len(sources) + len(common)
    bits = {
        feature: WEIGHTS[feature[0]] * math.log2(size / n)
        for feature, n in count.items()
        if n <= limit
    }
    own = {s: _sum(bits, source.features) for s, source in sources.items()}
    owners: dict[Feature, list[str]] = defaultdict(list)
    for student, source in sources.items():
        for feature in source.features:
            if feature in bits:
                owners[feature].append(student)
    shared: dict[tuple[str, str], list[Feature]] = defaultdict(list)
    for feature, students in owners.items():
        for first, second in combinations(sorted(students), 2):
            shared[first, second].append(feature)
    pairs = []
    for students, features in shared.items():
        total = _sum(bits, features)
        share = total / min(own[student] for student in students) if total else 0.0
        if total >= ENOUGH and share >= SHARE:
            rarest = tuple(sorted(features, key=lambda f: (-bits[f], f)))
            pairs.append(Pair(students, total, share, rarest))
    return sorted(pairs, key=lambda pair: (-pair.bits, pair.students))


def _sum(bits: Mapping[Feature, float], features: Iterable[Feature]) -> float:
    return math.fsum(bits.get(feature, 0.0) for feature in features)
