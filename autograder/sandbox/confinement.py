"""The outer wall of the workers: bubblewrap, where this machine has it and allows it.

Inside, there is Python, read-only, and nothing else of the file system: no course, no gradebook,
no submissions, no home folders. There is no network, and no process from outside can be seen.
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

from autograder.sandbox import namespaces


class Protection(StrEnum):
    """How a submission is confined on this machine, the strongest first."""

    NAMESPACES = "namespaces"
    LIMITS = "limits"


MEANING = {
    Protection.NAMESPACES: (
        "bubblewrap and namespaces: no network, no other process in sight, Python read-only, "
        "nothing else of the file system, limits on time, memory, processes and files"
    ),
    Protection.LIMITS: (
        "limits only, on time, memory, processes and files: a submission can read and write what "
        "you can. Install bubblewrap (apt install bubblewrap), or grade in a container of its own"
    ),
}

_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
)


def _python_folders() -> list[Path]:
    """Where the standard library, installed packages and the kit's own packages lie.

    Not what else is on `sys.path`: that may be the folder of the course.
    """
    home = Path(__file__).resolve().parents[2]
    folders = [Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]]
    folders += [Path(entry).resolve() for entry in site.getsitepackages()]
    if site.ENABLE_USER_SITE:
        folders.append(Path(site.getusersitepackages()).resolve())
    folders = [f for f in folders if f.exists() and f != home]
    # Installed packages bring the kit's own folder with them; a checkout shows its packages only.
    folders += [home / "plnkit", home / "autograder"]
    kept: list[Path] = []
    for folder in sorted(set(folders), key=lambda f: len(f.parts)):
        inside = any(folder.is_relative_to(k) for k in kept)
        if not inside and not folder.is_relative_to("/usr") and len(folder.parts) > 1:
            kept.append(folder)
    return kept


def wall(program: str) -> list[str]:
    """The bubblewrap command up to the program that it is to run."""
    # First what the binds may lie in: environments and checkouts under /tmp are seen, too.
    command = [program, "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    for place in _SYSTEM:
        command += ["--ro-bind-try", place, place]
    for folder in _python_folders():
        command += ["--ro-bind", str(folder), str(folder)]
    return [
        *command,
        *("--dir", namespaces.SCRATCH, "--chdir", namespaces.SCRATCH),
        # What one submission wrote there, the next would find.
        *("--remount-ro", "/tmp", "--remount-ro", "/dev", "--remount-ro", "/"),
        *_NAMESPACES,
        *("--new-session", "--"),  # not --die-with-parent: a thread that ends counts as a parent
    ]


@lru_cache(maxsize=1)
def bubblewrap() -> str | None:
    """The bubblewrap program, if it is installed and namespaces can be made inside its own."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [*wall(program), sys.executable, "-P", "-S", namespaces.__file__],
            capture_output=True,
            timeout=60,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return program if done.returncode == 0 else None


def protection() -> Protection:
    """The strongest protection that works on this machine, found by trying it."""
    return Protection.LIMITS if bubblewrap() is None else Protection.NAMESPACES


def confined(command: Sequence[str]) -> list[str]:
    """The command as it is to be started: behind the wall, or unchanged where there is none."""
    program = bubblewrap()
    return list(command) if program is None else [*wall(program), *command]
