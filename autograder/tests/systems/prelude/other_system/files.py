"""Files as the kit finds them on another system: no /proc, and Windows' rules for names and locks.

Python's own audit events say which files are opened, renamed and deleted.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from other_system.callers import kit_asks

_READS = {"open", "os.listdir", "os.scandir"}
_REMOVES = {"os.remove", "os.rename", "os.rmdir"}
_FORBIDDEN = re.compile(r'[<>:"|?*\\\x00-\x1f]|[. ]$|^(con|nul|prn|aux|com\d|lpt\d)(\.|$)', re.I)


def _path(name: object, folder: object = -1) -> str:
    text = os.fsdecode(name) if isinstance(name, (str, bytes, os.PathLike)) else ""
    if isinstance(folder, int) and folder >= 0 and not os.path.isabs(text):
        text = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), text)
    return os.path.abspath(text) if text else ""


def _in_use() -> Iterator[str]:
    """Yield the files that some process has open, and the folders that processes work in."""
    for process in filter(str.isdecimal, os.listdir("/proc")):
        links = [f"/proc/{process}/cwd"]
        try:
            links += [f"/proc/{process}/fd/{fd}" for fd in os.listdir(f"/proc/{process}/fd")]
        except OSError:  # somebody else's, or it has ended
            continue
        for link in links:
            try:
                yield os.readlink(link)
            except OSError:
                continue


def _refuse_in_use(path: str) -> None:
    if path and path in _in_use():
        raise PermissionError(13, "[WinError 32] another process uses the file", path)


def _check_name(path: str) -> None:
    folder, name = os.path.split(path)
    if _FORBIDDEN.search(name):
        raise OSError(22, "[WinError 123] the name is not valid", path)
    try:
        others = os.listdir(folder)
    except OSError:
        return
    if name not in others and any(name.lower() == other.lower() for other in others):
        raise OSError(22, "a name that differs in case only is the same file", path)


def _by_tempfile() -> bool:
    """Whether `tempfile` unlinks a file of its own that is open; on Windows it does not."""
    frame = sys._getframe(2)
    return os.path.basename(frame.f_code.co_filename) == "tempfile.py"


def install(system: str) -> None:
    """Refuse from now on, to the kit's own code, what the files of `system` refuse."""
    windows = system == "windows"

    def audit(event: str, arguments: tuple) -> None:
        if event in _READS:
            path = _path(arguments[0])
            if path.startswith("/proc/") and kit_asks():
                raise FileNotFoundError(2, "No such file or directory", path)
            writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & os.O_CREAT
            if windows and writes and kit_asks():
                _check_name(path)
        elif windows and event in _REMOVES and not _by_tempfile() and kit_asks():
            folders = arguments[2:] if event == "os.rename" else arguments[1:]
            for name, folder in zip(arguments, folders, strict=False):
                _refuse_in_use(_path(name, folder))
        elif windows and event == "os.symlink" and kit_asks():
            raise OSError(1314, "[WinError 1314] a required privilege is not held", arguments[1])

    sys.addaudithook(audit)
