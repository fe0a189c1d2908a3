"""`autograder report --similar`: pairs that are alike, side by side on a page, and as a list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.classroom import messages
from autograder.classroom.alike.features import PROGRAM, Source, cell_features, read_cells
from autograder.classroom.alike.similar_pairs import Pair, find_pairs
from autograder.classroom.assignment import Assignment
from autograder.classroom.course_folder import source_notebook
from autograder.classroom.outcome import Outcome
from autograder.grading.apart import read_apart
from autograder.lessons.authoring import is_defence, is_solution, release_cell, solution_region
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.notebook import NotebookNode, nbformat
from autograder.model.printable import one_line
from autograder.model.report import Status
from autograder.processes.files import write_whole
from autograder.render.markup import load_template

SHOWN, LISTED, NAMED = 50, 10, 8
"""Pairs on the page and in the terminal; comments, names and the like of a pair."""


def common_sources(source: NotebookNode, others: Sequence[str] = ()) -> list[Source]:
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
    return [read_cells([cell]) for cell in (*cells, *((text, True) for text in others))]


def read_source(notebook: NotebookNode) -> Source:
    """Read the cells that students write in: code, drills and answers in words.

    Raises:
        OutOfLimits: reading them takes too long.
    """
    written = [cell for cell in notebook["cells"] if is_solution(cell) and not is_defence(cell)]
    sources = [(str(cell["source"]), cell["cell_type"] == "code") for cell in written]
    return Source.from_json(read_apart(cell_features, sources))


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


@dataclass(frozen=True)
class _Side:
    student: str
    lines: tuple[tuple[str, bool], ...]


def _shown(pair: Pair, sources: dict[str, Source]) -> dict[str, object]:
    """Return what the template shows of a pair: counts, words, and both sources with marks."""
    sides = []
    for student in pair.students:
        source = sources[student]
        alike = frozenset().union(*(source.features[feature] for feature in pair.features))
        lines = tuple((line, i in alike and bool(line)) for i, line in enumerate(source.lines))
        sides.append(_Side(student, lines))
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


WORDED = ("comment", "text", "name", "answer")
"""Kinds of features that are shown by their text."""
