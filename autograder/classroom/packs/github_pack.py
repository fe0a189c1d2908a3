"""`autograder pack github`: a template repository that checks notebooks after each push.

How Classroom takes a workflow of one's own, in `.github/workflows/classroom.yml`:
https://docs.github.com/en/education/manage-coursework-with-github-classroom/teach-with-github-classroom/use-autograding
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autograder.classroom.course_config import ClassError
from autograder.classroom.packs import messages
from autograder.classroom.packs.wheel import fill_in, find_lessons, requirements, write_wheel
from autograder.lessons.authoring import build_exercise, notebook_text
from autograder.lessons.course import Course, Lesson
from autograder.lessons.publishing import public_text
from autograder.model.public_rubric import public_file
from autograder.processes.files import write_whole

WORKFLOW = Path(".github", "workflows", "classroom.yml")
WHEELS = "wheels"


def write_github(course: Course, names: Sequence[str], folder: Path) -> str:
    """Write a template repository with some lessons, and say what to do with it.

    Args:
        course: holds the lessons.
        names: of the lessons.
        folder: to make; it may exist if it is empty.

    Raises:
        ClassError: no such lesson, a folder that is not empty, or the kit's wheel cannot be made;
            nothing was written.
    """
    lessons = find_lessons(course, names)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ClassError(messages.NOT_EMPTY.format(path=folder))
    if not folder.parent.is_dir():
        raise ClassError(messages.NO_FOLDER.format(folder=folder.parent))
    with tempfile.TemporaryDirectory(dir=folder.resolve().parent, prefix=".pack-") as unfinished:
        made = Path(unfinished, "made")
        _fill(made, lessons)
        if folder.exists():
            folder.rmdir()
        os.rename(made, folder)
    return messages.GITHUB_DONE.format(path=folder)


def _fill(folder: Path, lessons: Sequence[Lesson]) -> None:
    (folder / WORKFLOW).parent.mkdir(parents=True)
    (folder / WHEELS).mkdir()
    # A build writes a .gitignore, too, which would hide the wheel.
    built = write_wheel(folder.parent)
    wheel = built.rename(folder / WHEELS / built.name)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    texts = {
        WORKFLOW: fill_in("workflow.yml", lessons=lessons, python=python),
        "README.md": fill_in("template_readme.md", lessons=lessons, python=python),
        "requirements.txt": f"{requirements()}./{WHEELS}/{wheel.name}\n",
        ".gitignore": ".ipynb_checkpoints/\n__pycache__/\n",
        **{lesson.notebook_name: notebook_text(build_exercise(lesson)) for lesson in lessons},
        **{public_file(Path(), x.name): public_text(x.rubric) for x in lessons if x.is_own},
    }
    for name, text in texts.items():
        write_whole(folder / name, text)
