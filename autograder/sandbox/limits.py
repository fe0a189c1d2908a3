"""What one submission may use."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

MIB = 2**20


@dataclass(frozen=True)
class Limits:
    """Bounds on the processes of one submission.

    Attributes:
        seconds: for everything, as if the machine had no other work (`core.stopwatch`).
        allocated: bytes that one process may ask for; beyond it, asking fails where it is done.
        resident: bytes of memory of all processes together.
        processes: how many at a time.
        file_size: bytes of one file, and of all that the scratch folder holds.
    """

    seconds: float = 120.0
    allocated: int = 16 * 1024 * MIB
    resident: int = 4 * 1024 * MIB
    processes: int = 64
    file_size: int = 256 * MIB

    def to_json(self) -> dict[str, Any]:
        return asdict(self)
