"""`autograder report --similar`: pairs of submissions that share what few others have.

Rare features count, common ones do not. The page shows both sides.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.alike.features import (
    ANSWER,
    CODE,
    COMMENT,
    NAME,
    PROGRAM,
    TEXT,
    Feature,
    Source,
    read_cells,
)
from autograder.classroom.assignment import Assignment
from autograder.classroom.course_config import source_notebook
from autograder.classroom.marks import Outcome
from autograder.grading.apart import read_apart
from autograder.lessons.authoring import is_solution, release_cell, solution_region
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.printable import one_line
from autograder.model.report import Status
from autograder.processes.files import write_whole
from autograder.render.markup import load_template

WEIGHTS = {CODE: 1.0, COMMENT: 6.0, TEXT: 4.0, NAME: 1.0, ANSWER: 1.0, PROGRAM: 6.0}
"""Of a feature of each kind. Neighbouring runs overlap, so a run counts less than a comment."""

ENOUGH = 40.0
"""Bits of rare features that two submissions must share: ten runs of code, say."""
SHARE = 0.5
"""Part of the rarer features of either submission that both must have."""
GROUP = 5
"""Submissions with the same feature, at most, or a tenth of the class: then it is rare."""

SHOWN, LISTED, NAMED = 50, 10, 8
"""Pairs on the page and in the terminal; comments, names and the like of a pair."""

WORDED = (COMMENT, TEXT, NAME, ANSWER)
"""Kinds of features that are shown by their text."""


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


# --- the page -------------------------------------------------------------------------------------


def common_sources(source: NotebookNode, others: Sequence[str]) -> list[Source]:
    """Return what everybody has or may come to: a lesson's texts, starters and solutions.

    Args:
        source: the lesson's notebook with its solutions.
        others: solution cells of other submissions that its authors know.
    """
    cells: list[tuple[str, bool]] = []
    for cell in source["cells"]:
        is_code = cell["cell_type"] == "code"
        if is_solution(cell):
            solution = solution_region(cell["source"]) or cell["source"]
            cells += [(solution, is_code), (release_cell(cell), is_code)]
        else:
            cells.append((cell["source"], is_code))
    cells += [(text, True) for text in others]
    return [Source.from_json(read_cells([cell])) for cell in cells]


def read_source(notebook: NotebookNode) -> Source:
    """Read the cells that students write in: code, drills and answers in words.

    Raises:
        OutOfLimits: reading them takes too long.
    """
    written = [cell for cell in notebook["cells"] if is_solution(cell)]
    sources = [(str(cell["source"]), cell["cell_type"] == "code") for cell in written]
    return Source.from_json(read_apart(read_cells, sources))


def write_similar(path: Path, opened: Assignment, outcomes: Sequence[Outcome]) -> list[str]:
    """Write the page of an assignment's pairs, and return lines about them for the terminal.

    Raises:
        OSError: the page cannot be written.
    """
    lesson = nbformat.read(source_notebook(opened.grader.course, opened.name), as_version=4)
    script = opened.grader.lessons.script(opened.name)
    known = find_submissions(script.parent.parent, opened.name) if script else []
    common = common_sources(lesson, [one.source for one in known if one.source])
    sources, unread = {}, []
    digests = {o.student: _wrong_programs(o) for o in outcomes}
    for student in opened.students:
        try:
            task = opened.task(student)
            if task.repaired.unreadable:
                raise ValueError(task.repaired.unreadable)
            source = read_source(task.repaired.notebook)
        except Exception:  # the others are still compared
            unread.append(student)
            continue
        programs = {(PROGRAM, digest): frozenset() for digest in digests.get(student, ())}
        sources[student] = replace(source, features={**source.features, **programs})
    pairs = find_pairs(sources, common)
    page = load_template("autograder.classroom.alike", "alike.html").render(
        course=opened.grader.course.name,
        assignment=opened.name,
        compared=len(sources),
        unread=unread,
        left_out=max(0, len(pairs) - SHOWN),
        pairs=[_shown(pair, sources) for pair in pairs[:SHOWN]],
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page.encode(errors="replace"))
    found = messages.ALIKE.format(path=path, count=len(pairs), compared=len(sources))
    lines = [found]
    for pair in pairs[:LISTED]:
        first, second = map(one_line, pair.students)
        lines.append(f"  {first} and {second}: {pair.share:.0%} of what few others have")
    if len(pairs) > LISTED:
        lines.append(f"  and {len(pairs) - LISTED} more")
    if unread:
        lines.append(f"  not compared: {', '.join(map(one_line, unread))}")
    return lines


def _wrong_programs(outcome: Outcome) -> list[str]:
    """Return digests of the programs with wrong results: right ones converge to the same."""
    if outcome.graded is None:
        return []
    wrong = {r.exercise for r in outcome.reports if r.criterion("outputs").status is Status.FAILED}
    digests = outcome.graded.program_digests
    return [f"{name} {digest}" for name, digest in digests.items() if name in wrong]


def _shown(pair: Pair, sources: dict[str, Source]) -> dict[str, object]:
    """Return what the template shows of a pair: counts, words, and both sources with marks."""
    sides = []
    for student in pair.students:
        source = sources[student]
        alike = frozenset().union(*(source.features[feature] for feature in pair.features))
        lines = [(line, i in alike and bool(line)) for i, line in enumerate(source.lines)]
        sides.append({"student": student, "lines": lines})
    kinds = Counter(kind for kind, _ in pair.features)
    words = [(kind, one_line(text)) for kind, text in pair.features if kind in WORDED][:NAMED]
    return {
        "sides": sides,
        "share": f"{pair.share:.0%}",
        "bits": f"{pair.bits:.0f}",
        "kinds": [(kind, kinds[kind]) for kind in sorted(kinds)],
        "words": words,
        "program": kinds[PROGRAM],
    }
