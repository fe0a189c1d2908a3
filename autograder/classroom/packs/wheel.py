"""What both packs hold: lessons, files made from templates, and the kit's wheel.

The wheel is built from a checkout, or made of the installed files.
"""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.classroom.course_config import ClassError
from autograder.classroom.packs import messages
from autograder.lessons.course import Course, Lesson

_HERE = Path(__file__).resolve().parents[3]
_KIT = "plnkit"
_EPOCH = (2020, 1, 1, 0, 0, 0)
"""The date of every file in a wheel and in a pack, so that the same kit gives the same bytes."""

_BY_INSTALLERS = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}


def find_lessons(course: Course, names: Sequence[str]) -> list[Lesson]:
    """Return lessons by their names, each once, in course order.

    Raises:
        ClassError: one of the names is no lesson's; lists those that are.
    """
    lessons = {lesson.name: lesson for lesson in course.lessons()}
    for name in names:
        if name not in lessons:
            known = ", ".join(lessons)
            raise ClassError(messages.NO_LESSON.format(name=name[:80], names=known))
    return [lesson for name, lesson in lessons.items() if name in names]


def fill_in(template: str, **values: object) -> str:
    """Return a template of this package with its values in place."""
    environment = Environment(
        loader=PackageLoader("autograder.classroom.packs", "."),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        # The usual ones are GitHub's.
        variable_start_string="<<",
        variable_end_string=">>",
        block_start_string="<%",
        block_end_string="%>",
    )
    return environment.get_template(template).render(**values)


def write_wheel(folder: Path) -> Path:
    """Write the wheel of the running kit to a folder, and return its path.

    Raises:
        ClassError: it can neither be built nor put together; says what to install.
    """
    if (_HERE / "pyproject.toml").is_file():
        return _build(_HERE, folder)
    return _pack_installed(metadata.distribution(_KIT), folder)


def add_file(archive: zipfile.ZipFile, name: str, content: bytes, mode: int = 0o644) -> None:
    """Add a file to an archive, with permissions and without today's date."""
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.external_attr = (0o100000 | mode) << 16
    entry.create_system = 3  # Unix, on which permissions are kept
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content)


def _build(root: Path, folder: Path) -> Path:
    if find_spec("hatchling") is None:
        raise ClassError(messages.NO_HATCHLING.format(root=root))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    built = sorted(folder.glob("*.whl"))
    if done.returncode or len(built) != 1:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise ClassError(messages.NOT_BUILT.format(root=root, error=lines[-1] if lines else "?"))
    return built[0]


def _pack_installed(kit: metadata.Distribution, folder: Path) -> Path:
    """Undo an installation: the wheel of its files, without what the installer has added.

    The format: https://packaging.python.org/en/latest/specifications/binary-distribution-format/
    """
    # From Python 3.12 on, `kit.files` passes over what is missing.
    rows = {
        row[0]: row
        for row in csv.reader(io.StringIO(kit.read_text("RECORD") or ""))
        if not row[0].startswith("..") and PurePosixPath(row[0]).suffix != ".pyc"
    }
    files = {name: Path(str(kit.locate_file(name))) for name in sorted(rows)}
    files = {name: path for name, path in files.items() if path.name not in _BY_INSTALLERS}
    info = f"{_KIT}-{kit.version}.dist-info"
    missing = [name for name, path in files.items() if not path.is_file()]
    if f"{info}/WHEEL" not in files or missing:
        error = f"{missing[0]} is missing" if missing else "it lists no files"
        raise ClassError(messages.NOT_INSTALLED.format(error=error))
    record = io.StringIO()
    written = csv.writer(record, lineterminator="\n")
    target = folder / f"{_KIT}-{kit.version}-py3-none-any.whl"
    with zipfile.ZipFile(target, "w") as wheel:
        for name, path in files.items():
            add_file(wheel, name, path.read_bytes())
            written.writerow(rows[name])
        written.writerow([f"{info}/RECORD", "", ""])
        add_file(wheel, f"{info}/RECORD", record.getvalue().encode())
    return target


def requirements() -> str:
    """Return pip's requirements for the same JAX: what compiles when differs between its releases.

    All else is what the wheel asks for.
    """
    return "".join(f"{name}=={metadata.version(name)}\n" for name in ("jax", "jaxlib"))
