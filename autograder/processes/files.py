"""Writes files whole: a reader finds the old content or the new, never half of it."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

UNFINISHED = ".unfinished"


def write_whole(target: Path, content: str | bytes, mode: int | None = None) -> None:
    """Write a file so that no reader ever finds half of it, and no interruption leaves half.

    Args:
        target: the file; its folder must exist. After an `OSError`, it is as it was.
        content: text is written as UTF-8.
        mode: permissions; by default those of the file that is there, else 0o644.
    """
    data = content.encode() if isinstance(content, str) else content
    prefix = f".{target.name[:80]}-"
    handle, name = tempfile.mkstemp(suffix=UNFINISHED, prefix=prefix, dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        if mode is None:
            mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def clear_unfinished(folder: Path) -> None:
    """Remove what killed writers have left; only for the folder's only writer."""
    for path in folder.glob(f".*{UNFINISHED}"):
        path.unlink(missing_ok=True)
