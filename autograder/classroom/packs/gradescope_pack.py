"""`autograder pack gradescope`: the zip file that Gradescope makes an autograder of.

Its layout: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from autograder.classroom.course_config import (
    ClassError,
    CourseKey,
    read_config,
    read_key,
    source_notebook,
)
from autograder.classroom.gradescope import AFTER
from autograder.classroom.marks import points_in
from autograder.classroom.packs import messages
from autograder.classroom.packs.wheel import (
    add_file,
    fill_in,
    find_lessons,
    requirements,
    write_wheel,
)
from autograder.lessons.authoring import build_exercise, notebook_text, released_version
from autograder.lessons.course import Course, Lesson
from autograder.model.exercise import speed_name
from autograder.model.notebook import NotebookNode, is_defence_name
from autograder.model.report import SCHEMA
from autograder.processes.files import write_whole

PACK_FILE = "pack.json"
RELEASED_FILE = "released.ipynb"
LESSON_FOLDER = "lesson"
"""The lesson folder of a pack: the script and the rubric of a lesson of one's own."""

_NEWEST = 14
"""Minor of the newest Python 3 that the kit's tests know."""


@dataclass(frozen=True)
class Pack:
    """A lesson for Gradescope.

    Attributes:
        lesson: its name.
        notebook: what students call the file that they hand in.
        key: that its inputs are drawn with; secret.
        visibility: when students see the tests, in Gradescope's words.
        limits_only: whether to grade where nothing else confines a submission.
    """

    lesson: str
    notebook: str
    key: int
    visibility: str
    limits_only: bool = False


def read_pack(folder: Path) -> Pack:
    """Read the pack that was unzipped to a folder.

    Raises:
        ValueError: it was made by another version of the kit.
    """
    data = json.loads((folder / PACK_FILE).read_text(encoding="utf-8"))
    if data.pop("schema", None) != SCHEMA:
        raise ValueError(f"{PACK_FILE} has another schema than {SCHEMA}; make the pack again")
    return Pack(**data)


def write_gradescope(
    course: Course,
    name: str,
    path: Path,
    *,
    marked_in: Path | None = None,
    visibility: str = AFTER,
    limits_only: bool = False,
) -> str:
    """Write a lesson's zip file, and say what to do with it.

    Args:
        course: holds the lesson.
        name: of the lesson.
        path: of the zip file; one that is there is replaced.
        marked_in: a course folder whose secret key, and whose released notebook, count; by default
            the pack gets a new key, and the lesson's own notebook.
        visibility: when students see the tests, in Gradescope's words.
        limits_only: whether to grade where nothing else confines a submission.

    Raises:
        ClassError: no such lesson, course or folder, or the kit's wheel cannot be made; nothing
            was written.
    """
    (lesson,) = find_lessons(course, [name])
    if path.is_dir():
        raise ClassError(messages.IS_FOLDER.format(path=path, lesson=name))
    if path.suffix.lower() != ".zip":
        raise ClassError(messages.NOT_A_ZIP.format(path=path))
    if not path.parent.is_dir():
        raise ClassError(messages.NO_FOLDER.format(folder=path.parent))
    if marked_in is None:
        key, key_words = CourseKey.draw(), messages.NEW_KEY
        released = build_exercise(lesson)
    else:
        released = _released_in(marked_in, name)
        key = read_key(marked_in)
        key_words = messages.COURSE_KEY.format(lesson=name, course=marked_in)
    pack = Pack(name, lesson.notebook_name, key.for_lesson(name), visibility, limits_only)
    # The kit's wheel does not hold a lesson of one's own.
    own = [lesson.script, lesson.rubrics / f"{name}.py"] if lesson.is_own else []
    write_whole(path, _zip(pack, released, own), mode=0o600)
    return _what_next(path, key_words, lesson, points_in(released))


def _released_in(course: Path, name: str) -> NotebookNode:
    released = released_version(source_notebook(read_config(course).course, name))
    if released is None:
        raise ClassError(messages.NOT_IN_COURSE.format(course=course, lesson=name))
    return released


def _zip(pack: Pack, released: NotebookNode, own: Sequence[Path]) -> bytes:
    content = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(content, "w") as archive:
        wheel = write_wheel(Path(folder))
        setup = fill_in("setup.sh", pythons=" ".join(pythons()))
        add_file(archive, "setup.sh", setup.encode(), 0o755)
        script = Path(__file__).with_name("run_autograder").read_bytes()
        add_file(archive, "run_autograder", script, 0o755)
        add_file(archive, "requirements.txt", requirements().encode())
        add_file(archive, wheel.name, wheel.read_bytes())
        add_file(archive, RELEASED_FILE, notebook_text(released).encode())
        text = json.dumps({"schema": SCHEMA, **asdict(pack)}, indent=1) + "\n"
        add_file(archive, PACK_FILE, text.encode(), 0o600)
        for file in own:
            name = f"{LESSON_FOLDER}/{file.parent.name}/{file.name}"
            add_file(archive, name, file.read_bytes(), 0o600)
    return content.getvalue()


def pythons() -> list[str]:
    """Return the Pythons that the installed JAX works with, this one first, then the newest."""
    needed = str(metadata.metadata("jax")["Requires-Python"])
    found = re.search(r">=\s*3\.(\d+)", needed)
    oldest, own = int(found[1]) if found else sys.version_info.minor, sys.version_info.minor
    others = [minor for minor in range(_NEWEST, oldest - 1, -1) if minor != own]
    return [f"python3.{minor}" for minor in (own, *others)]


def _what_next(path: Path, key: str, lesson: Lesson, points: dict[str, float]) -> str:
    names = [exercise.name for exercise in lesson.rubric.exercises]
    speed = sum(p for name, p in points.items() if name in map(speed_name, names))
    judged = {*names, *map(speed_name, names)}
    words = sum(p for name, p in points.items() if name not in judged and not is_defence_name(name))
    counted = sum(points.values()) - speed - words
    lines = [messages.GRADESCOPE_DONE.format(path=path, key=key, points=counted)]
    lines += [messages.SPEED_APART.format(points=speed)] * bool(speed)
    lines += [messages.WORDS_APART.format(points=words)] * bool(words)
    return "\n".join(lines)
