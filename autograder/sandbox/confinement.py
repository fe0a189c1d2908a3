"""The outer wall around the workers: bubblewrap, if this machine has it and allows it.

A worker behind it sees Python, read-only, and no other files: no course, no gradebook, no
submissions, no home folders. It has no network and sees no process outside. Without it, root gives
workers another user (`another_user`).
"""

from __future__ import annotations

import shutil
import site
import subprocess
import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from autograder.sandbox import another_user, namespaces
from autograder.sandbox.right_answers import HIDDEN


class Protection(StrEnum):
    """How a submission is confined on this machine, strongest first."""

    NAMESPACES = "namespaces"
    USER = "user"
    LIMITS = "limits"


MEANING = {
    Protection.NAMESPACES: (
        "bubblewrap and namespaces: no network, no other processes visible, Python read-only, "
        "no other files, limits on time, memory, processes and files"
    ),
    Protection.USER: (
        "another user for each submission, limits on time, memory, processes and files: it cannot "
        "read what is closed to others, but it has a network and sees what all users see. Install "
        "bubblewrap (apt install bubblewrap), or grade in a container without a network"
    ),
    Protection.LIMITS: (
        "limits only, on time, memory, processes and files: a submission can read and write what "
        "you can. Install bubblewrap (apt install bubblewrap), or grade in a separate container"
    ),
}

_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"),
    *("/etc/ld.so.cache", "/etc/alternatives"),
)


def _python_folders() -> list[Path]:
    """Return the folders of the standard library, installed packages and the kit's packages.

    Other entries of `sys.path` are left out: one may be the folder of the course.
    """
    home = Path(__file__).resolve().parents[2]
    folders = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]]
    folders += [Path(entry).resolve() for entry in site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(Path(site.getusersitepackages()).resolve())
    folders = [f for f in folders if f.exists() and f != home]
    # A checkout holds more than its packages. An installed kit lies in one of the folders above.
    folders += [home / "plnkit", home / "autograder"]
    kept: list[Path] = []
    for folder in sorted(set(folders), key=lambda f: len(f.parts)):
        inside = any(folder.is_relative_to(k) for k in kept)
        if not inside and not folder.is_relative_to("/usr") and len(folder.parts) > 1:
            kept.append(folder)
    return kept


def _wall(program: str) -> list[str]:
    """Return the bubblewrap command, up to the program that it runs."""
    # /tmp comes before the binds: an environment or a checkout may lie in it.
    command = [program, "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for path in _SYSTEM:
        command += ["--ro-bind-try", path, path]
    for folder in _python_folders():
        command += ["--ro-bind", str(folder), str(folder)]
    for folder in HIDDEN:
        if folder.is_dir():
            command += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return [
        *command,
        *("--dir", namespaces.SCRATCH, "--chdir", namespaces.SCRATCH),
        # Read-only: otherwise the next submission finds what this one wrote.
        *("--remount-ro", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/"),
        *_NAMESPACES,
        *("--new-session", "--"),  # not --die-with-parent: a thread that ends counts as a parent
    ]


@lru_cache(maxsize=1)
def bubblewrap() -> str | None:
    """Find the bubblewrap program, if workers can make namespaces inside it."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [*_wall(program), sys.executable, "-P", "-S", namespaces.__file__],
            capture_output=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return program if done.returncode == 0 else None


def protection() -> Protection:
    """Return the strongest protection that works on this machine."""
    if bubblewrap() is not None:
        return Protection.NAMESPACES
    return Protection.USER if another_user.works_here() else Protection.LIMITS


def add_wall(command: Sequence[str]) -> list[str]:
    """Return the command that runs `command` behind the wall, if there is one."""
    program = bubblewrap()
    return list(command) if program is None else [*_wall(program), *command]
