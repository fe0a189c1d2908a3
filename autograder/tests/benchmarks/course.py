"""How long the course takes, cell by cell, each notebook solved and in a kernel of its own.

`python -m autograder.tests.benchmarks.course [NAME...]`

Errors that are not meant, warnings, and cards without full marks are printed; the exit status is
1 then.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from autograder.lessons.course import Lesson, find_course
from autograder.lessons.verification.kernel_runs import (
    card_problems,
    cell_problems,
    fill_solutions,
    run_notebooks,
)


def run_solved(lesson: Lesson) -> tuple[float, list[str]]:
    """Return the seconds that the lesson's notebook takes, and what is wrong with it."""
    notebook = fill_solutions(lesson)
    begin = time.perf_counter()
    run_notebooks([notebook])
    seconds = time.perf_counter() - begin
    return seconds, cell_problems(notebook) + card_problems(notebook)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=1, help="Notebooks at a time.")
    asked = parser.parse_args()
    lessons = [x for x in find_course().lessons() if not asked.names or x.name in asked.names]
    begin, wrong = time.perf_counter(), 0
    with ThreadPoolExecutor(asked.jobs) as pool:
        found = pool.map(run_solved, lessons)
        for lesson, (seconds, problems) in zip(lessons, found, strict=True):
            print(f"{lesson.name:20} {seconds:6.1f} s", *problems, sep="\n  ", flush=True)
            wrong += len(problems)
    print(f"{len(lessons)} notebooks, {time.perf_counter() - begin:.0f} s, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
