"""A filter of system calls for one submission: no way around its namespaces and its limits.

Memory outside a process's own (memfd, System V, POSIX queues), file systems in a namespace of its
own, the kernel's keyrings and other processes' memory are closed to it. Only the standard library:
probed before anything else is imported. Raises `OSError` where the kernel refuses.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

# Numbers by system call: on x86-64 and on aarch64.
_REFUSED = {
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "semget": (64, 190),
    "msgget": (68, 186),
    "mq_open": (240, 180),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "mount_setattr": (442, 442),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "pidfd_getfd": (438, 438),
    "perf_event_open": (298, 241),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "open_by_handle_at": (304, 265),
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
# Flags of `clone` that make a namespace.
_NEW_NAMESPACES = 0x7E020000 | 0x80

_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
_X32 = 0x40000000  # calls of another numbering, on x86-64

# Classic BPF: load a word of `seccomp_data`, compare, return.
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_SET_SECCOMP, _FILTER = 22, 2


def _fail_with(number: int) -> int:
    return 0x00050000 | number


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _program(column: int, architecture: int) -> bytes:
    """The filter for one architecture."""
    numbers = [pair[column] for pair in _REFUSED.values()]
    clone, clone3 = _CLONE[column], _CLONE3[column]
    program = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _NUMBER),
        _instruction(_AT_LEAST, _X32, 0, 1),
        _instruction(_RETURN, _KILL),
    ]
    for number in numbers:
        program += [
            _instruction(_EQUAL, number, 0, 1),
            _instruction(_RETURN, _fail_with(errno.EPERM)),
        ]
    return b"".join(
        [
            *program,
            # Its flags lie in memory, which a filter cannot read; libc then uses `clone`.
            _instruction(_EQUAL, clone3, 0, 1),
            _instruction(_RETURN, _fail_with(errno.ENOSYS)),
            _instruction(_EQUAL, clone, 0, 3),
            _instruction(_LOAD, _FIRST_ARGUMENT),
            _instruction(_ANY_BIT, _NEW_NAMESPACES, 0, 1),
            _instruction(_RETURN, _fail_with(errno.EPERM)),
            _instruction(_RETURN, _ALLOW),
        ]
    )


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def refuse_ways_out() -> None:
    """Install the filter, for good, in this process and in all that it starts.

    The process has given up its privileges (`namespaces.drop_privileges`). On a machine of another
    kind than those whose numbers are known, nothing is filtered.
    """
    known = _MACHINES.get(os.uname().machine)
    if known is None:
        return
    program = _program(*known)
    libc = ctypes.CDLL(None, use_errno=True)
    given = _Filter(len(program) // 8, program)
    if libc.prctl(_SET_SECCOMP, _FILTER, ctypes.byref(given)):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
