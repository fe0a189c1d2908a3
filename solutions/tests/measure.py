"""How long a lesson takes, measured and not felt: `python -m solutions.tests.measure`.

Prose is read at 200 words a minute, each code cell takes half a minute to read and to run, and a
task takes twice the minutes that stand below it.
"""

from __future__ import annotations

import re

from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import kits_course
from autograder.lessons.lesson import Lesson

_NOT_PROSE = re.compile(r"```.*?```|\(https?:[^)]*\)", re.DOTALL)
_WORD = re.compile(r"\w[\w'’-]*")
_TASK = re.compile(r"about (\d+) minutes?\.")


def measured_minutes(lesson: Lesson) -> float:
    """Return the minutes that a lesson's notebook takes."""
    cells = build_exercise(lesson)["cells"]
    prose = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
    words = sum(len(_WORD.findall(_NOT_PROSE.sub("", text))) for text in prose)
    tasks = sum(int(minutes) for text in prose for minutes in _TASK.findall(text))
    return words / 200 + (len(cells) - len(prose)) / 2 + 2 * tasks


def main() -> None:
    """Print the minutes of each lesson, measured and stated, and the hours of the core."""
    core = 0.0
    for lesson in kits_course().lessons():
        minutes = measured_minutes(lesson)
        core += 0.0 if lesson.rubric.track else minutes
        stated = lesson.rubric.minutes
        print(f"{lesson.script.stem:24} {minutes:5.1f} stated {stated:3} {lesson.rubric.track}")
    print(f"the core: {core / 60:.1f} hours")


if __name__ == "__main__":
    main()
