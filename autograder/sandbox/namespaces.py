"""Linux namespaces for one submission, made inside the wall: own processes, own scratch folder.

Only the standard library: probed before anything else is imported. It can be imported on any
system. Functions raise `OSError` where the kernel refuses.
"""

from __future__ import annotations

import ctypes
import os
import runpy
from pathlib import Path
from typing import Any

SCRATCH = "/scratch"
"""Where a confined submission may write."""

_NEWNS, _NEWUSER, _NEWPID, _NEWIPC = 0x20000, 0x10000000, 0x20000000, 0x8000000
_NOSUID, _NODEV, _REC, _PRIVATE = 2, 4, 16384, 1 << 18
_NO_NEW_PRIVS, _SET_DUMPABLE, _SUBREAPER = 38, 4, 36
_CAPABILITY_VERSION = 0x20080522


def _call(function: str, *arguments: Any) -> None:
    """Call a function of the C library, which other systems than Linux may lack."""
    if getattr(ctypes.CDLL(None, use_errno=True), function)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def _mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    kind_bytes = None if kind is None else kind.encode()
    _call("mount", source.encode(), target.encode(), kind_bytes, flags, data.encode())


def separate() -> None:
    """Give the calling process, and what it forks from now on, namespaces of its own.

    Its memory is hidden afterwards.
    """
    uid, gid = os.getuid(), os.getgid()
    # Root owns the /proc/self of a process with hidden memory: then only root could write there.
    _set_dumpable(True)
    try:
        _call("unshare", _NEWUSER | _NEWPID | _NEWIPC)
        maps = {"setgroups": "deny", "uid_map": f"{uid} {uid} 1", "gid_map": f"{gid} {gid} 1"}
        for name, text in maps.items():
            Path("/proc/self", name).write_text(text)
    finally:
        _set_dumpable(False)


def own_view(size: int) -> None:
    """Mount an empty `SCRATCH` of at most `size` bytes, and a /proc of this namespace only."""
    _call("unshare", _NEWNS)
    _mount("none", "/", None, _REC | _PRIVATE)
    _mount("tmpfs", SCRATCH, "tmpfs", _NOSUID | _NODEV, f"size={size},mode=700")
    try:
        _mount("proc", "/proc", "proc", _NOSUID | _NODEV)
    except OSError:  # parts of the outer /proc are masked: then none at all
        _mount("tmpfs", "/proc", "tmpfs", _NOSUID | _NODEV, "size=4096,mode=555")


def drop_privileges() -> None:
    """Give up all capabilities for good, in this process and in all that it starts."""
    _call("prctl", _NO_NEW_PRIVS, 1, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    _call("capset", header, (ctypes.c_uint32 * 6)())


def hide_memory() -> None:
    """Keep other processes of the same user from reading this one's memory."""
    _set_dumpable(False)


def _set_dumpable(dumpable: bool) -> None:
    _call("prctl", _SET_DUMPABLE, int(dumpable), 0, 0, 0)


def adopt_orphans() -> None:
    """Make this process the parent of what its descendants leave behind."""
    _call("prctl", _SUBREAPER, 1, 0, 0, 0)


def probe() -> None:
    """Do all of it once, in the order in which a submission's processes do it.

    Raises:
        OSError: the kernel refuses.
    """
    hide_memory()
    separate()
    child = os.fork()
    if child == 0:
        try:
            own_view(2**20)
            drop_privileges()
            # The kit's packages are not on the path of a program that runs this file.
            beside = os.path.join(os.path.dirname(__file__), "system_calls.py")
            runpy.run_path(beside)["refuse_ways_out"]()
        except OSError:
            os._exit(1)
        os._exit(0)
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise OSError("namespaces cannot be made here")


if __name__ == "__main__":
    probe()
