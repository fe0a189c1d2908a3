"""The rows of a verification as a table in the terminal, and as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from autograder.core.report import SCHEMA
from autograder.lessons.course import Course
from autograder.lessons.verification.verify import Row, verify
from autograder.render.terminal import plain


def report(
    root: Path,
    lessons: Sequence[str] = (),
    only: str = "",
    jobs: int | None = None,
    json_file: Path | None = None,
) -> int:
    """Verify, print a line for each row as it comes, and return the number of problems."""
    console = Console(highlight=False, soft_wrap=True)
    started = time.monotonic()
    rows: list[Row] = []
    for row in verify(root, lessons, only, jobs):
        rows.append(row)
        mark = plain("✗", "red") if row.problems else plain("✓", "green")
        console.print(mark, plain(f"{row.lesson:<18} {row.what}"))
        for problem in row.problems:
            console.print(plain(f"    {problem}"))
    count = sum(len(row.problems) for row in rows)
    wrong = sum(bool(row.problems) for row in rows)
    seconds = time.monotonic() - started
    said = f"{len(rows) - wrong} of {len(rows)} hold; {count} problems; {seconds:.0f} s"
    console.print(plain(said))
    if json_file is not None:
        table = [
            {
                "lesson": row.lesson,
                "what": row.what,
                "problems": list(row.problems),
                "seconds": round(row.seconds, 2),
            }
            for row in _in_order(rows, root)
        ]
        text = json.dumps({"schema": SCHEMA, "rows": table}, indent=1) + "\n"
        json_file.write_text(text, encoding="utf-8")
    return count


def _in_order(rows: Sequence[Row], root: Path) -> list[Row]:
    """The rows by lesson as the course has them, what was run last."""
    place = {lesson.name: i for i, lesson in enumerate(Course(root).lessons())}
    return sorted(rows, key=lambda row: (place.get(row.lesson, -1), row.what == "runs"))
