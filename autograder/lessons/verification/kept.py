"""What XLA compiles while the course is verified, kept from one verification to the next."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

MOST_BYTES = 2**30
_BEGUN = "begun"


@contextmanager
def kept_compilations(root: Path) -> Iterator[None]:
    """Let the processes started meanwhile share what XLA compiles.

    Submissions of a lesson hold much the same programs, and the next verification most of this
    one's. Compilations are counted all the same. The folder is emptied when it has grown too large,
    and when its last user was killed, who may have left half a file. While another verification
    uses it, this one has a folder of its own.

    Args:
        root: the checkout, whose ignored dotfolder holds it.
    """
    with ExitStack() as stack:
        folder = _own_folder(root, stack)
        settings = {
            "JAX_COMPILATION_CACHE_DIR": str(folder),
            "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
            "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        }
        before = {name: os.environ.get(name) for name in settings}
        os.environ |= settings
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name)
                if value is not None:
                    os.environ[name] = value


def _own_folder(root: Path, stack: ExitStack) -> Path:
    """The kept folder, held until the stack is left; a temporary one where that cannot be had."""
    folder = root / ".autograder" / "compilations"
    try:
        folder.parent.mkdir(exist_ok=True)
        lock = stack.enter_context(folder.with_suffix(".lock").open("a"))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        begun = folder.with_suffix(f".{_BEGUN}")
        if begun.exists() or _size(folder) > MOST_BYTES:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        begun.touch()
    except OSError:  # in use, or a checkout that cannot be written
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="autograder-")))
    stack.callback(begun.unlink, missing_ok=True)
    return folder


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir()) if folder.is_dir() else 0
