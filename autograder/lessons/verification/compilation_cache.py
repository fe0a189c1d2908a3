"""Lets XLA compile less, and less often, while the course is verified."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from filelock import FileLock

from autograder.processes.child_process import caching_in, compiling_fast

MOST_BYTES = 2**30


def settings_for(folder: Path) -> dict[str, str]:
    """Return variables that let JAX compile fast, and keep in `folder` what it compiles."""
    flags = compiling_fast(os.environ).get("XLA_FLAGS", "")
    return {**caching_in(folder), "XLA_FLAGS": flags}


@contextmanager
def share_compilations(root: Path) -> Iterator[None]:
    """Let the processes started in this context compile fast, and share what they compile.

    The submissions of a lesson hold similar programs, and so does the next verification. The
    compilations criterion counts them all the same. The folder is emptied when it has grown too
    large, and when its last user was killed, which may have left half a file. While another
    verification uses it, this one gets a temporary folder.

    Args:
        root: the checkout, whose ignored dotfolder holds the cache.
    """
    with ExitStack() as stack:
        settings = settings_for(_open_folder(root, stack))
        stack.enter_context(patch.dict(os.environ, settings))
        yield


def _open_folder(root: Path, stack: ExitStack) -> Path:
    folder = root / ".autograder" / "compilations"
    begun = folder.with_suffix(".begun")
    try:
        folder.parent.mkdir(exist_ok=True)
        stack.enter_context(FileLock(folder.with_suffix(".lock"), blocking=False))
        size = sum(file.stat().st_size for file in folder.iterdir()) if folder.is_dir() else 0
        if begun.exists() or size > MOST_BYTES:
            shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(exist_ok=True)
        begun.touch()
    except OSError:  # the folder is in use, or the checkout cannot be written
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="autograder-")))
    stack.callback(begun.unlink, missing_ok=True)
    return folder
