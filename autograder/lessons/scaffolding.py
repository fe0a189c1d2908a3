"""`autograder new-lesson`: a lesson that works, to be changed step by step.

The files that it is made from are in `scaffold/` beside this file.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from autograder.lessons.course import LessonError
from autograder.model.rubric_files import DRILLS, rubric_names
from autograder.processes.files import write_whole

_SCAFFOLD = Path(__file__).with_name("scaffold")
_RESERVED = {"jax", "jnp", "np", "check", "first_or_zero", "rubric", "draws", "reference", DRILLS}
_MOST_LETTERS = 40

BAD_NAME = (
    "{name!r} cannot be the name of a lesson. It is also that of its function and of its files: "
    "use at most 40 lowercase letters, digits and underscores, a letter first, as in "
    "`stable_softplus`, and no name that Python or the lesson uses itself."
)
KITS_NAME = "the kit has a lesson {name!r} already: choose another name."
KITS_CHECKOUT = (
    "{folder} is a checkout of the kit. Keep your lessons in a folder of your own: name one with "
    "--in."
)
NAME_TAKEN = "{file} already exists; nothing was written. Choose another name, or move it away."
NO_NUMBER = "{folder} has a lesson 99 already: number its scripts again, from 01."


def new_lesson(name: str, folder: Path) -> list[Path]:
    """Make the script, the rubric and the submissions of a new lesson, which verify at once.

    Args:
        name: of the lesson, of its exercise and of the student's function.
        folder: the lesson folder; it is made where it is missing.

    Returns:
        The files.

    Raises:
        LessonError: a name that cannot be used, or one that is taken; nothing was written.
    """
    reserved = keyword.iskeyword(name) or keyword.issoftkeyword(name) or name in _RESERVED
    ends = name.endswith(("_defence", "_speed", "_solution"))
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or len(name) > _MOST_LETTERS or reserved or ends:
        raise LessonError(BAD_NAME.format(name=name[: 2 * _MOST_LETTERS]))
    if name in rubric_names():
        raise LessonError(KITS_NAME.format(name=name))
    if (folder / "autograder").is_dir():
        raise LessonError(KITS_CHECKOUT.format(folder=folder))
    files = {folder / path: text for path, text in _files(name, _next_number(folder)).items()}
    there = [*folder.glob(f"solutions/[0-9][0-9]_{name}.py"), *(f for f in files if f.exists())]
    if there:
        raise LessonError(NAME_TAKEN.format(file=there[0]))
    for file, text in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)
    return list(files)


def _next_number(folder: Path) -> int:
    scripts = folder.glob("solutions/[0-9][0-9]_*.py")
    number = 1 + max((int(script.name[:2]) for script in scripts), default=0)
    if number > 99:
        raise LessonError(NO_NUMBER.format(folder=folder))
    return number


def _files(name: str, number: int) -> dict[str, str]:
    """Return the texts by path; the script comes last, as it makes the lesson one."""

    def fill(file: str) -> str:
        text = Template((_SCAFFOLD / file).read_text(encoding="utf-8"))
        return text.substitute(name=name, title=name.replace("_", " ").capitalize())

    return {
        f"rubrics/{name}.py": fill("rubric.py.txt"),
        f"submissions/{name}.py": fill("submissions.py.txt"),
        f"solutions/{number:02d}_{name}.py": fill("lesson.py.txt"),
    }
