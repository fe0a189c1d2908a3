"""Where no namespaces can be made, root gives each submission a user of its own.

Containers, such as those of Gradescope, often run as root and forbid namespaces. A user without
rights reads no file that is closed to others, and cannot stop, trace or read the processes of the
grader.
"""

from __future__ import annotations

import os
import subprocess
import sys
from functools import lru_cache

from autograder.processes.child_process import with_kit
from autograder.sandbox import namespaces, system_calls

# Numbers that systemd, too, gives to users that exist for a moment only: nobody else has them.
_FIRST, _COUNT = 61184, 4336


def leave_root(scratch: str) -> None:
    """Make the calling process, and all that it starts, a user without rights, for good.

    Its memory is hidden, and the ways around its limits are refused.

    Args:
        scratch: the folder that this user may write to.

    Raises:
        OSError: the kernel refuses.
    """
    number = _FIRST + os.getpid() % _COUNT  # submissions that run at the same time do not share it
    os.chown(scratch, number, number)
    os.setgroups([])
    os.setresgid(number, number, number)
    os.setresuid(number, number, number)
    os.umask(0o077)
    namespaces.drop_privileges()
    system_calls.refuse_ways_out()
    namespaces.hide_memory()


@lru_cache(maxsize=1)
def works_here() -> bool:
    """Return whether this process may change its user, and another user can start the kit."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    command = [sys.executable, "-P", "-c", "import autograder.sandbox.zygote_process"]
    try:
        done = subprocess.run(
            command,
            cwd="/",
            capture_output=True,
            timeout=60,
            user=_FIRST,
            group=_FIRST,
            extra_groups=[],
            env=with_kit({**os.environ, "HOME": "/", "PYTHONDONTWRITEBYTECODE": "1"}),
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
