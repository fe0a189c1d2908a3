"""Shows a verification as a table in the terminal, and writes it as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from autograder.core.report import SCHEMA
from autograder.lessons.course import Course
from autograder.lessons.verification.verify import Row, verify_course
from autograder.render.terminal import plain


def show_verification(
    root: Path, lessons: Sequence[str], only: str, jobs: int | None, json_file: Path | None
) -> int:
    """Print a line for each row of `verify_course`, and return the number of problems."""
    console = Console(highlight=False, soft_wrap=True)
    began = time.monotonic()
    rows: list[Row] = []
    for row in verify_course(root, lessons, only, jobs):
        rows.append(row)
        mark = plain("✗", "red") if row.problems else plain("✓", "green")
        console.print(mark, plain(f"{row.lesson:<18} {row.what}"))
        for problem in row.problems:
            console.print(plain(f"    {problem}"))
    count = sum(len(row.problems) for row in rows)
    good = sum(not row.problems for row in rows)
    seconds = time.monotonic() - began
    console.print(f"{good} of {len(rows)} rows are right; {count} problems; {seconds:.0f} s")
    if json_file is not None:
        numbers = {lesson.name: lesson.number for lesson in Course(root).lessons()}
        rows.sort(key=lambda row: (numbers.get(row.lesson, 0), row.what == "runs"))
        table = [asdict(row) for row in rows]
        text = json.dumps({"schema": SCHEMA, "rows": table}, indent=1) + "\n"
        json_file.write_text(text, encoding="utf-8")
    return count
