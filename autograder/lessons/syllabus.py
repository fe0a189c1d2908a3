"""The syllabus, `exercises/README.md`: generated from the lessons and their rubrics."""

from __future__ import annotations

from collections.abc import Sequence

from autograder.core.report import CRITERIA
from autograder.lessons.authoring import build_exercise
from autograder.lessons.course import Lesson

HEADER = """\
# The course

One notebook for each lesson, in order. Install the kit first: the [top README](../README.md) has
the command. (`autograder build` generates this folder from `solutions/`. Change nothing by hand.)

| lesson | you learn | judged by | points | minutes |
| --- | --- | --- | --- | --- |
"""

FOOTER = """
Points for speed are given on a GPU, and stay pending until there is one. Written questions are
graded by your instructor.

## In a notebook

1. Start `jupyter lab` and open a notebook of this folder. VS Code and Colab work too.
2. Run the cells from the top. Some fail on purpose: read the error, it is the lesson.
3. Fix the code in the cell under *Your task*. Nothing is hidden: the broken code is there.
4. Run the check cell, `check("static_branch")` for example, as often as you like.
5. Read the card, and try again.
6. Hand the notebook in as your course asks. The card's mark is provisional: your instructor grades
   with inputs that you have not seen.

The card shows each criterion: right **outputs**, **purity** (no side effects), and no needless
**compilations**. Where one fails, you see the line, why jit cares, and how to fix it. Three hints
are folded away below, each inside the one before. A row of boxes shows which of your calls
compiled. Fits are drawn over the right ELBO.

`check("scan_fit", "speed")` takes longer: it times your program. Where JAX finds a GPU, you get the
verdict at once. The timing runs in a process of its own, which takes only the memory it needs.
Without a GPU, you see the ratio on your CPU and the number of threads, for information. Only a GPU
decides, so the points stay pending.

In a script or a console, `print(check("static_branch"))` prints the same card as text.

## In a terminal

Activate the environment of the kit (`. .venv/bin/activate`), then make a folder of your own:

```sh
autograder start my-exercises && cd my-exercises
autograder next
```

| command | what it does |
| --- | --- |
| `autograder next` | shows the first lesson to solve: its file, its task, what fails first |
| `autograder watch` | checks each notebook when you save it; leave it open beside your editor |
| `autograder hint` | gives one hint on what failed, and a little more at each call |
| `autograder progress` | shows the course, and what is solved |
| `autograder solution 3` | shows the solution of lesson 3 once you solved it (`--spoil`: before) |
| `autograder reset 3` | gives the starter of lesson 3 back, and keeps your work as a dated copy |
| `autograder speed` | times the lessons that have points for speed and that you have begun |
| `autograder speed scan_fit` | times one lesson: the verdict on a GPU, your CPU's ratio elsewhere |
| `pytest` | checks everything, with one test for each criterion, in course order |

Useful with pytest: `pytest -x`, `pytest --lf`, `pytest 03_static_branch.ipynb`, `pytest -k purity`.
Only what changed runs again. The `speed` test does the same as `autograder speed`. In the checkout
itself, the command is `pytest exercises`.

Does a card blame code that is right? Please [report the false alarm](../.github/CONTRIBUTING.md).
"""


def _number(points: float) -> str:
    return f"{points:g}"


def _points(lesson: Lesson) -> str:
    judged: dict[str, float] = {}
    for exercise in lesson.rubric.exercises:
        for criterion, points in exercise.points.items():
            judged[criterion] = judged.get(criterion, 0) + points
    written = sum(
        cell["metadata"]["nbgrader"]["points"]
        for cell in build_exercise(lesson)["cells"]
        if cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"]
    )
    speed = judged.pop("speed", 0)
    parts = [_number(sum(judged.values()))]
    parts += [f"{_number(speed)} on GPU"] if speed else []
    parts += [f"{_number(written)} written"] if written else []
    return " + ".join(parts)


def syllabus(lessons: Sequence[Lesson]) -> str:
    """The text of `exercises/README.md`."""
    rows = []
    for lesson in lessons:
        used = {c for exercise in lesson.rubric.exercises for c in exercise.points}
        criteria = ", ".join(c for c in CRITERIA if c in used)
        rows.append(
            f"| [{lesson.number}. {lesson.name}]({lesson.notebook_name}) | {lesson.rubric.learned} "
            f"| {criteria} | {_points(lesson)} | {lesson.rubric.minutes or ''} |"
        )
    return HEADER + "\n".join(rows) + "\n" + FOOTER
