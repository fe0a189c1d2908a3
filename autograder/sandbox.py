"""Confining a worker with bubblewrap, where this machine has it and allows it.

Inside, the file system is read-only but for the scratch folder, there is no network, and no other
process can be seen: neither the grader's nor other submissions'. All processes end together.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

_NAMESPACES = ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
_VIEW = ("--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")


@lru_cache(maxsize=1)
def bubblewrap() -> str | None:
    """The bubblewrap program, if it is installed and may make its namespaces here."""
    program = shutil.which("bwrap")
    if program is None:
        return None
    probe = [program, *_VIEW, *_NAMESPACES, "--die-with-parent", "true"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return None
    return program if done.returncode == 0 else None


def confined(command: Sequence[str], scratch: Path) -> list[str]:
    """The command as it is to be started: inside the sandbox, or unchanged where there is none."""
    program = bubblewrap()
    if program is None:
        return list(command)
    folder = ["--bind", str(scratch), str(scratch), "--chdir", str(scratch)]
    return [program, *_VIEW, *folder, *_NAMESPACES, "--die-with-parent", "--", *command]
