"""Whose code a frame runs: only the kit's own code is to meet another system."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from types import FrameType

_ROOT = Path(__file__).resolve().parents[5]
_KIT = tuple(f"{_ROOT / name}{os.sep}" for name in ("autograder", "plnkit"))
_TESTS = tuple(os.path.join(folder, "tests") + os.sep for folder in _KIT)
_STANDARD = sysconfig.get_path("stdlib") + os.sep
_PACKAGES = (os.path.join(_STANDARD, "site-packages"), os.path.join(_STANDARD, "dist-packages"))


def is_kits_file(name: str) -> bool:
    """Whether a file is the kit's, and no test."""
    return name.startswith(_KIT) and not name.startswith(_TESTS)


def _is_standard(name: str) -> bool:
    return name.startswith("<frozen") or (
        name.startswith(_STANDARD) and not name.startswith(_PACKAGES)
    )


def asks(frame: FrameType | None) -> FrameType | None:
    """Return the first frame that is not the standard library's, from `frame` upwards."""
    while frame is not None and _is_standard(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def kit_asks(depth: int = 2) -> bool:
    """Whether the kit's own code made the call, perhaps through the standard library."""
    frame = asks(sys._getframe(depth))
    return frame is not None and is_kits_file(frame.f_code.co_filename)
