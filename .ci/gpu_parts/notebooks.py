"""Solved notebooks, each in a kernel that has the GPU, whose checks time programs beside it."""

from __future__ import annotations

import os
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

from findings import Findings

from autograder.lessons.course import find_course
from autograder.lessons.lesson import Lesson
from autograder.lessons.verification.kernel_runs import (
    card_problems,
    fill_solutions,
    run_notebooks,
)
from autograder.model.exercise import speed_name
from autograder.model.notebook import nbformat
from autograder.render.score import reports_shown

UNTIMED = ("static_branch", "timing", "recompile_hunt", "safe_where")
"""Lessons without points for speed, whose notebooks run beside a GPU too."""


def run(findings: Findings, small: bool) -> None:
    lessons = find_course().lessons()
    timed = [one for one in lessons if any("speed" in e.points for e in one.rubric.exercises)]
    chosen = timed[:1] if small else [*timed, *(one for one in lessons if one.name in UNTIMED)]
    backend = "cpu" if small else "gpu"

    with ThreadPoolExecutor(min(len(chosen), len(os.sched_getaffinity(0)))) as pool:
        for done in as_completed(pool.submit(run_notebook, lesson, backend) for lesson in chosen):
            row = done.result()
            findings.keep(
                rows=[*findings.data["rows"], row],
                problems=[*findings.data["problems"], *row["problems"]],
                figures=[f"{len(findings.data['rows']) + 1} of {len(chosen)} notebooks"],
            )
    findings.require("solved notebooks get full marks", not findings.data["problems"])
    if not small:
        speeds = [speed for row in findings.data["rows"] for speed in row["speeds"]]
        findings.require(
            f"speed: {', '.join(speeds)}; at least one passed, none is pending",
            "passed" in speeds and "pending" not in speeds,
        )


def run_notebook(lesson: Lesson, backend: str) -> dict[str, Any]:
    """Run a lesson's solved notebook in a kernel of its own and read its report cards."""
    began = time.perf_counter()
    notebook = fill_solutions(lesson)
    notebook.cells.append(nbformat.v4.new_code_cell("import jax\njax.default_backend()"))
    run_notebooks([notebook])
    problems = card_problems(notebook)
    found = [one["data"]["text/plain"].strip("'") for one in notebook.cells[-1]["outputs"]]
    if found != [backend]:
        problems.append(f"the kernel's backend is {found}")
    names = {speed_name(exercise.name) for exercise in lesson.rubric.exercises}
    speeds = [
        str(criterion.status)
        for cell in notebook["cells"]
        if cell["id"] in names
        for report in reports_shown(cell)
        for criterion in report.criteria
        if criterion.name == "speed"
    ]
    return {
        "lesson": lesson.name,
        "seconds": round(time.perf_counter() - began, 1),
        "problems": [f"{lesson.name}: {one}"[:300] for one in problems],
        "speeds": speeds,
    }
