"""What shows only over several assignments: mistakes that come back, and who has stopped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from autograder.classroom.term.overview import Overview, Progress

LAST = 3
"""Who has handed in none of so many last assignments has stopped."""

SHARE = 1 / 3
"""An assignment counts for that once this share of the active students has handed it in."""


@dataclass(frozen=True)
class Recurring:
    """A rule that was broken: by whom, in which assignments, and by whom in several."""

    rule: str
    students: frozenset[str]
    assignments: tuple[str, ...]
    again: frozenset[str]


def find_recurring(overview: Overview) -> list[Recurring]:
    """Return all rules that were broken; first those that most students break again and again."""
    where: dict[str, list[Progress]] = defaultdict(list)
    for progress in overview.assignments:
        for rule in progress.mistakes:
            where[rule].append(progress)
    found = []
    for rule, some in where.items():
        counts: dict[str, int] = defaultdict(int)
        for progress in some:
            for student in progress.mistakes[rule]:
                counts[student] += 1
        again = frozenset(student for student, count in counts.items() if count > 1)
        found.append(Recurring(rule, frozenset(counts), tuple(p.name for p in some), again))
    return sorted(found, key=lambda r: (-len(r.again), -len(r.students), r.rule))


@dataclass(frozen=True)
class Stopped:
    """Who has stopped, and who never began.

    Attributes:
        last: the assignments that were looked at; fewer than `LAST` where it is too early to say.
        students: who handed in none of them, and the name of the last one that they handed in.
        never: who has handed in nothing at all.
    """

    last: tuple[str, ...]
    students: Mapping[str, str]
    never: tuple[str, ...]


def find_stopped(overview: Overview, now: datetime) -> Stopped:
    """Return who has handed in none of the last assignments that others have handed in.

    Args:
        overview: of the class.
        now: in UTC, without a zone. Where a student's due date is to come, nothing is missing.
    """
    active = overview.active
    counted = [
        a for a in overview.assignments if a.results and len(a.results) >= SHARE * len(active)
    ]
    last = counted[-LAST:]
    found: dict[str, str] = {}
    for student in active if len(last) == LAST else ():
        if not any(student in a.results or a.is_open(student, now) for a in last):
            *_, latest = (a.name for a in overview.assignments if student in a.results)
            found[student] = latest
    never = tuple(s for s in overview.students if s not in set(active))
    return Stopped(tuple(a.name for a in last), found, never)
